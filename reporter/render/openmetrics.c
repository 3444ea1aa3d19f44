#include "reporter/render/openmetrics.h"

#include <math.h>
#include <string.h>

#include "lib/base/number.h"
#include "reporter/figures/rows.h"
#include "reporter/render/render.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

/* NAME="VALUE" with what leads it in. */
static void add_label(const char *lead, const char *name, const char *value, struct buf *out)
{
	struct buf visible = BUF_INIT;
	const char *p;

	text_visible(value, true, &visible);
	buf_addf(out, "%s%s=\"", lead, name);
	for (p = buf_str(&visible); *p; p++) {
		if (*p == '\\' || *p == '"')
			buf_addc(out, '\\');
		buf_addc(out, *p);
	}
	buf_addc(out, '"');
	out->failed |= visible.failed;
	buf_release(&visible);
}

static void add_value(double value, struct buf *out)
{
	char text[NUMBER_TEXT];

	buf_addf(out, "} %s\n", number_print(value, text));
}

static void add_family(const char *name, const char *help, struct buf *out)
{
	buf_addf(out, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

static void add_info(const struct summary *s, struct buf *out)
{
	char text[NUMBER_TEXT];

	add_family("pawl_result_info", "What was measured; the value is 1.", out);
	add_label("pawl_result_info{", "project", s->project, out);
	add_label(",", "commit", s->commit.id, out);
	add_label(",", "branch", s->commit.branch, out);
	add_label(",", "base", s->baseline.commit, out);
	add_label(",", "machine", s->machine.id, out);
	add_label(",", "cpu", s->machine.cpu, out);
	add_label(",", "pawl", s->pawl, out);
	add_value(1, out);
	add_family("pawl_result_timestamp_seconds", "When measuring ended.", out);
	buf_addf(out, "pawl_result_timestamp_seconds %s\n",
		 number_print((double)s->finished_us / 1e6, text));
}

/* Which family the values of a metric belong to, and what they are multiplied with. */
static const struct unit {
	const char *unit, *family, *help;
	double factor;
} units[] = {
	{ "ns", "pawl_time_seconds", "Median time of one iteration, or of one run.", 1e-9 },
	{ "bytes", "pawl_size_bytes", "Median of a size.", 1 },
	{ NULL, "pawl_value", "Median of any other metric, in its own unit.", 1 },
};

static const struct unit *unit_of(const struct metric *m)
{
	const struct unit *u = units;

	while (u->unit && (!m->unit || strcmp(u->unit, m->unit) != 0))
		u++;
	return u;
}

static void add_side(const struct unit *u, const struct bench *b, const struct metric *m,
		     const char *side, double value, struct buf *out)
{
	if (!isfinite(value * u->factor))
		return;
	buf_adds(out, u->family);
	add_label("{", "benchmark", b->name, out);
	add_label(",", "metric", m->name, out);
	if (!u->unit)
		add_label(",", "unit", m->unit, out);
	add_label(",", "side", side, out);
	add_value(value * u->factor, out);
}

static int add_level(const struct unit *u, const struct bench *b, const struct metric *m,
		     struct buf *out, struct err *err)
{
	double base, head;

	if (row_sides(m, &base, &head, err))
		return -1;
	add_side(u, b, m, "head", head, out);
	add_side(u, b, m, "base", base, out);
	return 0;
}

static int add_levels(const struct summary *s, const struct unit *u, struct buf *out,
		      struct err *err)
{
	size_t before = out->len, head, i, k;

	add_family(u->family, u->help, out);
	head = out->len;
	for (i = 0; i < s->n_benchmarks; i++) {
		const struct bench *b = &s->benchmarks[i];

		if (bench_has_failed(b))
			continue;
		for (k = 0; k < b->n_metrics; k++)
			if (unit_of(&b->metrics[k]) == u &&
			    add_level(u, b, &b->metrics[k], out, err))
				return -1;
	}
	if (out->len == head)
		buf_truncate(out, before);
	return 0;
}

static double ratio_of(const struct delta *d)
{
	return d->ratio;
}

static double low_of(const struct delta *d)
{
	return d->low;
}

static double high_of(const struct delta *d)
{
	return d->high;
}

static double floor_of(const struct delta *d)
{
	return d->noise_floor;
}

static double difference_of(const struct delta *d)
{
	return d->by_difference ? d->difference : (double)NAN;
}

static double difference_low_of(const struct delta *d)
{
	return d->by_difference ? d->difference_low : (double)NAN;
}

static double difference_high_of(const struct delta *d)
{
	return d->by_difference ? d->difference_high : (double)NAN;
}

/* A difference has a unit, a ratio none. */
static void add_deltas(const struct summary *s, const char *family, const char *help,
		       double (*value_of)(const struct delta *d), struct buf *out)
{
	size_t before = out->len, head, i, k;

	add_family(family, help, out);
	head = out->len;
	for (i = 0; i < s->n_benchmarks; i++) {
		const struct bench *b = &s->benchmarks[i];

		for (k = 0; k < b->n_metrics && !bench_has_failed(b); k++) {
			const struct metric *m = &b->metrics[k];

			if (!m->has_delta || !isfinite(value_of(&m->delta)))
				continue;
			buf_adds(out, family);
			add_label("{", "benchmark", b->name, out);
			add_label(",", "metric", m->name, out);
			if (m->delta.by_difference)
				add_label(",", "unit", m->unit, out);
			add_value(value_of(&m->delta), out);
		}
	}
	if (out->len == head)
		buf_truncate(out, before);
}

static void add_counts(const struct rows *rows, struct buf *out)
{
	int kind;

	add_family("pawl_benchmarks", "How many benchmarks got each verdict.", out);
	for (kind = 0; kind < ROW_KIND_N; kind++) {
		add_label("pawl_benchmarks{", "verdict", row_word((enum row_kind)kind), out);
		add_value((double)rows->count[kind], out);
	}
}

static void add_verdicts(const struct rows *rows, struct buf *out)
{
	size_t i;

	if (!rows->n)
		return;
	add_family("pawl_verdict", "The verdict about a benchmark; the value is 1.", out);
	for (i = 0; i < rows->n; i++) {
		add_label("pawl_verdict{", "benchmark", rows->v[i].bench->name, out);
		add_label(",", "verdict", row_word(rows->v[i].kind), out);
		add_value(1, out);
	}
}

int openmetrics_all(const struct summary *s, struct buf *out, struct err *err)
{
	struct rows rows = { 0 };
	size_t i;
	int rc = 0;

	if (rows_of(s, &rows, err))
		return -1;
	add_info(s, out);
	for (i = 0; i < sizeof(units) / sizeof(units[0]) && !rc; i++)
		rc = add_levels(s, &units[i], out, err);
	add_deltas(s, "pawl_change_ratio", "Head divided by base.", ratio_of, out);
	add_deltas(s, "pawl_change_low_ratio", "Lower end of its interval.", low_of, out);
	add_deltas(s, "pawl_change_high_ratio", "Upper end of its interval.", high_of, out);
	add_deltas(s, "pawl_change_difference", "Head less base, where there is no ratio.",
		   difference_of, out);
	add_deltas(s, "pawl_change_low_difference", "Lower end of its interval.", difference_low_of,
		   out);
	add_deltas(s, "pawl_change_high_difference", "Upper end of its interval.",
		   difference_high_of, out);
	add_deltas(s, "pawl_noise_floor_ratio", "Smallest effect that would have been found.",
		   floor_of, out);
	add_verdicts(&rows, out);
	add_counts(&rows, out);
	buf_adds(out, "# EOF\n");
	rows_release(&rows);
	return rc ? -1 : buf_check(out, err);
}

/* The families of add_moved(): a row is in one of them. */
static void add_moved_family(const struct rows *rows, bool by_difference, struct buf *out)
{
	const char *name = by_difference ? "pawl_change_difference" : "pawl_change_ratio";
	bool is_open = false;
	size_t i;

	for (i = 0; i < rows->n; i++) {
		const struct row *row = &rows->v[i];
		const struct delta *d = row->delta;
		bool moved = row->kind == ROW_REGRESSED || row->kind == ROW_ACCEPTED ||
			     row->kind == ROW_IMPROVED;

		if ((d && d->by_difference) != by_difference)
			continue;
		if (!is_open)
			add_family(name,
				   by_difference
					   ? "Head less base, without a ratio; 0 unless it moved."
					   : "Head divided by base; 1 unless it moved.",
				   out);
		is_open = true;
		buf_adds(out, name);
		add_label("{", "benchmark", row->bench->name, out);
		if (by_difference) {
			add_label(",", "unit", row->gate->unit, out);
			buf_addf(out, "} %.3g\n", moved ? d->difference : 0.0);
		} else {
			buf_addf(out, "} %.3g\n",
				 moved && d && isfinite(d->ratio) ? d->ratio : 1.0);
		}
	}
}

/*
 * Only what is worth a word in a merge request, where every other byte of a value is shown as a
 * change: 1 for all that did not move, else the ratio with three digits; where there is none, 0 or
 * the difference.
 */
static int add_moved(const struct summary *s, struct buf *out, struct err *err)
{
	struct rows rows = { 0 };

	if (rows_of(s, &rows, err))
		return -1;
	add_moved_family(&rows, false, out);
	add_moved_family(&rows, true, out);
	add_counts(&rows, out);
	buf_adds(out, "# EOF\n");
	rows_release(&rows);
	return buf_check(out, err);
}

int render_openmetrics(const struct summary *s, const struct render_options *opt, struct buf *out,
		       struct err *err)
{
	(void)opt;
	return openmetrics_all(s, out, err);
}

int render_metrics(const struct summary *s, const struct render_options *opt, struct buf *out,
		   struct err *err)
{
	(void)opt;
	return add_moved(s, out, err);
}
