#include "reporter/trend_svg.h"

#include <math.h>
#include <stdio.h>

#include "reporter/render_cells.h"
#include "reporter/text.h"
#include "reporter/trend_render.h"
#include "reporter/trend_scene.h"

#include "lib/base/banned.h"

/* The picture, and inside it the levels' area. */
#define WIDTH 960
#define HEIGHT 440
#define LEFT 76.0
#define RIGHT 936.0
#define TOP 128.0
#define BOTTOM 372.0
#define INSET 10.0 /* of the first and last point */
#define MOST_TICKS 6
#define MOST_IDS 8    /* commits named below the axis */
#define MOST_WORDS 12 /* moved commits named in the picture */

/* Shapes differ with the colours, so that neither is needed alone; see plot_svg.c for the rest. */
static const char style[] =
	"<style>\n"
	".pawl-ground{fill:#ffffff}\n"
	".pawl-text{fill:#1f2328}.pawl-soft{fill:#59636e}\n"
	".pawl-grid{stroke:#e3e7ec}.pawl-axis{stroke:#8c959f}\n"
	".pawl-level{fill:#0969da;stroke:#0969da}.pawl-carried{fill:none;stroke:#0969da}\n"
	".pawl-range{stroke:#0969da;opacity:.45}\n"
	".pawl-chain{stroke:#8c959f;fill:none}\n"
	".pawl-regressed{fill:#cf222e;stroke:#cf222e}.pawl-failed{fill:none;stroke:#cf222e}\n"
	".pawl-accepted{fill:none;stroke:#cf222e}\n"
	".pawl-improved{fill:#1a7f37;stroke:#1a7f37}.pawl-advice{fill:none;stroke:#8250df}\n"
	".pawl-series{fill:none;stroke:#8c959f}\n"
	"@media (prefers-color-scheme:dark){\n"
	".pawl-ground{fill:#0d1117}\n"
	".pawl-text{fill:#e6edf3}.pawl-soft{fill:#9198a1}\n"
	".pawl-grid{stroke:#21262d}.pawl-axis{stroke:#656c76}\n"
	".pawl-level{fill:#58a6ff;stroke:#58a6ff}.pawl-carried{fill:none;stroke:#58a6ff}\n"
	".pawl-range{stroke:#58a6ff;opacity:.45}\n"
	".pawl-chain{stroke:#656c76;fill:none}\n"
	".pawl-regressed{fill:#ff7b72;stroke:#ff7b72}.pawl-failed{fill:none;stroke:#ff7b72}\n"
	".pawl-accepted{fill:none;stroke:#ff7b72}\n"
	".pawl-improved{fill:#56d364;stroke:#56d364}.pawl-advice{fill:none;stroke:#d2a8ff}\n"
	".pawl-series{fill:none;stroke:#656c76}\n"
	"}\n"
	"</style>\n";

static const char *const mark_class[MARK_N] = {
	[MARK_SERIES] = "series",     [MARK_ADVICE] = "advice",	    [MARK_FAILED] = "failed",
	[MARK_IMPROVED] = "improved", [MARK_ACCEPTED] = "accepted", [MARK_REGRESSED] = "regressed",
};

#define SOFT "class=\"pawl-soft\" font-size=\"12\""

static double x_of(const struct trend_scene *scene, size_t i)
{
	double share = scene->n > 1 ? (double)i / (double)(scene->n - 1) : 0.5;

	return LEFT + INSET + share * (RIGHT - LEFT - 2 * INSET);
}

static double y_of(const struct trend_scene *scene, double value)
{
	double place = plot_scene_place(&scene->axis, value);

	place = place < 0 ? 0 : place > 1 ? 1 : place;
	return BOTTOM - place * (BOTTOM - TOP);
}

/* <text> with raw text, made harmless; cut to columns in the middle. */
static void add_text(double x, double y, const char *rest, struct buf *raw, int columns,
		     struct buf *out)
{
	struct buf visible = BUF_INIT, cut = BUF_INIT;

	text_visible(buf_str(raw), true, &visible);
	text_cut(buf_str(&visible), columns, true, &cut);
	buf_addf(out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, rest);
	text_xml(buf_str(&cut), out);
	buf_adds(out, "</text>\n");
	out->failed |= raw->failed || visible.failed || cut.failed;
	buf_reset(raw);
	buf_release(&visible);
	buf_release(&cut);
}

static void add_line(const char *class, double x1, double y1, double x2, double y2,
		     const char *rest, struct buf *out)
{
	buf_addf(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"%s/>\n",
		 class, x1, y1, x2, y2, rest);
}

static void add_shape(enum trend_mark mark, double x, double y, struct buf *out)
{
	static const char *const paths[MARK_N] = {
		[MARK_SERIES] = "m0 -6v12",
		[MARK_ADVICE] = "m0 -6l6 6l-6 6l-6 -6z",
		[MARK_FAILED] = "m-5 -5l10 10m0 -10l-10 10",
		[MARK_IMPROVED] = "m0 6l-6.5 -11h13z",
		[MARK_ACCEPTED] = "m0 -6l6.5 11h-13z",
		[MARK_REGRESSED] = "m0 -6l6.5 11h-13z",
	};

	buf_addf(out,
		 "<path class=\"pawl-%s\" stroke-width=\"2\" stroke-linejoin=\"round\" "
		 "d=\"M%.1f %.1f%s\"/>\n",
		 mark_class[mark], x, y, paths[mark]);
}

static void add_legend(const struct trend_scene *scene, struct buf *out)
{
	struct buf raw = BUF_INIT;
	double x = LEFT, y = 80;
	int mark;

	buf_addf(out, "<circle class=\"pawl-level\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", x + 6,
		 y - 4);
	buf_adds(&raw, "level as measured");
	add_text(x + 18, y, SOFT, &raw, 40, out);
	x += 140;
	add_line("pawl-chain", x, y - 4, x + 20, y - 4,
		 " stroke-width=\"1.5\" stroke-dasharray=\"4 3\"", out);
	buf_adds(&raw, "what the steps add up to");
	add_text(x + 26, y, SOFT, &raw, 40, out);
	x = LEFT;
	y = 100;
	for (mark = MARK_N - 1; mark > MARK_NONE; mark--) {
		if (!scene->n_marks[mark])
			continue;
		add_shape((enum trend_mark)mark, x + 6, y - 4, out);
		buf_adds(&raw, trend_mark_word((enum trend_mark)mark));
		add_text(x + 18, y, SOFT, &raw, 40, out);
		x += 40 + 6.6 * text_width(trend_mark_word((enum trend_mark)mark));
	}
	buf_release(&raw);
}

static void add_levels_axis(const struct trend *t, const struct trend_scene *scene, struct buf *out)
{
	struct buf raw = BUF_INIT;
	int i;

	for (i = 0; i < scene->axis.n_ticks; i++) {
		double value = plot_scene_tick(&scene->axis, i), y = y_of(scene, value);

		add_line("pawl-grid", LEFT, y, RIGHT, y, "", out);
		plot_scene_number(&scene->axis, value, &raw);
		add_text(LEFT - 10, y + 4, SOFT " text-anchor=\"end\"", &raw, 20, out);
	}
	buf_adds(&raw, t->metric);
	if (*scene->axis.scale.prefix || *scene->axis.scale.unit) {
		buf_adds(&raw, " (");
		scale_unit(&scene->axis.scale, &raw);
		buf_addc(&raw, ')');
	}
	buf_addf(out, "<g transform=\"rotate(-90 18 %.1f)\">\n", (TOP + BOTTOM) / 2);
	add_text(18, (TOP + BOTTOM) / 2, SOFT " text-anchor=\"middle\"", &raw, 30, out);
	buf_adds(out, "</g>\n");
	add_line("pawl-axis", LEFT, BOTTOM, RIGHT, BOTTOM, "", out);
	buf_release(&raw);
}

static void add_commits_axis(const struct trend *t, const struct trend_scene *scene,
			     struct buf *out)
{
	size_t n = scene->n < MOST_IDS ? scene->n : MOST_IDS, k;
	struct buf raw = BUF_INIT;

	for (k = 0; k < n; k++) {
		size_t i = n > 1 ? k * (scene->n - 1) / (n - 1) : 0;
		const struct trend_point *p = &t->points[t->first + i];
		double x = x_of(scene, i);
		const char *anchor = n > 1 && k == 0	   ? SOFT " text-anchor=\"start\""
				     : n > 1 && k + 1 == n ? SOFT " text-anchor=\"end\""
							   : SOFT " text-anchor=\"middle\"";

		add_line("pawl-axis", x, BOTTOM, x, BOTTOM + 5, "", out);
		x += n > 1 && k == 0 ? -INSET : n > 1 && k + 1 == n ? INSET : 0;
		cell_commit(p->commit, &raw);
		add_text(x, BOTTOM + 20, anchor, &raw, 16, out);
		trend_date(p, &raw);
		add_text(x, BOTTOM + 36, anchor, &raw, 16, out);
	}
	buf_release(&raw);
}

/* What hovering over a point tells. */
static void add_tooltip(const struct trend *t, const struct trend_point *p, struct buf *out)
{
	struct buf raw = BUF_INIT;
	struct delta delta;

	trend_delta(t, p, &delta);
	cell_commit(p->commit, &raw);
	buf_addc(&raw, ' ');
	trend_date(p, &raw);
	if (p->subject)
		buf_addf(&raw, " %s", p->subject);
	buf_adds(out, "<title>");
	text_xml(buf_str(&raw), out);
	buf_reset(&raw);
	if (isfinite(p->level)) {
		scale_value(p->level, t->unit, &raw);
		buf_addf(&raw, " of %zu runs", p->n_runs);
	}
	if (p->how != TREND_NO_STEP) {
		buf_adds(&raw, raw.len ? ", " : "");
		cell_delta(&delta, &raw);
		buf_addc(&raw, ' ');
		if (p->how == TREND_PAIRED) {
			cell_interval(&delta, &raw);
			buf_addc(&raw, ' ');
		}
	} else if (raw.len) {
		buf_adds(&raw, ", ");
	}
	buf_adds(&raw, trend_word(p));
	buf_addc(out, '\n');
	text_xml(buf_str(&raw), out);
	buf_reset(&raw);
	trend_note(t, p, &raw);
	if (raw.len) {
		buf_addc(out, '\n');
		text_xml(buf_str(&raw), out);
	}
	buf_adds(out, "</title>");
	out->failed |= raw.failed;
	buf_release(&raw);
}

static void add_chain(const struct trend *t, const struct trend_scene *scene, struct buf *out)
{
	bool pen_down = false;
	size_t i;

	buf_adds(out,
		 "<path class=\"pawl-chain\" stroke-width=\"1.5\" stroke-dasharray=\"4 3\" d=\"");
	for (i = 0; i < scene->n; i++) {
		const struct trend_point *p = &t->points[t->first + i];
		double x = x_of(scene, i), y;

		if (!isfinite(p->chained) || p->chained < scene->axis.low ||
		    p->chained > scene->axis.high) {
			pen_down = false;
			continue;
		}
		y = y_of(scene, p->chained);
		if (pen_down && p->how != TREND_NO_STEP)
			buf_addf(out, "L%.1f %.1f", x, y);
		else
			buf_addf(out, "M%.1f %.1f", x, y);
		pen_down = true;
	}
	buf_adds(out, "\"/>\n");
}

static void add_point(const struct trend *t, const struct trend_scene *scene, size_t i,
		      struct buf *out)
{
	const struct trend_point *p = &t->points[t->first + i];
	double x = x_of(scene, i), y;
	double radius = scene->n > 400 ? 1.6 : scene->n > 120 ? 2.2 : 3;

	if (!isfinite(scene->level[i]))
		return;
	y = y_of(scene, scene->level[i]);
	buf_adds(out, "<g>");
	add_tooltip(t, p, out);
	if (isfinite(p->level) && isfinite(p->low) && isfinite(p->high))
		add_line("pawl-range", x, y_of(scene, p->low), x, y_of(scene, p->high),
			 " stroke-width=\"1.5\"", out);
	buf_addf(out, "<circle class=\"pawl-%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/></g>\n",
		 isfinite(p->level) ? "level" : "carried", x, y, radius);
}

/* The delta beside the mark of a commit that moved it, on one of two lines. */
static void add_words(const struct trend *t, const struct trend_scene *scene, size_t i, int line,
		      struct buf *out)
{
	const struct trend_point *p = &t->points[t->first + i];
	double x = x_of(scene, i), right = RIGHT - 70;
	struct buf raw = BUF_INIT;
	struct delta delta;

	trend_delta(t, p, &delta);
	cell_delta(&delta, &raw);
	add_text(x > right ? x - 8 : x + 8, TOP + 2 + 14.0 * line,
		 x > right ? "class=\"pawl-text\" font-size=\"12\" text-anchor=\"end\""
			   : "class=\"pawl-text\" font-size=\"12\"",
		 &raw, 20, out);
	buf_release(&raw);
}

static void add_marks(const struct trend *t, const struct trend_scene *scene, struct buf *out)
{
	bool words = t->n_moved <= MOST_WORDS;
	int line = 0;
	size_t i;

	for (i = 0; i < scene->n; i++) {
		enum trend_mark mark = scene->mark[i];
		double x = x_of(scene, i);
		char rest[96];

		if (mark == MARK_NONE)
			continue;
		buf_adds(out, "<g>");
		add_tooltip(t, &t->points[t->first + i], out);
		buf_addf(out, "<g class=\"pawl-%s\">", mark_class[mark]);
		snprintf(rest, sizeof(rest), " stroke-width=\"1\" stroke-dasharray=\"%s\"",
			 mark == MARK_SERIES ? "8 4" : "2 3");
		add_line("pawl-rule", x, TOP - 8, x, BOTTOM, rest, out);
		buf_adds(out, "</g>\n");
		add_shape(mark, x, TOP - 8, out);
		if (mark >= MARK_IMPROVED && words)
			add_words(t, scene, i, line++ % 2, out);
		buf_adds(out, "</g>\n");
	}
}

static void add_frame(const struct trend *t, const struct trend_scene *scene, struct buf *out)
{
	struct buf raw = BUF_INIT;

	buf_addf(out, "<rect class=\"pawl-ground\" width=\"%d\" height=\"%d\"/>\n", WIDTH, HEIGHT);
	buf_adds(&raw, t->benchmark);
	add_text(LEFT, 30, "class=\"pawl-text\" font-size=\"17\" font-weight=\"600\"", &raw, 90,
		 out);
	trend_about(t, &raw);
	buf_adds(&raw, "; ");
	trend_sentence(t, &raw);
	add_text(LEFT, 54, "class=\"pawl-text\" font-size=\"13\"", &raw, 140, out);
	if (!scene->has_axis) {
		buf_adds(&raw, "no level was measured");
		add_text(LEFT, (TOP + BOTTOM) / 2, SOFT, &raw, 80, out);
		buf_release(&raw);
		return;
	}
	add_legend(scene, out);
	add_levels_axis(t, scene, out);
	add_commits_axis(t, scene, out);
	if (scene->axis.n_beyond + scene->axis.n_below) {
		buf_addf(&raw, "%zu levels lie outside the axis and are drawn at its end",
			 scene->axis.n_beyond + scene->axis.n_below);
		add_text(RIGHT, HEIGHT - 8, SOFT " text-anchor=\"end\"", &raw, 110, out);
	}
	buf_release(&raw);
}

static void add_description(const struct trend *t, const struct trend_scene *scene, struct buf *out)
{
	struct buf raw = BUF_INIT;

	trend_title(t, scene, &raw);
	buf_adds(out, "<title>");
	text_xml(buf_str(&raw), out);
	buf_adds(out, "</title>\n<desc>");
	out->failed |= raw.failed;
	buf_reset(&raw);
	trend_about(t, &raw);
	buf_adds(&raw, "; ");
	trend_sentence(t, &raw);
	text_xml(buf_str(&raw), out);
	buf_adds(out, "</desc>\n");
	out->failed |= raw.failed;
	buf_release(&raw);
}

int trend_svg_element(const struct trend *t, struct buf *out, struct err *err)
{
	struct trend_scene scene;
	size_t i;

	if (trend_scene_make(t, MOST_TICKS, &scene, err))
		return -1;
	buf_addf(out,
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
		 "height=\"%d\" role=\"img\" font-family=\"system-ui, sans-serif\">\n",
		 WIDTH, HEIGHT, WIDTH, HEIGHT);
	add_description(t, &scene, out);
	buf_adds(out, style);
	add_frame(t, &scene, out);
	if (scene.has_axis) {
		add_marks(t, &scene, out);
		add_chain(t, &scene, out);
		for (i = 0; i < scene.n; i++)
			add_point(t, &scene, i, out);
	}
	buf_adds(out, "</svg>\n");
	trend_scene_release(&scene);
	return buf_check(out, err);
}

int trend_svg(const struct trend *t, const struct render_options *opt, struct buf *out,
	      struct err *err)
{
	(void)opt;
	return trend_svg_element(t, out, err);
}
