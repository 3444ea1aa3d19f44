/*
 * google-benchmark's JSON: every run as a repetition, so that its compare.py can test them, which
 * wants both times.  Where only one was measured it stands for the other, and "not_measured" names
 * that one; other metrics become counters.
 */
#include <string.h>

#include "lib/base/jsonw.h"
#include "lib/base/strv.h"
#include "lib/base/when.h"
#include "reporter/export/local.h"
#include "reporter/figures/cells.h"

#include "lib/base/banned.h"

static const struct metric *time_of(const struct bench *b, const char *name)
{
	const struct metric *m = bench_find_metric(b, name);

	return m && export_has(b, m) && cell_is_duration(m) ? m : NULL;
}

/* Names that the format itself uses would be read as something else. */
static bool is_taken(const char *name)
{
	static const char *const taken[] = {
		"name",	   "run_name",	   "run_type",	   "repetitions", "repetition_index",
		"threads", "iterations",   "real_time",	   "cpu_time",	  "time_unit",
		"label",   "family_index", "not_measured",
	};

	return STR_IS_ONE_OF(name, taken);
}

/* Begins the object of a run. */
static void begin_run(const struct bench *b, size_t family, size_t n, size_t i, struct jsonw *w)
{
	jsonw_object(w);
	jsonw_kstring(w, "name", b->name);
	jsonw_kinteger(w, "family_index", (int64_t)family);
	jsonw_kinteger(w, "per_family_instance_index", 0);
	jsonw_kstring(w, "run_name", b->name);
	jsonw_kstring(w, "run_type", "iteration");
	jsonw_kinteger(w, "repetitions", (int64_t)n);
	jsonw_kinteger(w, "repetition_index", (int64_t)i);
	jsonw_kinteger(w, "threads", 1);
}

/* As google-benchmark writes one that called SkipWithError(). */
static void add_failed(const struct bench *b, size_t family, struct jsonw *w)
{
	begin_run(b, family, 1, 0, w);
	jsonw_kbool(w, "error_occurred", true);
	jsonw_kstring(w, "error_message",
		      b->detail			   ? b->detail
		      : b->status == BENCH_TIMEOUT ? "did not end in time"
						   : "failed");
	jsonw_kinteger(w, "iterations", 0);
	jsonw_kinteger(w, "real_time", 0);
	jsonw_kinteger(w, "cpu_time", 0);
	jsonw_kstring(w, "time_unit", "ns");
	jsonw_object_end(w);
}

/*
 * The key of a counter.  pawl reads one that is called as its own metrics as "counter.NAME": it
 * gets its name back, or each export and import would put another word in front.
 */
static const char *key_of(const struct bench *b, const struct metric *m, const struct metric *real,
			  const struct metric *cpu)
{
	static const char word[] = "counter.";
	static const char *const own[] = { "wall", "cpu", "peak-rss" };
	const char *rest = str_starts(m->name, word) ? m->name + sizeof(word) - 1 : NULL;
	const struct metric *same = rest ? bench_find_metric(b, rest) : NULL;

	if (!rest || (!STR_IS_ONE_OF(rest, own) && !str_starts(rest, word)))
		return m->name;
	if (!same || same == real || same == cpu || !export_has(b, same))
		return rest;
	return strcmp(key_of(b, same, real, cpu), rest) ? rest : m->name;
}

static void add_run(const struct bench *b, size_t family, const struct metric *real,
		    const struct metric *cpu, size_t i, struct jsonw *w)
{
	size_t k;

	begin_run(b, family, real->n, i, w);
	jsonw_kinteger(w, "iterations", (int64_t)(b->iterations ? b->iterations : 1));
	jsonw_knumber(w, "real_time", real->samples[i]);
	jsonw_knumber(w, "cpu_time", cpu->samples[i]);
	jsonw_kstring(w, "time_unit", "ns");
	if (real == cpu)
		jsonw_kstring(w, "not_measured",
			      strcmp(real->name, "cpu") ? "cpu_time" : "real_time");
	for (k = 0; k < b->n_metrics; k++) {
		const struct metric *m = &b->metrics[k];

		if (export_has(b, m) && m != real && m != cpu && i < m->n && !is_taken(m->name))
			jsonw_knumber(w, key_of(b, m, real, cpu), m->samples[i]);
	}
	jsonw_object_end(w);
}

static void add_context(const struct summary *s, struct jsonw *w)
{
	char when[WHEN_ISO];

	jsonw_key(w, "context");
	jsonw_object(w);
	jsonw_kstring(w, "date", when_iso(s->started_us, false, when));
	jsonw_kstring(w, "host_name", s->machine.id);
	jsonw_kstring(w, "executable", s->project);
	jsonw_kinteger(w, "num_cpus", s->machine.cores);
	jsonw_kinteger(w, "mhz_per_cpu", 0);
	jsonw_kbool(w, "cpu_scaling_enabled", false);
	jsonw_key(w, "caches");
	jsonw_array_flat(w);
	jsonw_array_end(w);
	jsonw_key(w, "load_avg");
	jsonw_array_flat(w);
	jsonw_array_end(w);
	jsonw_kstring(w, "library_build_type", "release");
	jsonw_kstring(w, "commit", s->commit.id);
	jsonw_kstring(w, "cpu", s->machine.cpu);
	jsonw_object_end(w);
}

int export_google(const struct summary *s, bool is_first, struct buf *out, struct err *err)
{
	struct jsonw w;
	size_t i, k;

	(void)is_first;
	jsonw_init(&w, out, 2);
	jsonw_object(&w);
	add_context(s, &w);
	jsonw_key(&w, "benchmarks");
	jsonw_array(&w);
	for (i = 0; i < s->n_benchmarks; i++) {
		const struct bench *b = &s->benchmarks[i];
		const struct metric *real = time_of(b, "wall"), *cpu = time_of(b, "cpu");

		if (bench_has_failed(b))
			add_failed(b, i, &w);
		real = real ? real : cpu;
		cpu = cpu ? cpu : real;
		for (k = 0; real && k < real->n && k < cpu->n; k++)
			add_run(b, i, real, cpu, k, &w);
	}
	jsonw_array_end(&w);
	jsonw_object_end(&w);
	buf_addc(out, '\n');
	return buf_check(out, err);
}
