/*
 * hyperfine - the JSON of hyperfine --export-json: times, exit codes, parameters.
 *
 * Source: README.md and src/benchmark/benchmark_result.rs of sharkdp/hyperfine.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/foreign/formats.h"

#include "lib/base/banned.h"

#define S_NS 1e9

static const char *const known[] = { "command", "mean",	      "stddev",	    "median",
				     "user",	"system",     "min",	    "max",
				     "times",	"exit_codes", "parameters", "memory_usage_byte",
				     NULL };

bool hyperfine_recognise(const struct foreign_doc *doc)
{
	const struct jtree *results = jtree_get(doc->json, "results");

	return jtree_text(jtree_get(jtree_item(results, 0), "command")) != NULL;
}

/* The figures where there are no single times, in seconds. */
static int read_figures(struct bench *b, const struct jtree *entry, const char *where,
			struct err *err)
{
	static const char *const keys[] = { "mean", "stddev", "median", "min", "max" };
	struct metric *m = sink_metric(b, "wall", "ns", BETTER_LOWER, where, err);
	size_t i;

	if (!m)
		return -1;
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		double *const to[] = { &m->mean, &m->stddev, &m->median, &m->min, &m->max };
		double value = jtree_number(jtree_get(entry, keys[i]));
		char at[SINK_WHERE];

		snprintf(at, sizeof(at), "%.100s.%s", where, keys[i]);
		if (!i && isnan(value))
			return err_set(err, ERR_RANGE, "%s: neither times nor a mean", where);
		if (!isnan(value) && sink_figure(m, to[i], value * S_NS, at, err))
			return -1;
	}
	return 0;
}

/* The processor time is told as a mean alone. */
static int read_cpu(struct bench *b, const struct jtree *entry, const char *where, struct err *err)
{
	double user = jtree_number(jtree_get(entry, "user"));
	double kernel = jtree_number(jtree_get(entry, "system"));
	struct metric *m;

	if (isnan(user) || isnan(kernel))
		return 0;
	m = sink_metric(b, "cpu", "ns", BETTER_LOWER, where, err);
	return m ? sink_figure(m, &m->mean, (user + kernel) * S_NS, where, err) : -1;
}

/* One number a run to a metric (scale > 0) or a track. */
static int read_array(struct bench *b, const struct jtree *entry, const char *key,
		      int (*add)(struct bench *b, double value, const char *where, struct err *err),
		      const char *where, struct err *err)
{
	const struct jtree *array, *item;
	char at[SINK_WHERE];
	size_t i = 0;

	if (sink_array(entry, key, where, &array, err))
		return -1;
	for (item = jtree_first(array); item; item = jtree_after(array, item)) {
		snprintf(at, sizeof(at), "%.100s.%s[%zu]", where, key, i++);
		if (jtree_kind(item) == JTREE_NULL && strcmp(key, "times") != 0)
			continue;
		if (jtree_kind(item) != JTREE_NUMBER)
			return err_set(err, ERR_RANGE, "%s: must be a number", at);
		if (add(b, jtree_number(item), at, err))
			return -1;
	}
	return 0;
}

static int add_time(struct bench *b, double value, const char *where, struct err *err)
{
	return sink_time(b, "wall", value, S_NS, where, err);
}

static int add_memory(struct bench *b, double value, const char *where, struct err *err)
{
	return sink_sample(b, "peak-rss", "bytes", BETTER_LOWER, value, where, err);
}

static int add_exit_code(struct bench *b, double value, const char *where, struct err *err)
{
	(void)where;
	return sink_track(b, "exit_code", value, err);
}

/* hyperfine -i goes on after a command that failed; pawl does not call that a time. */
static int judge_exit_codes(struct bench *b, const struct jtree *entry, struct err *err)
{
	const struct jtree *codes = jtree_get(entry, "exit_codes"), *code;
	size_t n_bad = 0;
	char text[96];

	for (code = jtree_first(codes); code; code = jtree_after(codes, code))
		n_bad += !(jtree_number(code) == 0);
	if (!n_bad)
		return 0;
	snprintf(text, sizeof(text), "%zu of %zu runs ended with an exit code other than 0", n_bad,
		 jtree_count(codes));
	b->status = BENCH_FAILED;
	return str_set(&b->detail, text, err);
}

static int read_entry(struct foreign_sink *to, const struct jtree *entry, const char *where,
		      struct err *err)
{
	const char *command = sink_need_text(entry, "command", where, err);
	struct bench *b = command ? sink_new_bench(to, command, where, err) : NULL;

	if (!b || str_set(&b->command, command, err))
		return -1;
	if (read_array(b, entry, "times", add_time, where, err) ||
	    (!jtree_count(jtree_get(entry, "times")) && read_figures(b, entry, where, err)))
		return -1;
	return read_cpu(b, entry, where, err) ||
			       read_array(b, entry, "memory_usage_byte", add_memory, where, err) ||
			       read_array(b, entry, "exit_codes", add_exit_code, where, err) ||
			       sink_rest(&b->facts, jtree_get(entry, "parameters"), NULL, err) ||
			       sink_rest(&b->facts, entry, known, err) ||
			       judge_exit_codes(b, entry, err) || sink_gate(to, b, "wall", err)
		       ? -1
		       : 0;
}

int hyperfine_parse(const struct foreign_doc *doc, struct foreign_sink *to, struct err *err)
{
	static const char *const top[] = { "results", NULL };

	return doc_need_json(doc, err) || sink_rest(to->file, doc->json, top, err) ||
			       sink_each(to, doc->json, "results", read_entry, err)
		       ? -1
		       : 0;
}
