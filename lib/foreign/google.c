/*
 * google - google-benchmark's --benchmark_format=json, of all versions that write run_type or not.
 *
 * Source: docs/user_guide.md and src/json_reporter.cc of google/benchmark; read 1.7.1's output.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/base/timeunit.h"
#include "lib/base/when.h"
#include "lib/foreign/better.h"
#include "lib/foreign/formats.h"
#include "lib/foreign/google_places.h"

#include "lib/base/banned.h"

#define FILE_FACTS (SUMMARY_MAX_FACTS / 2) /* so many with the complexity of families */

bool google_recognise(const struct foreign_doc *doc)
{
	return jtree_kind(jtree_get(doc->json, "context")) == JTREE_OBJECT &&
	       jtree_kind(jtree_get(doc->json, "benchmarks")) == JTREE_ARRAY;
}

/* Fields that are read, or that only number the entries. */
static const char *const known[] = { "name",	       "run_name",
				     "run_type",       "real_time",
				     "cpu_time",       "time_unit",
				     "iterations",     "repetition_index",
				     "family_index",   "per_family_instance_index",
				     "error_occurred", "error_message",
				     "skipped",	       "skip_message",
				     "aggregate_name", "aggregate_unit",
				     "not_measured",   NULL };

/* The fields that are times, each with its metric; in ns, less is better. */
static const char *const times[][2] = { { "cpu_time", "cpu" }, { "real_time", "wall" } };

/* Numbers that tell about the run and are no counters. */
static const char *const about[] = { "repetitions", "threads", NULL };

static bool is_in(const char *const *list, const char *word)
{
	for (; *list; list++)
		if (!strcmp(*list, word))
			return true;
	return false;
}

/* That time stands for the other, as pawl's own export says. */
static bool is_measured(const struct jtree *entry, const char *time)
{
	const char *not_measured = jtree_text(jtree_get(entry, "not_measured"));

	return !not_measured || strcmp(not_measured, time) != 0;
}

/* Where it was asked to be judged by wall time, its name says so. */
static const char *gate_of(const struct jtree *entry, const char *name)
{
	if (!is_measured(entry, "cpu_time"))
		return "wall";
	return strstr(name, "/real_time") || strstr(name, "/manual_time") ? "wall" : "cpu";
}

static int place(char *out, const char *where, const char *key)
{
	return snprintf(out, SINK_WHERE, "%.100s.%.50s", where, key);
}

/* ns of the entry's unit; 0 with the fault. */
static double scale_of(const struct jtree *entry, const char *where, struct err *err)
{
	const struct jtree *unit = jtree_get(entry, "time_unit");
	double scale = unit ? time_unit_ns(jtree_text(unit) ? jtree_text(unit) : "") : 1;

	if (!(scale > 0))
		err_set(err, ERR_RANGE, "%s.time_unit: must be ns, us, ms or s", where);
	return scale;
}

/* What a user's own counter counts is not known, though more of it may be better. */
static const char *unit_of_counter(const char *key)
{
	static const char rate[] = "_per_second";
	size_t n = strlen(key);

	if (!strcmp(key, "bytes_per_second"))
		return "bytes/s";
	return n >= sizeof(rate) && !strcmp(key + n + 1 - sizeof(rate), rate) ? "1/s" : "1";
}

/* The figure that an aggregate is; NULL: none of ours. */
static double *figure_of(struct metric *m, const char *aggregate)
{
	if (!strcmp(aggregate, "mean"))
		return &m->mean;
	if (!strcmp(aggregate, "median"))
		return &m->median;
	if (!strcmp(aggregate, "stddev"))
		return &m->stddev;
	if (!strcmp(aggregate, "min"))
		return &m->min;
	if (!strcmp(aggregate, "max"))
		return &m->max;
	return NULL;
}

/* A sample, or that figure of all of them. */
static int add_value(struct bench *b, const char *name, double value, const char *aggregate,
		     const char *where, struct err *err)
{
	const char *unit = unit_of_counter(name);
	struct metric *m;

	if (!aggregate)
		return sink_sample(b, name, unit, foreign_better(name), value, where, err);
	m = sink_metric(b, name, unit, foreign_better(name), where, err);
	return m ? sink_figure(m, figure_of(m, aggregate), value, where, err) : -1;
}

/* A user may call a counter as pawl calls what it measures itself: that is another thing. */
static int read_counter(struct bench *b, const struct jtree_field *field, const char *aggregate,
			const char *where, struct err *err)
{
	static const char *const ours[] = { "wall", "cpu", "peak-rss", NULL };
	bool is_taken = is_in(ours, field->key) || str_starts(field->key, "counter.");
	struct buf name = BUF_INIT;
	int result = -1;

	buf_addf(&name, "%s%s", is_taken ? "counter." : "", field->key);
	if (!buf_check(&name, err))
		result = add_value(b, buf_str(&name), jtree_number(field->value), aggregate, where,
				   err);
	buf_release(&name);
	return result;
}

/* All other numbers are counters of the user; texts are facts.  aggregate NULL: of one run. */
static int read_counters(struct bench *b, const struct jtree *entry, const char *aggregate,
			 const char *where, struct err *err)
{
	struct jtree_field field = { NULL, NULL, NULL };
	char at[SINK_WHERE];

	while (jtree_next(entry, &field)) {
		int result;

		if (is_in(known, field.key))
			continue;
		place(at, where, field.key);
		if (jtree_kind(field.value) == JTREE_NUMBER && !is_in(about, field.key))
			result = read_counter(b, &field, aggregate, at, err);
		else
			result = sink_fact_json(&b->facts, field.key, field.value, err);
		if (result)
			return -1;
	}
	return 0;
}

static int read_times(struct bench *b, const struct jtree *entry, const char *where,
		      struct err *err)
{
	double scale = scale_of(entry, where, err), value;
	char at[SINK_WHERE];
	size_t i;

	if (!(scale > 0))
		return -1;
	for (i = 0; i < 2; i++) {
		if (!is_measured(entry, times[i][0]))
			continue;
		place(at, where, times[i][0]);
		if (sink_need_number(entry, times[i][0], where, &value, err) ||
		    sink_time(b, times[i][1], value, scale, at, err))
			return -1;
	}
	return 0;
}

static int fail_bench(struct bench *b, enum bench_status status, const struct jtree *message,
		      struct err *err)
{
	const char *text = jtree_text(message);

	b->status = status;
	return str_set(&b->detail, text ? text : "the program gave no reason", err);
}

static int read_run(struct foreign_sink *to, const struct jtree *entry, const char *name,
		    const char *where, struct err *err)
{
	struct bench *b = sink_bench(to, name, where, err);
	double iterations = jtree_number(jtree_get(entry, "iterations"));

	if (!b)
		return -1;
	if (jtree_is_true(jtree_get(entry, "error_occurred")))
		return fail_bench(b, BENCH_FAILED, jtree_get(entry, "error_message"), err);
	if (jtree_is_true(jtree_get(entry, "skipped")))
		return fail_bench(b, BENCH_SKIPPED, jtree_get(entry, "skip_message"), err);
	if (iterations >= 1 && iterations < 9e18 && !b->iterations)
		b->iterations = (uint64_t)iterations;
	return read_times(b, entry, where, err) || read_counters(b, entry, NULL, where, err) ||
			       sink_gate(to, b, gate_of(entry, name), err)
		       ? -1
		       : 0;
}

/* ---- aggregates -------------------------------------------------------------------------- */

static int read_figures(struct bench *b, const struct jtree *entry, const char *aggregate,
			const char *where, struct err *err)
{
	double scale = scale_of(entry, where, err), value;
	char at[SINK_WHERE];
	size_t i;

	if (!(scale > 0))
		return -1;
	for (i = 0; i < 2; i++) {
		struct metric *m = sink_metric(b, times[i][1], "ns", BETTER_LOWER, where, err);

		place(at, where, times[i][0]);
		if (!m || sink_need_number(entry, times[i][0], where, &value, err) ||
		    sink_figure(m, figure_of(m, aggregate), value * scale, at, err))
			return -1;
	}
	return 0;
}

/* Of what the file alone has room for, the rest is left out. */
static int add_to_file(struct foreign_sink *to, const struct jtree *entry, const char *key,
		       struct err *err)
{
	if (to->file->n < FILE_FACTS)
		return sink_fact_json(to->file, key, entry, err);
	return sink_fact(to->file, "further aggregates", "left out", err);
}

/*
 * An aggregate that is no figure is a fact.  BigO and RMS are of a family of benchmarks, which is
 * no benchmark itself: they belong to the file.
 */
static int read_other(struct foreign_sink *to, const struct jtree *entry, const char *name,
		      const char *aggregate, struct err *err)
{
	struct buf key = BUF_INIT;
	struct bench *b;
	int result = -1;

	if (sink_find(to, name, &b, err))
		return -1;
	buf_addf(&key, "aggregate %.60s", aggregate);
	if (!b)
		buf_addf(&key, " of %.200s", name);
	if (!buf_check(&key, err))
		result = b ? sink_fact_json(&b->facts, buf_str(&key), entry, err)
			   : add_to_file(to, entry, buf_str(&key), err);
	buf_release(&key);
	return result;
}

/* Samples say it better; without them the figures are all there is. */
static int read_aggregate(struct foreign_sink *to, const struct jtree *entry, const char *name,
			  const char *aggregate, const char *where, struct err *err)
{
	struct metric none = { 0 };
	struct bench *b;

	if (!figure_of(&none, aggregate))
		return read_other(to, entry, name, aggregate, err);
	b = sink_bench(to, name, where, err);
	if (!b)
		return -1;
	if (b->n_metrics && b->metrics[0].n)
		return 0;
	return read_figures(b, entry, aggregate, where, err) ||
			       read_counters(b, entry, aggregate, where, err) ||
			       sink_gate(to, b, gate_of(entry, name), err)
		       ? -1
		       : 0;
}

/* Before 1.5 an aggregate was told by the end of its name alone. */
static const char *aggregate_of(const struct jtree *entry, const char *name)
{
	static const char *const ends[] = { "mean", "median", "stddev", "cv", "BigO", "RMS" };
	const char *end = strrchr(name, '_');
	const char *type = jtree_text(jtree_get(entry, "run_type"));
	size_t i;

	if (type)
		return strcmp(type, "aggregate") ? NULL
						 : jtree_text(jtree_get(entry, "aggregate_name"));
	for (i = 0; end && i < sizeof(ends) / sizeof(ends[0]); i++)
		if (!strcmp(end + 1, ends[i]))
			return end + 1;
	return NULL;
}

static int read_entry(struct foreign_sink *to, const struct jtree *entry, const char *where,
		      struct err *err)
{
	const char *name = sink_need_text(entry, "name", where, err);
	const char *run_name = jtree_text(jtree_get(entry, "run_name"));
	const char *aggregate;
	struct buf shorter = BUF_INIT;
	int result;

	if (!name)
		return -1;
	aggregate = aggregate_of(entry, name);
	if (!aggregate)
		return read_run(to, entry, run_name ? run_name : name, where, err);
	buf_add(&shorter, name,
		run_name || strlen(name) <= strlen(aggregate)
			? strlen(name)
			: strlen(name) - strlen(aggregate) - 1);
	result = buf_check(&shorter, err) ||
				 read_aggregate(to, entry, run_name ? run_name : buf_str(&shorter),
						aggregate, where, err)
			 ? -1
			 : 0;
	buf_release(&shorter);
	return result;
}

/* Figures without a mean stay only where another one can stand for it. */
static void settle(struct foreign_sink *to)
{
	size_t i, k;

	for (i = to->first; i < to->out->n_benchmarks; i++)
		for (k = 0; k < to->out->benchmarks[i].n_metrics; k++)
			sink_described(&to->out->benchmarks[i].metrics[k]);
}

int google_parse(const struct foreign_doc *doc, struct foreign_sink *to, struct err *err)
{
	static const char *const top[] = { "context", "benchmarks", NULL };
	const char *date;
	int64_t us;

	if (doc_need_json(doc, err))
		return -1;
	date = jtree_text(jtree_get(jtree_get(doc->json, "context"), "date"));
	if (date && when_parse(date, &us))
		sink_when(to, us);
	if (google_places_check(jtree_get(doc->json, "benchmarks"), err) ||
	    sink_rest(to->file, jtree_get(doc->json, "context"), NULL, err) ||
	    sink_rest(to->file, doc->json, top, err) ||
	    sink_each(to, doc->json, "benchmarks", read_entry, err))
		return -1;
	settle(to);
	return 0;
}
