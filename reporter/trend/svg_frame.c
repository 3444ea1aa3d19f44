#include "reporter/figures/cells.h"
#include "reporter/text/text.h"
#include "reporter/trend/svg_local.h"

#include "lib/base/banned.h"

#define INSET 10.0 /* of the first and last point */
#define MOST_IDS 8 /* commits named below the axis */

/* Shapes differ with the colours, so that neither is needed alone; see plot/svg.c for the rest. */
static const char style[] =
	"<style>\n" SVG_LIGHT
	".pawl-level{fill:#0969da;stroke:#0969da}.pawl-carried{fill:none;stroke:#0969da}\n"
	".pawl-range{stroke:#0969da;opacity:.45}\n"
	".pawl-chain{stroke:#8c959f;fill:none}\n"
	".pawl-regressed{fill:#cf222e;stroke:#cf222e}.pawl-failed{fill:none;stroke:#cf222e}\n"
	".pawl-accepted{fill:none;stroke:#cf222e}\n"
	".pawl-improved{fill:#1a7f37;stroke:#1a7f37}.pawl-advice{fill:none;stroke:#8250df}\n"
	".pawl-series{fill:none;stroke:#8c959f}\n"
	"@media (prefers-color-scheme:dark){\n" SVG_DARK
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

const char *svg_mark_class(enum trend_mark mark)
{
	return mark_class[mark];
}

double svg_x(const struct trend_scene *scene, size_t i)
{
	double share = scene->n > 1 ? (double)i / (double)(scene->n - 1) : 0.5;

	return SVG_LEFT + INSET + share * (SVG_RIGHT - SVG_LEFT - 2 * INSET);
}

double svg_y(const struct trend_scene *scene, double value)
{
	double place = plot_scene_place(&scene->axis, value);

	place = place < 0 ? 0 : place > 1 ? 1 : place;
	return SVG_BOTTOM - place * (SVG_BOTTOM - SVG_LEVELS);
}

void svg_shape(enum trend_mark mark, double x, double y, struct buf *out)
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
		 svg_mark_class(mark), x, y, paths[mark]);
}

static void add_legend(const struct trend_scene *scene, struct buf *out)
{
	struct buf raw = BUF_INIT;
	double x = SVG_LEFT, y = 96;
	int mark;

	buf_addf(out, "<circle class=\"pawl-level\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", x + 6,
		 y - 4);
	buf_adds(&raw, TREND_MEASURED);
	svg_text(x + 18, y, SVG_SOFT, &raw, 40, out);
	x += 140;
	if (scene->n_carried) {
		buf_addf(out, "<circle class=\"pawl-carried\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n",
			 x + 6, y - 4);
		buf_adds(&raw, TREND_CARRIED);
		svg_text(x + 18, y, SVG_SOFT, &raw, 60, out);
		x += 290;
	}
	svg_line("pawl-chain", x, y - 4, x + 20, y - 4,
		 " stroke-width=\"1.5\" stroke-dasharray=\"4 3\"", out);
	buf_adds(&raw, "what the steps add up to");
	svg_text(x + 26, y, SVG_SOFT, &raw, 40, out);
	x = SVG_LEFT;
	y = 116;
	for (mark = MARK_N - 1; mark > MARK_NONE; mark--) {
		if (!scene->n_marks[mark])
			continue;
		svg_shape((enum trend_mark)mark, x + 6, y - 4, out);
		buf_adds(&raw, trend_mark_word((enum trend_mark)mark));
		svg_text(x + 18, y, SVG_SOFT, &raw, 40, out);
		x += 40 + 6.6 * text_width(trend_mark_word((enum trend_mark)mark));
	}
	buf_release(&raw);
}

static void add_levels_axis(const struct trend *t, const struct trend_scene *scene, struct buf *out)
{
	struct buf raw = BUF_INIT;
	int i;

	for (i = 0; i < scene->axis.n_ticks; i++) {
		double value = plot_scene_tick(&scene->axis, i), y = svg_y(scene, value);

		svg_line("pawl-grid", SVG_LEFT, y, SVG_RIGHT, y, "", out);
		plot_scene_number(&scene->axis, value, &raw);
		svg_text(SVG_LEFT - 10, y + 4, SVG_SOFT " text-anchor=\"end\"", &raw, 20, out);
	}
	buf_adds(&raw, t->metric);
	if (*scene->axis.scale.prefix || *scene->axis.scale.unit) {
		buf_adds(&raw, " (");
		scale_unit(&scene->axis.scale, &raw);
		buf_addc(&raw, ')');
	}
	buf_addf(out, "<g transform=\"rotate(-90 18 %.1f)\">\n", (SVG_TOP + SVG_BOTTOM) / 2);
	svg_text(18, (SVG_TOP + SVG_BOTTOM) / 2, SVG_SOFT " text-anchor=\"middle\"", &raw, 30, out);
	buf_adds(out, "</g>\n");
	svg_line("pawl-axis", SVG_LEFT, SVG_BOTTOM, SVG_RIGHT, SVG_BOTTOM, "", out);
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
		double x = svg_x(scene, i);
		const char *anchor = n > 1 && k == 0	   ? SVG_SOFT " text-anchor=\"start\""
				     : n > 1 && k + 1 == n ? SVG_SOFT " text-anchor=\"end\""
							   : SVG_SOFT " text-anchor=\"middle\"";

		svg_line("pawl-axis", x, SVG_BOTTOM, x, SVG_BOTTOM + 5, "", out);
		x += n > 1 && k == 0 ? -INSET : n > 1 && k + 1 == n ? INSET : 0;
		cell_commit(p->commit, &raw);
		svg_text(x, SVG_BOTTOM + 20, anchor, &raw, 16, out);
		trend_date(p, &raw);
		svg_text(x, SVG_BOTTOM + 36, anchor, &raw, 16, out);
	}
	buf_release(&raw);
}

static void add_heading(const struct trend *t, struct buf *out)
{
	struct buf raw = BUF_INIT;

	buf_adds(&raw, t->benchmark);
	svg_text(SVG_LEFT, 30, SVG_HEADING, &raw, 90, out);
	trend_about(t, &raw);
	svg_text(SVG_LEFT, 52, SVG_SOFT, &raw, 120, out);
	trend_sentence(t, &raw);
	svg_text(SVG_LEFT, 72, SVG_TEXT, &raw, 120, out);
	buf_release(&raw);
}

void svg_frame(const struct trend *t, const struct trend_scene *scene, bool is_headed,
	       struct buf *out)
{
	struct buf raw = BUF_INIT;

	buf_adds(out, style);
	buf_addf(out, "<rect class=\"pawl-ground\" width=\"%d\" height=\"%d\"/>\n", SVG_WIDTH,
		 SVG_HEIGHT);
	if (is_headed)
		add_heading(t, out);
	if (!scene->has_axis) {
		buf_adds(&raw, "no level was measured");
		svg_text(SVG_LEFT, (SVG_TOP + SVG_BOTTOM) / 2, SVG_SOFT, &raw, 80, out);
		buf_release(&raw);
		return;
	}
	add_legend(scene, out);
	add_levels_axis(t, scene, out);
	add_commits_axis(t, scene, out);
	trend_outside(t, scene, &raw);
	if (raw.len)
		svg_text(SVG_RIGHT, SVG_HEIGHT - 8, SVG_SOFT " text-anchor=\"end\"", &raw, 110,
			 out);
	buf_release(&raw);
}
