#include "lib/config/benchmarks.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/config/keys.h"
#include "lib/config/nearest.h"
#include "lib/config/values.h"

#include "lib/base/banned.h"

#define MS_NS UINT64_C(1000000)
#define WARMUP_MOST 1000
#define DAY_NS (86400 * UINT64_C(1000000000))

const char *bench_format_name(enum bench_format format)
{
	static const char *const names[FORMAT_N] = {
		[FORMAT_PAWL] = "pawl",
		[FORMAT_COMMAND] = "command",
		[FORMAT_GOOGLE] = "google",
		[FORMAT_GO] = "go",
		[FORMAT_HYPERFINE] = "hyperfine",
		[FORMAT_CRITERION] = "criterion",
		[FORMAT_CATCH2] = "catch2",
		[FORMAT_NANOBENCH] = "nanobench",
		[FORMAT_JUNIT] = "junit",
		[FORMAT_PERF] = "perf",
		[FORMAT_CALLGRIND] = "callgrind",
		[FORMAT_BMF] = "bmf",
		[FORMAT_LNT] = "lnt",
	};

	return names[format];
}

enum bench_format bench_format_parse(const char *name)
{
	int i;

	for (i = 0; i < FORMAT_N; i++)
		if (!strcmp(bench_format_name((enum bench_format)i), name))
			return (enum bench_format)i;
	return FORMAT_N;
}

bool bench_format_is_foreign(enum bench_format format)
{
	return format > FORMAT_COMMAND && format < FORMAT_N;
}

static int set_command(void *target, const char *value, struct err *err)
{
	struct bench_config *b = target;

	return value_command(value, &b->command, err) || str_set(&b->line, value, err) ? -1 : 0;
}

static int set_prepare(void *b, const char *value, struct err *err)
{
	return value_text(value, &((struct bench_config *)b)->prepare, err);
}

static int set_cleanup(void *b, const char *value, struct err *err)
{
	return value_text(value, &((struct bench_config *)b)->cleanup, err);
}

static int set_stdin(void *b, const char *value, struct err *err)
{
	return value_text(value, &((struct bench_config *)b)->input, err);
}

static int set_shell(void *b, const char *value, struct err *err)
{
	return value_text(strcmp(value, "none") != 0 ? value : "",
			  &((struct bench_config *)b)->shell, err);
}

static int set_warmup(void *b, const char *value, struct err *err)
{
	uint64_t n;

	if (value_number(value, &n, err))
		return -1;
	if (n > WARMUP_MOST)
		return err_set(err, ERR_CONFIG, "expected a number from 0 to %d", WARMUP_MOST);
	((struct bench_config *)b)->warmup = (unsigned)n;
	return 0;
}

static int set_format(void *target, const char *value, struct err *err)
{
	enum bench_format format = bench_format_parse(value);
	struct bench_config *b = target;
	struct buf known = BUF_INIT;
	int i;

	if (format != FORMAT_N) {
		b->format = format;
		b->format_given = true;
		return 0;
	}
	for (i = 0; i < FORMAT_N; i++)
		buf_addf(&known, "%s%s",
			 !i		    ? ""
			 : i + 1 < FORMAT_N ? ", "
					    : " or ",
			 bench_format_name((enum bench_format)i));
	err_set(err, ERR_CONFIG, "expected %s", buf_str(&known));
	buf_release(&known);
	return -1;
}

/* One path below the top, as inputs are. */
static int set_output(void *target, const char *value, struct err *err)
{
	struct bench_config *b = target;
	struct strv one = STRV_INIT;
	int result = -1;

	if (!value_input(value, &one, err))
		result = str_set(&b->output, one.n ? one.v[0] : NULL, err);
	strv_release(&one);
	return result;
}

static int set_timeout(void *b, const char *value, struct err *err)
{
	return value_duration(value, MS_NS, DAY_NS, &((struct bench_config *)b)->timeout_ns, err);
}

static int set_threshold(void *target, const char *value, struct err *err)
{
	struct bench_config *b = target;

	if (value_threshold(value, &b->threshold, err))
		return -1;
	b->threshold_given = true;
	return 0;
}

static int set_metric(void *b, const char *value, struct err *err)
{
	return value_metric(value, &((struct bench_config *)b)->metric, err);
}

static int set_better(void *target, const char *value, struct err *err)
{
	struct bench_config *b = target;

	if (strcmp(value, "higher") != 0 && strcmp(value, "lower") != 0)
		return err_set(err, ERR_CONFIG, "expected higher or lower");
	b->better_given = true;
	b->more_is_better = !strcmp(value, "higher");
	return 0;
}

static int set_cache(void *b, const char *value, struct err *err)
{
	return value_bool(value, &((struct bench_config *)b)->cache, err);
}

static int set_at_once(void *target, const char *value, struct err *err)
{
	struct bench_config *b = target;
	bool at_once;

	if (value_bool(value, &at_once, err))
		return -1;
	b->in_turn = !at_once;
	return 0;
}

static int set_input(void *b, const char *value, struct err *err)
{
	return value_input(value, &((struct bench_config *)b)->inputs, err);
}

static int set_memory(void *b, const char *value, struct err *err)
{
	return value_bytes(value, &((struct bench_config *)b)->limits.memory_bytes, err);
}

static int set_file_size(void *b, const char *value, struct err *err)
{
	return value_bytes(value, &((struct bench_config *)b)->limits.file_bytes, err);
}

static int set_cpu_time(void *b, const char *value, struct err *err)
{
	return value_duration(value, 1000000000u, DAY_NS,
			      &((struct bench_config *)b)->limits.cpu_ns, err);
}

static int set_open_files(void *b, const char *value, struct err *err)
{
	return value_number(value, &((struct bench_config *)b)->limits.open_files, err);
}

static int set_processes(void *b, const char *value, struct err *err)
{
	return value_number(value, &((struct bench_config *)b)->limits.processes, err);
}

#define FILES (IN_COMMITTED | IN_GIT)

const struct config_key benchmark_keys[] = {
	{ "command", FILES, "build/bench/deflate --level 6", set_command, false, false },
	{ "format", FILES, "pawl", set_format, false, false },
	{ "timeout", FILES, "60s", set_timeout, false, false },
	{ "threshold", FILES, "5%", set_threshold, false, false },
	{ "metric", FILES, "wall", set_metric, false, false },
	{ "better", FILES, "higher", set_better, false, false },
	{ "cache", FILES, "false", set_cache, true, false },
	{ "atOnce", FILES, "false", set_at_once, true, false },
	{ "prepare", FILES, "make reset", set_prepare, false, false },
	{ "cleanup", FILES, "rm -f out", set_cleanup, false, false },
	{ "stdin", FILES, "data/corpus.txt", set_stdin, false, false },
	{ "shell", FILES, "sh", set_shell, false, false },
	{ "warmup", FILES, "3", set_warmup, false, false },
	{ "input", FILES, "data/corpus.bin", set_input, false, false },
	{ "output", FILES, "build/results.json", set_output, false, false },
	{ "memory", FILES, "1g", set_memory, false, false },
	{ "fileSize", FILES, "100m", set_file_size, false, false },
	{ "cpuTime", FILES, "60s", set_cpu_time, false, false },
	{ "openFiles", FILES, "256", set_open_files, false, false },
	{ "processes", FILES, "64", set_processes, false, false },
	{ NULL, 0, NULL, NULL, false, false },
};

static void bench_release(struct bench_config *b)
{
	free(b->name);
	free(b->metric);
	free(b->output);
	free(b->prepare);
	free(b->cleanup);
	free(b->input);
	free(b->shell);
	free(b->line);
	free(b->where);
	free(b->origin);
	strv_release(&b->command);
	strv_release(&b->given);
	strv_release(&b->inputs);
}

void benchmarks_release(struct config *c)
{
	while (c->n_benchmarks)
		bench_release(&c->benchmarks[--c->n_benchmarks]);
	free(c->benchmarks);
	c->benchmarks = NULL;
}

static struct bench_config *find(struct config *c, const char *name)
{
	size_t i;

	for (i = 0; i < c->n_benchmarks; i++)
		if (!strcmp(c->benchmarks[i].name, name))
			return &c->benchmarks[i];
	return NULL;
}

int benchmark_named(struct config *c, const char *name, const char *where, const char *origin,
		    struct bench_config **out, struct err *err)
{
	struct bench_config b = { .format = FORMAT_COMMAND, .cache = true }, *list;

	*out = find(c, name);
	if (*out)
		return 0;
	if (!name_is_valid(name)) {
		err_set(err, ERR_CONFIG,
			"%s: a benchmark's name is 1 to %d bytes of printable UTF-8", where,
			NAME_BYTES);
		return err_hint(err, "for example: [benchmark \"deflate\"]");
	}
	list = realloc(c->benchmarks, (c->n_benchmarks + 1) * sizeof(*list));
	if (!list)
		return err_nomem(err);
	c->benchmarks = list;
	b.threshold = c->threshold;
	if (str_set(&b.name, name, err) || str_set(&b.where, where, err) ||
	    str_set(&b.origin, origin, err)) {
		bench_release(&b);
		return -1;
	}
	list[c->n_benchmarks] = b;
	*out = &list[c->n_benchmarks++];
	return 0;
}

/* What is better is said of a counter, and of one that is named. */
static int check_better(const struct bench_config *b, struct err *err)
{
	if (!b->better_given || (b->metric && !value_metric_is_ours(b->metric)))
		return 0;
	if (b->metric) {
		err_set(err, ERR_CONFIG, "%s: benchmark '%s': less is always better of '%s'",
			b->where, b->name, b->metric);
		return err_hint(err, "leave 'better' out: it is for counters of the program's own");
	}
	err_set(err, ERR_CONFIG, "%s: benchmark '%s' says what is better, and not of which metric",
		b->where, b->name);
	return err_hint(err, "add to [benchmark \"%s\"]: metric = COUNTER", b->name);
}

int benchmarks_check(const struct config *c, struct err *err)
{
	size_t i;

	for (i = 0; i < c->n_benchmarks; i++) {
		const struct bench_config *b = &c->benchmarks[i];

		if (b->command.n && check_better(b, err))
			return -1;
		if (b->command.n)
			continue;
		err_set(err, ERR_CONFIG, "%s: benchmark '%s' has no command", b->where, b->name);
		return err_hint(err, "add to [benchmark \"%s\"]: command = PROGRAM ARGUMENTS",
				b->name);
	}
	return 0;
}

static int use_shell(struct bench_config *b, struct err *err)
{
	struct strv words = STRV_INIT;
	struct err fault = ERR_INIT;

	if (words_split(b->shell, &words, &fault) || strv_add(&words, "-c", &fault) ||
	    strv_add(&words, b->line, &fault)) {
		strv_release(&words);
		if (fault.code == ERR_NOMEM)
			return err_nomem(err);
		return err_set(err, ERR_CONFIG, "%s: bad value '%s' for 'shell': %s", b->where,
			       b->shell, fault.text);
	}
	strv_release(&b->command);
	b->command = words;
	return 0;
}

int benchmarks_use_shells(struct config *c, struct err *err)
{
	size_t i;

	for (i = 0; i < c->n_benchmarks; i++)
		if (c->benchmarks[i].shell && use_shell(&c->benchmarks[i], err))
			return -1;
	return 0;
}

void benchmarks_settle(struct config *c)
{
	size_t i;

	for (i = 0; i < c->n_benchmarks; i++)
		if (!c->benchmarks[i].threshold_given)
			c->benchmarks[i].threshold = c->threshold;
}

const char *config_nearest(const struct config *c, const char *name)
{
	const char *best = NULL;
	size_t i, most;

	for (most = 0; most <= 2 && !best; most++)
		for (i = 0; i < c->n_benchmarks && !best; i++) {
			const char *known[] = { c->benchmarks[i].name, NULL };

			best = nearest(name, known, most);
		}
	return best;
}
