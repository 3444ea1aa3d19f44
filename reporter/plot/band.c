#include "reporter/plot/band.h"

#include <math.h>
#include <stdbool.h>

#include "reporter/figures/cells.h"
#include "reporter/plot/scene.h"
#include "reporter/text/svg.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

#define WIDTH 960
#define HEIGHT 372
#define LEFT ((double)BAND_LEFT)
#define RIGHT ((double)BAND_RIGHT)
#define TOP ((double)BAND_TOP) /* above it are the marks */
#define BOTTOM ((double)BAND_BOTTOM)
#define INSET ((double)BAND_INSET)
#define MOST_TICKS 6
#define MOST_IDS 7	/* commits named below the axis */
#define ID_ROOM 100.0	/* that a name takes there */
#define MOST_PLACES 600 /* that many more would be drawn on top of each other */
#define MOST_DOTS 150	/* points that are drawn one by one */
#define MOST_INTERVAL \
	1. /* intervals may make the axis so much longer, as a share of the medians' */

struct picture {
	const struct band *band;
	struct plot_scene axis;
	size_t each; /* points that share a place */
};

static double x_of(const struct picture *p, size_t i)
{
	double share = p->band->n > 1 ? (double)i / (double)(p->band->n - 1) : 0.5;

	return LEFT + INSET + share * (RIGHT - LEFT - 2 * INSET);
}

static double y_of(const struct picture *p, double value)
{
	double place = plot_scene_place(&p->axis, value);

	return BOTTOM - fmin(fmax(place, 0), 1) * (BOTTOM - TOP);
}

/* False: there is no value. */
static bool range_of(const struct band *band, double ends[2])
{
	double low = HUGE_VAL, high = -HUGE_VAL, more;
	size_t i;

	for (i = 0; i < band->n; i++)
		if (isfinite(band->points[i].value)) {
			low = fmin(low, band->points[i].value);
			high = fmax(high, band->points[i].value);
		}
	if (!(low <= high))
		return false;
	more = high > low ? MOST_INTERVAL * (high - low) : HUGE_VAL;
	ends[0] = low;
	ends[1] = high;
	for (i = 0; i < band->n; i++) {
		const struct band_point *p = &band->points[i];

		if (isfinite(p->low))
			ends[0] = fmin(ends[0], fmax(p->low, low - more));
		if (isfinite(p->high))
			ends[1] = fmax(ends[1], fmin(p->high, high + more));
	}
	return true;
}

static double low_of(const struct band_point *p)
{
	return isfinite(p->low) ? p->low : p->value;
}

static double high_of(const struct band_point *p)
{
	return isfinite(p->high) ? p->high : p->value;
}

/* The least of the points that share the place of i, or with high the greatest; NaN: none. */
static double edge(const struct picture *p, size_t i, bool high)
{
	double found = (double)NAN;
	size_t k;

	for (k = i; k < i + p->each && k < p->band->n; k++) {
		const struct band_point *at = &p->band->points[k];

		if (isfinite(at->value))
			found = high ? fmax(found, high_of(at)) : fmin(found, low_of(at));
	}
	return found;
}

/* There along the upper ends, and back along the lower ones. */
static void add_band(const struct picture *p, struct buf *out)
{
	size_t n = (p->band->n + p->each - 1) / p->each, i;
	const char *pen = "M";

	buf_adds(out, "<path class=\"pawl-band\" d=\"");
	for (i = 0; i < 2 * n; i++) {
		bool back = i >= n;
		size_t at = (back ? 2 * n - 1 - i : i) * p->each;
		double value = edge(p, at, !back);

		if (!isfinite(value))
			continue;
		buf_addf(out, "%s%.1f %.1f", pen, x_of(p, at), y_of(p, value));
		pen = "L";
	}
	buf_adds(out, "z\"/>\n");
}

/* Of the points that share a place the least and the greatest, in their order. */
static void add_medians(const struct picture *p, struct buf *out)
{
	const struct band_point *points = p->band->points;
	const char *pen = "M";
	size_t i, k;

	buf_adds(out, "<path class=\"pawl-median\" d=\"");
	for (i = 0; i < p->band->n; i += p->each) {
		size_t least = i, most = i;

		for (k = i; k < i + p->each && k < p->band->n; k++) {
			if (points[k].value < points[least].value || !isfinite(points[least].value))
				least = k;
			if (points[k].value > points[most].value || !isfinite(points[most].value))
				most = k;
		}
		for (k = least < most ? least : most;; k = least + most - k) {
			if (isfinite(points[k].value)) {
				buf_addf(out, "%s%.1f %.1f", pen, x_of(p, i),
					 y_of(p, points[k].value));
				pen = "L";
			}
			if (k == (least < most ? most : least))
				break;
		}
	}
	buf_adds(out, "\"/>\n");
}

static void add_tip(const struct band_point *at, struct buf *out)
{
	buf_adds(out, "<title>");
	text_xml(at->words, out);
	buf_adds(out, "</title>");
}

static void add_dots(const struct picture *p, struct buf *out)
{
	size_t i;

	buf_adds(out, "<g class=\"pawl-dots\">\n");
	for (i = 0; p->band->n <= MOST_DOTS && i < p->band->n; i++) {
		const struct band_point *at = &p->band->points[i];

		if (!isfinite(at->value))
			continue;
		buf_addf(out, "<circle class=\"pawl-level\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\">",
			 x_of(p, i), y_of(p, at->value), p->band->n > 60 ? "2" : "3");
		add_tip(at, out);
		buf_adds(out, "</circle>\n");
	}
	buf_adds(out, "</g>\n");
}

/* Shapes differ as colours do. */
static void add_marks(const struct picture *p, struct buf *out)
{
	size_t i;

	buf_adds(out, "<g class=\"pawl-marks\">\n");
	for (i = 0; i < p->band->n; i++) {
		const struct band_point *at = &p->band->points[i];
		double x = x_of(p, i);

		if (!at->moved)
			continue;
		buf_addf(out, "<g class=\"pawl-%s\">", at->moved > 0 ? "regressed" : "improved");
		add_tip(at, out);
		svg_line("pawl-rule", x, TOP - 10, x, BOTTOM, " stroke-dasharray=\"2 4\"", out);
		buf_addf(out, "<path d=\"M%.1f %.1f%s\"/></g>\n", x, TOP - 12,
			 at->moved > 0 ? "m0 -7l7 12h-14z" : "m0 5l7 -12h-14z");
	}
	buf_adds(out, "</g>\n");
}

static void add_levels_axis(const struct picture *p, struct buf *out)
{
	struct buf raw = BUF_INIT;
	int i;

	buf_adds(out, "<g class=\"pawl-y\">\n");
	for (i = 0; i < p->axis.n_ticks; i++) {
		double value = plot_scene_tick(&p->axis, i), y = y_of(p, value);

		svg_line("pawl-grid", LEFT, y, RIGHT, y, "", out);
		plot_scene_number(&p->axis, value, &raw);
		svg_text(LEFT - 10, y + 4, SVG_SOFT " text-anchor=\"end\"", &raw, 20, out);
	}
	buf_adds(out, "</g>\n");
	buf_adds(&raw, p->band->metric);
	if (*p->axis.scale.prefix || *p->axis.scale.unit) {
		buf_adds(&raw, " in ");
		scale_unit(&p->axis.scale, &raw);
	}
	svg_text(4, 14, SVG_SOFT, &raw, 40, out);
	svg_line("pawl-axis", LEFT, BOTTOM, RIGHT, BOTTOM, "", out);
	buf_release(&raw);
}

static void add_commits_axis(const struct picture *p, struct buf *out)
{
	size_t n = p->band->n < MOST_IDS ? p->band->n : MOST_IDS, k;
	struct buf raw = BUF_INIT;
	double end = 0;

	buf_adds(out, "<g class=\"pawl-x\">\n");
	for (k = 0; k < n; k++) {
		size_t i = n > 1 ? k * (p->band->n - 1) / (n - 1) : 0;
		const struct band_point *at = &p->band->points[i];
		double x = x_of(p, i);
		const char *how = n > 1 && !k		? SVG_SOFT " text-anchor=\"start\""
				  : n > 1 && k + 1 == n ? SVG_SOFT " text-anchor=\"end\""
							: SVG_SOFT " text-anchor=\"middle\"";

		/* The first and the last one lie inside the picture, not around their place. */
		if (k && k + 1 < n && (x - ID_ROOM / 2 < end || x + ID_ROOM * 1.5 > RIGHT))
			continue;
		end = x + (k ? ID_ROOM / 2 : ID_ROOM);
		svg_line("pawl-axis", x, BOTTOM, x, BOTTOM + 5, "", out);
		if (at->commit)
			cell_commit(at->commit, &raw);
		svg_text(x, BOTTOM + 20, how, &raw, 16, out);
		if (at->time)
			buf_addf(&raw, "%.10s", at->time);
		svg_text(x, BOTTOM + 36, how, &raw, 16, out);
	}
	buf_adds(out, "</g>\n");
	buf_release(&raw);
}

static void describe(const struct picture *p, struct buf *out)
{
	struct buf title = BUF_INIT, words = BUF_INIT;
	size_t i, n_worse = 0, n_better = 0;

	for (i = 0; i < p->band->n; i++) {
		n_worse += p->band->points[i].moved > 0;
		n_better += p->band->points[i].moved < 0;
	}
	buf_addf(&title, "%s: %s", p->band->title, p->band->metric);
	buf_addf(&words,
		 "medians of %zu results with their intervals, the oldest first; %zu regressed, "
		 "%zu improved; the table has the figures",
		 p->band->of ? p->band->of : p->band->n, n_worse, n_better);
	svg_describe(&title, &words, out);
	buf_release(&title);
	buf_release(&words);
}

int plot_band(const struct band *band, struct buf *out, struct err *err)
{
	struct picture p = { .band = band, .each = 1 + band->n / MOST_PLACES };
	double ends[2];
	const struct plot_cdf axis = { .title = band->title,
				       .metric = band->metric,
				       .unit = band->unit,
				       .base_name = "",
				       .head_name = "",
				       .head = ends, /* of two, none is left out */
				       .n_head = 2 };

	if (!range_of(band, ends))
		return 0;
	if (plot_scene_make(&axis, MOST_TICKS, &p.axis, err))
		return -1;
	svg_open(0, WIDTH, HEIGHT, out);
	describe(&p, out);
	add_levels_axis(&p, out);
	add_commits_axis(&p, out);
	add_band(&p, out);
	add_medians(&p, out);
	add_dots(&p, out);
	add_marks(&p, out);
	buf_adds(out, "</svg>\n");
	plot_scene_release(&p.axis);
	return buf_check(out, err);
}
