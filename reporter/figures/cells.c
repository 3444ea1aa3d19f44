#include "reporter/figures/cells.h"

#include <math.h>
#include <string.h>

#include "reporter/figures/scale.h"
#include "reporter/text/table.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

/* A ratio as percent of change; NaN stays. */
static double percent(double ratio)
{
	return (ratio - 1) * 100;
}

static int decimals_of(double percents)
{
	double size = fabs(percents);

	return size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
}

/* A signed number that does not say "-0.00". */
static void add_signed(double value, int decimals, struct buf *out)
{
	double half = 0.5 * pow(10, -decimals);

	if (!isfinite(value))
		buf_addc(out, '?');
	else if (fabs(value) < half)
		buf_addf(out, "%.*f", decimals, 0.0);
	else
		buf_addf(out, "%+.*f", decimals, value);
}

/* A part of a difference, on its scale. */
static void add_difference(double value, const struct scale *scale, struct buf *out)
{
	double shown = value / scale->factor;

	if (!isfinite(value))
		buf_addc(out, '?');
	else
		buf_addf(out, fabs(shown) > 0 ? "%+.4g" : "%.0f", shown);
}

static void add_unit_of_difference(const struct scale *scale, struct buf *out)
{
	if (*scale->prefix || *scale->unit) {
		buf_addc(out, ' ');
		scale_unit(scale, out);
	}
}

void cell_delta(const struct delta *delta, const char *unit, struct buf *out)
{
	double change;

	if (delta && delta->by_difference) {
		struct scale scale = scale_of(unit, delta->difference);

		add_difference(delta->difference, &scale, out);
		add_unit_of_difference(&scale, out);
		return;
	}
	if (!delta || !isfinite(delta->ratio)) {
		buf_adds(out, TABLE_EMPTY);
		return;
	}
	change = percent(delta->ratio);
	add_signed(change, decimals_of(change), out);
	buf_adds(out, " %");
}

/* Enough decimals to tell the ends of the interval apart. */
static int interval_decimals(const struct delta *delta)
{
	double width = (delta->high - delta->low) * 100;

	return !isfinite(width) ? 1 : width < 2 ? 2 : width < 100 ? 1 : 0;
}

/* The scale that the larger end of a difference's interval is shown in. */
static struct scale scale_of_ends(const struct delta *delta, const char *unit)
{
	return scale_of(unit, fmax(fabs(delta->difference_low), fabs(delta->difference_high)));
}

void cell_interval(const struct delta *delta, const char *unit, struct buf *out)
{
	int decimals;

	if (delta && delta->by_difference && isfinite(delta->difference_low)) {
		struct scale scale = scale_of_ends(delta, unit);

		buf_addc(out, '[');
		add_difference(delta->difference_low, &scale, out);
		buf_adds(out, ", ");
		add_difference(delta->difference_high, &scale, out);
		buf_addc(out, ']');
		add_unit_of_difference(&scale, out);
		return;
	}
	if (!delta || (!isfinite(delta->low) && !isfinite(delta->high))) {
		buf_adds(out, TABLE_EMPTY);
		return;
	}
	decimals = interval_decimals(delta);
	buf_addc(out, '[');
	add_signed(percent(delta->low), decimals, out);
	buf_adds(out, ", ");
	add_signed(percent(delta->high), decimals, out);
	buf_adds(out, "] %");
}

void cell_floor(double floor_ratio, struct buf *out)
{
	double percents = floor_ratio * 100, step;
	int decimals;

	if (!isfinite(percents) || percents < 0) {
		buf_adds(out, TABLE_EMPTY);
		return;
	}
	decimals = percents < 0.1 ? 2 : percents < 100 ? 1 : 0;
	step = pow(10, -decimals);
	/* 0.8 is 0.80000000000000004: rounding up must not make 0.9 of it */
	buf_addf(out, "%.*f %%", decimals, (ceil(percents / step - 1e-6) + 0.0) * step);
}

bool cell_is_duration(const struct metric *metric)
{
	return metric->unit && !strcmp(metric->unit, "ns") && metric->better == BETTER_LOWER;
}

static const char *change_word(const struct metric *metric, bool is_more)
{
	if (cell_is_duration(metric))
		return is_more ? "slower" : "faster";
	return is_more ? "more" : "less";
}

/* "5 more [5, 5]", "4 KiB more [3.9, 4.1] KiB" of what has no ratio. */
static void add_change_by_difference(const struct metric *metric, struct buf *out)
{
	const struct delta *d = &metric->delta;
	struct scale scale = scale_of(metric->unit, d->difference);
	double sign = d->difference < 0 ? -1 : 1;
	double low = sign > 0 ? d->difference_low : 0 - d->difference_high; /* never -0 */
	double high = sign > 0 ? d->difference_high : 0 - d->difference_low;

	buf_addf(out, "%.4g", fabs(d->difference) / scale.factor);
	add_unit_of_difference(&scale, out);
	buf_addf(out, " %s", change_word(metric, sign > 0));
	if (!isfinite(low) || !isfinite(high))
		return;
	scale = scale_of_ends(d, metric->unit);
	buf_addf(out, " [%.4g, %.4g]", low / scale.factor, high / scale.factor);
	add_unit_of_difference(&scale, out);
}

void cell_change(const struct metric *metric, struct buf *out)
{
	const struct delta *delta = &metric->delta;
	double change = percent(delta->ratio), sign = change < 0 ? -1 : 1;
	double low = sign * percent(sign > 0 ? delta->low : delta->high);
	double high = sign * percent(sign > 0 ? delta->high : delta->low);
	int decimals = interval_decimals(delta);
	bool has_interval = isfinite(low) && isfinite(high);

	if (delta->by_difference) {
		add_change_by_difference(metric, out);
		return;
	}
	if (!isfinite(change)) {
		bool is_worse = delta->verdict == VERDICT_REGRESSED;

		buf_adds(out, change_word(metric, is_worse == (metric->better == BETTER_LOWER)));
		return;
	}
	if (!has_interval)
		decimals = decimals_of(change);
	buf_addf(out, "%.*f %% %s", decimals, fabs(change), change_word(metric, change >= 0));
	if (has_interval)
		buf_addf(out, " [%.*f, %.*f]", decimals, low, decimals, high);
}

void cell_percent(double ratio, struct buf *out)
{
	double percents = round(ratio * 1e4) / 100;

	buf_addf(out, "%.*f %%", percents == floor(percents) ? 0 : 2, percents);
}

void cell_commit(const char *id, struct buf *out)
{
	buf_add(out, id, strnlen(id, CELL_SHORT_ID));
}

void cell_head_name(const struct summary *s, bool utf8, struct buf *out)
{
	if (s->sides.head)
		text_cut(s->sides.head, CELL_SIDE, utf8, out);
	else if (s->commit.id)
		cell_commit(s->commit.id, out);
}

void cell_base_name(const struct summary *s, const struct bench *b, bool utf8, struct buf *out)
{
	const char *commit = b && b->baseline_commit ? b->baseline_commit : s->baseline.commit;

	if (s->sides.base)
		text_cut(s->sides.base, CELL_SIDE, utf8, out);
	else if (commit)
		cell_commit(commit, out);
}

const char *cell_how(const char *how)
{
	static const char *const words[][2] = {
		{ "rerun", "rerun side by side" },
		{ "rebuilt", "both built and run side by side" },
		{ "stored", "stored samples" },
		{ "identical", "the same code, not run" },
		{ "given", "run side by side" },
		{ "unlike", "run side by side, not as fresh checkouts build them" },
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(how, words[i][0]))
			return words[i][1];
	return how;
}

void cell_verdict(const struct row *row, struct buf *out)
{
	if (row->kind == ROW_ACCEPTED)
		buf_adds(out, "regressed, ");
	buf_adds(out, row_word(row->kind));
	if (row->bench->output == OUTPUT_DIFFERS)
		buf_adds(out, ", output differs");
}

void cell_title(enum cell cell, struct buf *out)
{
	static const char *const titles[CELL_N] = {
		[CELL_MARK] = "",	    [CELL_NAME] = "benchmark",
		[CELL_BASE] = "base",	    [CELL_HEAD] = "head",
		[CELL_DELTA] = "delta",	    [CELL_INTERVAL] = "interval",
		[CELL_VERDICT] = "verdict", [CELL_FLOOR] = "detectable",
	};

	buf_adds(out, titles[cell]);
}

static int add_median(const struct metric *m, bool is_base, struct buf *out, struct err *err)
{
	double base, head;

	if (row_sides(m, &base, &head, err))
		return -1;
	scale_value(is_base ? base : head, m ? m->unit : "", out);
	return 0;
}

static const char *unit_of(const struct row *row)
{
	return row->gate ? row->gate->unit : NULL;
}

int cell_add(enum cell cell, const struct row *row, bool utf8, struct buf *out, struct err *err)
{
	switch (cell) {
	case CELL_MARK:
		buf_adds(out, row_mark(row->kind, utf8));
		return 0;
	case CELL_NAME:
		buf_adds(out, row->bench->name);
		return 0;
	case CELL_BASE:
	case CELL_HEAD:
		return add_median(row->gate, cell == CELL_BASE, out, err);
	case CELL_DELTA:
		cell_delta(row->delta, unit_of(row), out);
		return 0;
	case CELL_INTERVAL:
		cell_interval(row->delta, unit_of(row), out);
		return 0;
	case CELL_VERDICT:
		cell_verdict(row, out);
		return 0;
	case CELL_FLOOR:
		cell_floor(row->delta ? row->delta->noise_floor : (double)NAN, out);
		return 0;
	case CELL_N:
		break;
	}
	return 0;
}
