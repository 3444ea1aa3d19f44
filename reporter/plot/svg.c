#include "reporter/plot/plot.h"

#include <math.h>

#include "reporter/plot/scene.h"
#include "reporter/text/svg.h"

#include "lib/base/banned.h"

/* The picture, and inside it the curves' area. */
#define WIDTH 720
#define HEIGHT 420
#define LEFT 64.0
#define RIGHT 692.0
#define TOP 116.0
#define BOTTOM 352.0
#define TITLE_COLUMNS 64
#define MOST_TICKS 8

/*
 * Blue and orange stay apart for colour-blind eyes, and the base is dashed, so that colour is
 * not needed.  Class names carry a prefix: inside a page they must not meet others.
 */
static const char style[] = "<style>\n" SVG_LIGHT PLOT_CDF_LIGHT
			    "@media (prefers-color-scheme:dark){\n" SVG_DARK PLOT_CDF_DARK "}\n"
			    "</style>\n";

static double x_of(const struct plot_scene *scene, double value)
{
	return LEFT + plot_scene_place(scene, value) * (RIGHT - LEFT);
}

static double y_of(double share)
{
	return BOTTOM - share * (BOTTOM - TOP);
}

/* What a reader who sees no picture is told. */
static void add_description(const struct plot_cdf *plot, const struct plot_scene *scene,
			    struct buf *out)
{
	struct buf title = BUF_INIT, words = BUF_INIT;

	plot_scene_title(scene, plot, &title);
	buf_adds(&words, "Share of runs at or below a value: ");
	plot_scene_legend(plot, &scene->base, false, &words);
	buf_adds(&words, "; ");
	plot_scene_legend(plot, &scene->head, true, &words);
	svg_describe(&title, &words, out);
	buf_release(&title);
	buf_release(&words);
}

static void add_legend(const struct plot_cdf *plot, const struct plot_scene *scene, bool is_head,
		       struct buf *out)
{
	double y = is_head ? 76 : 56;
	struct buf raw = BUF_INIT;

	svg_line(is_head ? "pawl-head" : "pawl-base", LEFT, y - 4, LEFT + 28, y - 4,
		 is_head ? " stroke-width=\"2.5\"" : " stroke-width=\"2\" stroke-dasharray=\"6 3\"",
		 out);
	plot_scene_legend(plot, is_head ? &scene->head : &scene->base, is_head, &raw);
	svg_text(LEFT + 38, y, SVG_TEXT, &raw, 80, out);
	buf_release(&raw);
}

static void add_shares(struct buf *out)
{
	struct buf raw = BUF_INIT;
	int percent;

	for (percent = 0; percent <= 100; percent += 25) {
		double y = y_of(percent / 100.0);

		if (percent > 0)
			svg_line("pawl-grid", LEFT, y, RIGHT, y, "", out);
		buf_addf(&raw, "%d %%", percent);
		svg_text(LEFT - 10, y + 4, SVG_SOFT " text-anchor=\"end\"", &raw, 80, out);
	}
	buf_adds(&raw, "share of runs");
	svg_text(22, TOP - 14, SVG_SOFT, &raw, 80, out);
	buf_release(&raw);
}

static void add_axis(const struct plot_cdf *plot, const struct plot_scene *scene, struct buf *out)
{
	struct buf raw = BUF_INIT;
	double value, x;
	int i;

	for (i = 0; i < scene->n_ticks; i++) {
		value = plot_scene_tick(scene, i);
		plot_scene_number(scene, value, &raw);
		x = x_of(scene, value);
		svg_line("pawl-axis", x, BOTTOM, x, BOTTOM + 5, "", out);
		svg_text(x, BOTTOM + 20, SVG_SOFT " text-anchor=\"middle\"", &raw, 80, out);
	}
	svg_line("pawl-axis", LEFT, BOTTOM, RIGHT, BOTTOM, "", out);
	buf_addf(&raw, "%s", plot->metric);
	if (*scene->scale.prefix || *scene->scale.unit) {
		buf_adds(&raw, " (");
		scale_unit(&scene->scale, &raw);
		buf_addc(&raw, ')');
	}
	svg_text((LEFT + RIGHT) / 2, BOTTOM + 40, SVG_SOFT " text-anchor=\"middle\"", &raw, 80,
		 out);
	buf_release(&raw);
}

/* The staircase; values that fall on the same tenth of a pixel make one step. */
static void add_curve(const struct plot_scene *scene, const struct plot_series *series,
		      const char *class, const char *rest, struct buf *out)
{
	double drawn = LEFT, x;
	size_t i;

	if (series->n == 0)
		return;
	buf_addf(out, "<path class=\"%s\" fill=\"none\" stroke-linejoin=\"round\"%s d=\"M%.1f %.1f",
		 class, rest, LEFT, y_of(plot_scene_share(series, scene->low)));
	for (i = 0; i < series->n && series->x[i] <= scene->high; i++) {
		x = x_of(scene, series->x[i]);
		if (x < LEFT || (i + 1 < series->n && x_of(scene, series->x[i + 1]) < x + 0.05))
			continue;
		if (x > drawn)
			buf_addf(out, "H%.1f", x);
		buf_addf(out, "V%.1f", y_of((double)(i + 1) / (double)series->n));
		drawn = x;
	}
	buf_addf(out, "H%.1f\"/>\n", RIGHT);
}

static void add_median(const struct plot_scene *scene, const struct plot_series *series,
		       bool is_head, struct buf *out)
{
	const char *class = is_head ? "pawl-head" : "pawl-base";
	double x;

	if (series->n == 0 || series->median < scene->low || series->median > scene->high)
		return;
	x = x_of(scene, series->median);
	svg_line(class, x, y_of(0.5), x, BOTTOM, " stroke-dasharray=\"1 3\"", out);
	buf_addf(out,
		 "<circle class=\"%s-dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" stroke-width=\"2\"/>\n",
		 class, x, y_of(0.5), is_head ? "3" : "6");
}

static void add_frame(const struct plot_cdf *plot, const struct plot_scene *scene, struct buf *out)
{
	struct buf raw = BUF_INIT;

	buf_addf(out, "<rect class=\"pawl-ground\" width=\"%d\" height=\"%d\"/>\n", WIDTH, HEIGHT);
	buf_adds(&raw, plot->title);
	svg_text(LEFT, 30, SVG_HEADING, &raw, TITLE_COLUMNS, out);
	add_legend(plot, scene, false, out);
	add_legend(plot, scene, true, out);
	add_shares(out);
	add_axis(plot, scene, out);
	plot_scene_outside(scene, plot, &raw);
	if (raw.len > 0)
		svg_text(RIGHT, HEIGHT - 10, SVG_SOFT " text-anchor=\"end\"", &raw, 110, out);
	buf_release(&raw);
}

static int draw(const struct plot_cdf *plot, const char *styled, struct buf *out, struct err *err)
{
	struct plot_scene scene;

	if (plot_scene_make(plot, MOST_TICKS, &scene, err))
		return -1;
	svg_open(0, WIDTH, HEIGHT, out);
	add_description(plot, &scene, out);
	buf_adds(out, styled);
	add_frame(plot, &scene, out);
	/* the dashed one on top: where both are the same, both are seen */
	add_curve(&scene, &scene.head, "pawl-head", " stroke-width=\"2.5\"", out);
	add_curve(&scene, &scene.base, "pawl-base", " stroke-width=\"2\" stroke-dasharray=\"6 3\"",
		  out);
	add_median(&scene, &scene.base, false, out);
	add_median(&scene, &scene.head, true, out);
	buf_adds(out, "</svg>\n");
	plot_scene_release(&scene);
	return buf_check(out, err);
}

int plot_cdf_svg(const struct plot_cdf *plot, struct buf *out, struct err *err)
{
	return draw(plot, style, out, err);
}

int plot_cdf_element(const struct plot_cdf *plot, struct buf *out, struct err *err)
{
	return draw(plot, "", out, err);
}
