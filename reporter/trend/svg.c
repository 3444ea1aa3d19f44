#include "reporter/trend/svg.h"

#include <math.h>
#include <stdio.h>

#include "reporter/figures/cells.h"
#include "reporter/text/text.h"
#include "reporter/trend/render.h"
#include "reporter/trend/svg_local.h"

#include "lib/base/banned.h"

#define MOST_TICKS 6
#define MOST_WORDS 12 /* moved commits named in the picture */
#define WORD 64.0     /* pixels that a delta takes */

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
		cell_delta(&delta, t->unit, &raw);
		buf_addc(&raw, ' ');
		if (p->how == TREND_PAIRED) {
			cell_interval(&delta, t->unit, &raw);
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
		double x = svg_x(scene, i), y;

		if (!isfinite(p->chained)) {
			pen_down = false;
			continue;
		}
		y = svg_y(scene, p->chained);
		if (pen_down && p->how != TREND_NO_STEP)
			buf_addf(out, "L%.1f %.1f", x, y);
		else
			buf_addf(out, "M%.1f %.1f", x, y);
		pen_down = true;
	}
	buf_adds(out, "\"/>\n");
}

/* A level outside the axis, with its value as far as there is room; ends what add_point() began. */
static void add_arrow(const struct trend *t, const struct trend_scene *scene, size_t i, double *end,
		      struct buf *out)
{
	bool up = scene->outside[i] > 0;
	double x = svg_x(scene, i), y = svg_y(scene, scene->level[i]);
	struct buf raw = BUF_INIT;

	buf_addf(out, "<path class=\"pawl-level\" d=\"M%.1f %.1f%s\"/>\n", x, y,
		 up ? "l4.5 9h-9z" : "l4.5 -9h-9z");
	if (*end <= x) {
		*end = x + WORD;
		scale_value(scene->level[i], t->unit, &raw);
		svg_text(x + (x > SVG_RIGHT - WORD ? -8 : 8), y + (up ? 10 : -2),
			 x > SVG_RIGHT - WORD ? SVG_SOFT " text-anchor=\"end\"" : SVG_SOFT, &raw,
			 20, out);
	}
	buf_adds(out, "</g>\n");
	buf_release(&raw);
}

static void add_point(const struct trend *t, const struct trend_scene *scene, size_t i, double *end,
		      struct buf *out)
{
	const struct trend_point *p = &t->points[t->first + i];
	double x = svg_x(scene, i), y;
	double radius = scene->n > 400 ? 1.6 : scene->n > 120 ? 2.2 : 3;

	if (!isfinite(scene->level[i]))
		return;
	y = svg_y(scene, scene->level[i]);
	buf_adds(out, "<g>");
	add_tooltip(t, p, out);
	if (scene->outside[i]) {
		add_arrow(t, scene, i, end, out);
		return;
	}
	if (isfinite(p->level) && isfinite(p->low) && isfinite(p->high))
		svg_line("pawl-range", x, svg_y(scene, p->low), x, svg_y(scene, p->high),
			 " stroke-width=\"1.5\"", out);
	buf_addf(out, "<circle class=\"pawl-%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/></g>\n",
		 isfinite(p->level) ? "level" : "carried", x, y, radius);
}

/*
 * The delta beside the mark of a commit that moved it, on one of two lines, as far as there is
 * room; ends[] is where the texts on each line end so far.
 */
static void add_words(const struct trend *t, const struct trend_scene *scene, size_t i,
		      double ends[2], struct buf *out)
{
	double x = svg_x(scene, i);
	int line = ends[0] <= x ? 0 : 1;
	struct buf raw = BUF_INIT;
	struct delta delta;

	if (ends[line] > x)
		return;
	if (x > SVG_RIGHT - WORD)
		x = SVG_RIGHT - WORD - 14; /* left of the mark's rule */
	ends[line] = x + WORD;
	trend_delta(t, &t->points[t->first + i], &delta);
	cell_delta(&delta, t->unit, &raw);
	svg_text(x + 5, SVG_TOP + 14 + 14.0 * line, "class=\"pawl-text\" font-size=\"12\"", &raw,
		 20, out);
	buf_release(&raw);
}

static void add_marks(const struct trend *t, const struct trend_scene *scene, struct buf *out)
{
	bool words = t->n_moved <= MOST_WORDS;
	double ends[2] = { 0, 0 };
	size_t i;

	for (i = 0; i < scene->n; i++) {
		enum trend_mark mark = scene->mark[i];
		double x = svg_x(scene, i);
		char rest[96];

		if (mark == MARK_NONE)
			continue;
		buf_adds(out, "<g>");
		add_tooltip(t, &t->points[t->first + i], out);
		buf_addf(out, "<g class=\"pawl-%s\">", svg_mark_class(mark));
		snprintf(rest, sizeof(rest), " stroke-width=\"1\" stroke-dasharray=\"%s\"",
			 mark == MARK_SERIES ? "8 4" : "2 3");
		svg_line("pawl-rule", x, SVG_TOP - 8, x, SVG_BOTTOM, rest, out);
		buf_adds(out, "</g>\n");
		svg_shape(mark, x, SVG_TOP - 8, out);
		if (mark >= MARK_IMPROVED && words)
			add_words(t, scene, i, ends, out);
		buf_adds(out, "</g>\n");
	}
}

static void add_description(const struct trend *t, const struct trend_scene *scene, struct buf *out)
{
	struct buf title = BUF_INIT, words = BUF_INIT;

	trend_title(t, scene, &title);
	trend_about(t, &words);
	buf_adds(&words, "; ");
	trend_sentence(t, &words);
	svg_describe(&title, &words, out);
	buf_release(&title);
	buf_release(&words);
}

int trend_svg_element(const struct trend *t, bool is_headed, struct buf *out, struct err *err)
{
	int top = is_headed ? 0 : SVG_HEADLESS;
	struct trend_scene scene;
	double end = 0;
	size_t i;

	if (trend_scene_make(t, MOST_TICKS, &scene, err))
		return -1;
	svg_open(top, SVG_WIDTH, SVG_HEIGHT - top, out);
	add_description(t, &scene, out);
	svg_frame(t, &scene, is_headed, out);
	if (scene.has_axis) {
		add_marks(t, &scene, out);
		add_chain(t, &scene, out);
		for (i = 0; i < scene.n; i++)
			add_point(t, &scene, i, &end, out);
	}
	buf_adds(out, "</svg>\n");
	trend_scene_release(&scene);
	return buf_check(out, err);
}

int trend_svg(const struct trend *t, const struct render_options *opt, struct buf *out,
	      struct err *err)
{
	(void)opt;
	return trend_svg_element(t, true, out, err);
}
