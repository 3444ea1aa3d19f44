/*
 * criterion - of Criterion.rs: estimates.json, sample.json, the messages of cargo-criterion, and
 * what `cargo bench` prints (criterion_text.h).
 *
 * The two files hold no name: it is taken from their path, target/criterion/NAME/new/sample.json.
 *
 * Source: "External Tools" and "CSV Output" of the Criterion.rs book; what the files hold, from
 * criterion 0.5.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/timeunit.h"
#include "lib/foreign/better.h"
#include "lib/foreign/criterion_text.h"
#include "lib/foreign/formats.h"

#include "lib/base/banned.h"

static bool is_estimates(const struct jtree *json)
{
	return jtree_get(jtree_get(json, "mean"), "point_estimate") &&
	       jtree_get(jtree_get(json, "median"), "point_estimate");
}

static bool is_sample(const struct jtree *json)
{
	return jtree_kind(jtree_get(json, "iters")) == JTREE_ARRAY &&
	       jtree_kind(jtree_get(json, "times")) == JTREE_ARRAY;
}

static const char *reason_of(const struct jtree *json)
{
	const char *reason = jtree_text(jtree_get(json, "reason"));

	return reason ? reason : "";
}

bool criterion_recognise(const struct foreign_doc *doc)
{
	unsigned line;
	size_t i;

	if (is_estimates(doc->json) || is_sample(doc->json) || criterion_text_is(doc))
		return true;
	for (i = 0; i < doc_n_records(doc); i++)
		if (!strcmp(reason_of(doc_record(doc, i, &line)), "benchmark-complete"))
			return true;
	return false;
}

/* ---- names ------------------------------------------------------------------------------- */

/* The folders of a path, from its end: where the part that ends at end begins. */
static size_t start_of_part(const char *path, size_t end)
{
	while (end > 0 && path[end - 1] != '/')
		end--;
	return end;
}

/*
 * Where the name begins that ends before `end`: behind the last such folders in the path, as those
 * before them are of the checkout; 0: there are none.
 */
static size_t start_behind(const char *path, const char *folders, bool whole, size_t end)
{
	size_t n = strlen(folders), at;

	for (at = end > n ? end - n : 0; at-- > 0;)
		if (!strncmp(path + at, folders, n) && (!whole || !at || path[at - 1] == '/'))
			return at + n;
	return 0;
}

/* "target/criterion/fib/20/new/sample.json" -> "fib/20"; target may have another name. */
static int name_of_path(const char *path, struct buf *out, struct err *err)
{
	size_t file = start_of_part(path, strlen(path)), run, from;

	run = file ? start_of_part(path, file - 1) : 0;
	if (!run)
		goto unknown;
	if (!strncmp(path + run, "change/", 7))
		return err_set(err, ERR_SYNTAX, "holds changes, not times: read new/ instead");
	from = start_behind(path, "target/criterion/", true, run - 1);
	if (!from)
		from = start_behind(path, "criterion/", true, run - 1);
	if (!from)
		from = start_behind(path, "criterion/", false, run - 1);
	if (!from)
		from = start_of_part(path, run - 1);
	if (from >= run - 1)
		goto unknown;
	buf_add(out, path + from, run - 1 - from);
	return buf_check(out, err);
unknown:
	err_set(err, ERR_RANGE, "holds no name, and its path does not give one");
	return err_hint(err, "name it as target/criterion/NAME/new/sample.json");
}

static struct bench *bench_of_path(const struct foreign_doc *doc, struct foreign_sink *to,
				   struct err *err)
{
	struct buf name = BUF_INIT;
	struct bench *b = NULL;

	if (!name_of_path(doc->name, &name, err))
		b = sink_new_bench(to, buf_str(&name), "its path", err);
	buf_release(&name);
	return b;
}

/* ---- values ------------------------------------------------------------------------------ */

static bool is_positive(double x)
{
	return isfinite(x) && x > 0;
}

/* Total times of so many iterations each; the sample is the time of one. */
static int read_runs(struct bench *b, const struct jtree *counts, const struct jtree *values,
		     double scale, const char *unit, const char *where, struct err *err)
{
	const struct jtree *count = jtree_first(counts), *total;
	char at[SINK_WHERE];
	size_t i = 0;

	if (jtree_count(counts) != jtree_count(values))
		return err_set(err, ERR_RANGE, "%s: %zu iteration counts and %zu values", where,
			       jtree_count(counts), jtree_count(values));
	for (total = jtree_first(values); total; total = jtree_after(values, total)) {
		double n = jtree_number(count);
		double value = jtree_number(total) / n;

		count = jtree_after(counts, count);
		snprintf(at, sizeof(at), "%.100s[%zu]", where, i++);
		if (!is_positive(n))
			return err_set(err, ERR_RANGE, "%s: not a number of iterations", at);
		if (isnan(value))
			return err_set(err, ERR_RANGE, "%s: must be a number", at);
		if (sink_track(b, "iterations", n, err) ||
		    (scale > 0 ? sink_time(b, "wall", value, scale, at, err)
			       : sink_sample(b, unit, unit, foreign_better(unit), value, at, err)))
			return -1;
	}
	return 0;
}

static int read_estimates(struct bench *b, const struct jtree *json, struct err *err)
{
	static const char *const known[] = { "mean", "median", "std_dev", NULL };
	struct metric *m = sink_metric(b, "wall", "ns", BETTER_LOWER, "mean", err);
	const struct jtree *mean = jtree_get(json, "mean");
	const struct jtree *ci = jtree_get(mean, "confidence_interval");
	double value, low, high;

	if (!m || sink_need_number(mean, "point_estimate", "mean", &value, err) ||
	    sink_figure(m, &m->mean, value, "mean.point_estimate", err) ||
	    sink_need_number(jtree_get(json, "median"), "point_estimate", "median", &value, err) ||
	    sink_figure(m, &m->median, value, "median.point_estimate", err))
		return -1;
	low = jtree_number(jtree_get(ci, "lower_bound"));
	high = jtree_number(jtree_get(ci, "upper_bound"));
	if (low <= high) {
		m->ci_low = low;
		m->ci_high = high;
	}
	value = jtree_number(jtree_get(jtree_get(json, "std_dev"), "point_estimate"));
	if (value >= 0)
		m->stddev = value;
	return sink_rest(&b->facts, json, known, err);
}

/* One "benchmark-complete" message. */
static int read_message(struct foreign_sink *to, const struct jtree *json, unsigned line,
			struct err *err)
{
	static const char *const known[] = { "reason",		"id",	"iteration_count",
					     "measured_values", "unit", NULL };
	const struct jtree *counts, *values;
	const char *id, *unit;
	char where[SINK_WHERE];
	struct bench *b;
	double scale;

	snprintf(where, sizeof(where), "line %u", line);
	id = sink_need_text(json, "id", where, err);
	unit = id ? sink_need_text(json, "unit", where, err) : NULL;
	b = unit ? sink_new_bench(to, id, where, err) : NULL;
	if (!b)
		return -1;
	scale = time_unit_ns(unit);
	if (sink_array(json, "iteration_count", where, &counts, err) ||
	    sink_array(json, "measured_values", where, &values, err))
		return -1;
	if (!jtree_count(values))
		return err_set(err, ERR_RANGE, "%s.measured_values: is missing or empty", where);
	return read_runs(b, counts, values, scale, unit, where, err) ||
			       sink_rest(&b->facts, json, known, err) ||
			       sink_gate(to, b, scale > 0 ? "wall" : unit, err)
		       ? -1
		       : 0;
}

int criterion_parse(const struct foreign_doc *doc, struct foreign_sink *to, struct err *err)
{
	struct bench *b;
	unsigned line;
	size_t i;

	if (criterion_text_is(doc))
		return criterion_text_parse(doc, to, err);
	if (doc_need_lines(doc, err))
		return -1;
	if (is_estimates(doc->json) || is_sample(doc->json)) {
		static const char *const known[] = { "iters", "times", NULL };

		b = bench_of_path(doc, to, err);
		if (!b || sink_gate(to, b, "wall", err))
			return -1;
		if (is_estimates(doc->json))
			return read_estimates(b, doc->json, err);
		return read_runs(b, jtree_get(doc->json, "iters"), jtree_get(doc->json, "times"), 1,
				 "ns", "times", err) ||
				       sink_rest(&b->facts, doc->json, known, err)
			       ? -1
			       : 0;
	}
	for (i = 0; i < doc_n_records(doc); i++) {
		const struct jtree *json = doc_record(doc, i, &line);

		if (!strcmp(reason_of(json), "benchmark-complete") &&
		    read_message(to, json, line, err))
			return -1;
	}
	return 0;
}
