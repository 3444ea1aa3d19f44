#include "cli/kept/config_key.h"

#include "lib/base/buf.h"

#include "lib/base/banned.h"

static void add_numbers(struct digest *d, struct buf *numbers)
{
	digest_adds(d, buf_str(numbers));
	buf_release(numbers);
}

void config_key_add(struct digest *d, const struct config *config)
{
	struct buf numbers = BUF_INIT;

	digest_adds(d, config->build);
	digest_add_list(d, &config->sources);
	digest_add_list(d, &config->env);
	buf_addf(&numbers, "%d %d %d %d %d %.17g %llu %llu", config->runs_min, config->runs_max,
		 config->runs_given, config->layouts, config->submodules, config->confidence,
		 (unsigned long long)config->min_time_ns,
		 (unsigned long long)config->build_timeout_ns);
	add_numbers(d, &numbers);
}

void config_key_bench(struct digest *d, const struct bench_config *b)
{
	const struct bench_limits *l = &b->limits;
	struct buf numbers = BUF_INIT;

	digest_adds(d, b->name);
	digest_add_list(d, &b->command);
	digest_add_list(d, &b->given);
	digest_adds(d, b->metric);
	digest_add_list(d, &b->inputs);
	digest_adds(d, b->output);
	digest_adds(d, b->prepare);
	digest_adds(d, b->cleanup);
	digest_adds(d, b->input);
	digest_adds(d, b->shell);
	buf_addf(&numbers, "%u %d %d %d %d %d %d %d %.17g %llu %llu %llu %llu %llu %llu", b->warmup,
		 b->better_given, b->more_is_better, b->cache, b->in_turn, b->any_status,
		 (int)b->format, b->format_given, b->threshold, (unsigned long long)b->timeout_ns,
		 (unsigned long long)l->memory_bytes, (unsigned long long)l->file_bytes,
		 (unsigned long long)l->cpu_ns, (unsigned long long)l->open_files,
		 (unsigned long long)l->processes);
	add_numbers(d, &numbers);
}
