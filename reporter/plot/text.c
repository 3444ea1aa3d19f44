#include "reporter/plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reporter/plot/scene.h"
#include "reporter/text/terminal.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

#define LABEL 6 /* columns left of the axis: "100 % " */

enum weight { NO_LINE, LIGHT, HEAVY };

/* The lines that leave a cell's middle. */
struct cell {
	unsigned char up, right, down, left; /* enum weight */
	bool is_base, is_head;
};

struct canvas {
	struct cell *cells;
	int width, height;
};

static struct cell *at(const struct canvas *canvas, int column, int row)
{
	return &canvas->cells[(size_t)row * (size_t)canvas->width + (size_t)column];
}

static void line(unsigned char *arm, enum weight weight)
{
	if (*arm < weight)
		*arm = (unsigned char)weight;
}

/* One step of the curve inside a column: in at the row `from`, out at the row `to` above it. */
static void draw_step(const struct canvas *canvas, int column, int from, int to, bool is_head)
{
	enum weight weight = is_head ? HEAVY : LIGHT;
	int row;

	for (row = to; row <= from; row++) {
		struct cell *cell = at(canvas, column, row);

		if (row == from)
			line(&cell->left, weight);
		if (row == to)
			line(&cell->right, weight);
		if (row > to)
			line(&cell->up, weight);
		if (row < from)
			line(&cell->down, weight);
		*(is_head ? &cell->is_head : &cell->is_base) = true;
	}
}

static void draw(const struct canvas *canvas, const struct plot_scene *scene, bool is_head)
{
	const struct plot_series *series = is_head ? &scene->head : &scene->base;
	int bottom = canvas->height - 1, before = bottom, column, row;

	if (series->n == 0)
		return;
	for (column = 0; column < canvas->width; column++) {
		double x = scene->low + (scene->high - scene->low) * (column + 1) / canvas->width;

		row = bottom - (int)lround(plot_scene_share(series, x) * bottom);
		draw_step(canvas, column, before, row, is_head);
		before = row;
	}
}

/* U+2500 + box[up * 27 + right * 9 + down * 3 + left]: every mix of light and heavy lines. */
static const unsigned char box[81] = {
	0xff, 0x74, 0x78, 0x77, 0x10, 0x11, 0x7b, 0x12, 0x13, 0x76, 0x00, 0x7e, 0x0c, 0x2c,
	0x2d, 0x0e, 0x30, 0x31, 0x7a, 0x7c, 0x01, 0x0d, 0x2e, 0x2f, 0x0f, 0x32, 0x33, 0x75,
	0x18, 0x19, 0x02, 0x24, 0x25, 0x7d, 0x27, 0x2a, 0x14, 0x34, 0x35, 0x1c, 0x3c, 0x3d,
	0x1f, 0x41, 0x45, 0x15, 0x36, 0x37, 0x1d, 0x3e, 0x3f, 0x22, 0x46, 0x48, 0x79, 0x1a,
	0x1b, 0x7f, 0x26, 0x29, 0x03, 0x28, 0x2b, 0x16, 0x38, 0x39, 0x1e, 0x40, 0x43, 0x20,
	0x42, 0x49, 0x17, 0x3a, 0x3b, 0x21, 0x44, 0x47, 0x23, 0x4a, 0x4b
};

static void print_cell(const struct cell *cell, const struct plot_text_options *opt,
		       struct buf *out)
{
	bool is_drawn = cell->is_base || cell->is_head;
	bool colour = opt->colour && is_drawn;
	int code = box[cell->up * 27 + cell->right * 9 + cell->down * 3 + cell->left];

	terminal_ink(cell->is_head ? INK_YELLOW : INK_BLUE, colour, out);
	if (!is_drawn)
		buf_addc(out, ' ');
	else if (opt->utf8)
		buf_addf(out, "\xe2%c%c", 0x94 + (code >> 6), 0x80 + (code & 0x3f));
	else
		buf_addc(out, cell->is_base && cell->is_head ? '@' : cell->is_head ? '*' : 'o');
	terminal_ink(INK_PLAIN, colour, out);
}

static void trim_line(struct buf *out)
{
	while (out->len > 0 && out->data[out->len - 1] == ' ')
		buf_truncate(out, out->len - 1);
	buf_addc(out, '\n');
}

/* Whether the row stands for a round share, and which, in percent. */
static bool has_label(int row, int height, int *out_percent)
{
	int quarter, bottom = height - 1;

	for (quarter = 0; quarter <= 4; quarter++) {
		if (quarter % 2 && height < 9)
			continue;
		*out_percent = 25 * quarter;
		if (row == bottom - (int)lround(bottom * quarter / 4.0))
			return true;
	}
	return false;
}

static void print_rows(const struct canvas *canvas, const struct plot_text_options *opt,
		       struct buf *out)
{
	int row, column, percent;

	for (row = 0; row < canvas->height; row++) {
		bool labelled = has_label(row, canvas->height, &percent);

		if (labelled)
			buf_addf(out, "%3d %% ", percent);
		else
			buf_addn(out, ' ', LABEL);
		buf_adds(out, !opt->utf8 ? "|" : labelled ? "\xe2\x94\xa4" : "\xe2\x94\x82");
		for (column = 0; column < canvas->width; column++)
			print_cell(at(canvas, column, row), opt, out);
		trim_line(out);
	}
}

static int tick_column(const struct plot_scene *scene, const struct canvas *canvas, double x)
{
	int column = (int)floor(plot_scene_place(scene, x) * canvas->width);

	return column < 0 ? 0 : column >= canvas->width ? canvas->width - 1 : column;
}

static void print_axis(const struct plot_scene *scene, const struct canvas *canvas,
		       const struct plot_text_options *opt, struct buf *out)
{
	int column = 0, i, place;

	buf_addn(out, ' ', LABEL);
	buf_adds(out, opt->utf8 ? "\xe2\x94\x94" : "+");
	for (i = 0; i < scene->n_ticks; i++, column++) {
		place = tick_column(scene, canvas, plot_scene_tick(scene, i));
		for (; column < place; column++)
			buf_adds(out, opt->utf8 ? "\xe2\x94\x80" : "-");
		buf_adds(out, opt->utf8 ? "\xe2\x94\xac" : "+");
	}
	for (; column < canvas->width; column++)
		buf_adds(out, opt->utf8 ? "\xe2\x94\x80" : "-");
	buf_addc(out, '\n');
}

/* Each number centred below its tick, as far as the one before it and the right end allow. */
static void print_numbers(const struct plot_scene *scene, const struct canvas *canvas,
			  struct buf *out)
{
	int used = 0, end = LABEL + 1 + canvas->width, start, i;
	struct buf label = BUF_INIT;
	double x;

	for (i = 0; i < scene->n_ticks; i++) {
		x = plot_scene_tick(scene, i);
		buf_truncate(&label, 0);
		plot_scene_number(scene, x, &label);
		start = LABEL + 1 + tick_column(scene, canvas, x) - (int)label.len / 2;
		if (start + (int)label.len > end)
			start = end - (int)label.len;
		if (start < used + (used > 0))
			continue;
		buf_addn(out, ' ', (size_t)(start - used));
		buf_adds(out, buf_str(&label));
		used = start + (int)label.len;
	}
	buf_addc(out, '\n');
	out->failed |= label.failed;
	buf_release(&label);
}

static void print_prose(struct buf *raw, const char *mark, enum ink ink,
			const struct plot_text_options *opt, int width, struct buf *out)
{
	struct buf visible = BUF_INIT, wrapped = BUF_INIT;

	if (raw->len > 0) {
		text_visible(buf_str(raw), opt->utf8, &visible);
		text_wrap(buf_str(&visible), width - text_width(mark), "", "   ", &wrapped);
		terminal_ink(ink, opt->colour, out);
		buf_adds(out, mark);
		terminal_ink(INK_PLAIN, opt->colour, out);
		buf_adds(out, buf_str(&wrapped));
	}
	out->failed |= raw->failed || visible.failed || wrapped.failed;
	buf_reset(raw);
	buf_release(&visible);
	buf_release(&wrapped);
}

static void print(const struct plot_cdf *plot, const struct plot_scene *scene,
		  const struct canvas *canvas, const struct plot_text_options *opt, int width,
		  struct buf *out)
{
	struct buf raw = BUF_INIT;

	plot_scene_title(scene, plot, &raw);
	buf_adds(&raw, ", share of runs at or below");
	print_prose(&raw, "", INK_PLAIN, opt, width, out);
	print_rows(canvas, opt, out);
	print_axis(scene, canvas, opt, out);
	print_numbers(scene, canvas, out);
	plot_scene_legend(plot, &scene->base, false, &raw);
	print_prose(&raw, opt->utf8 ? "\xe2\x94\x80\xe2\x94\x80 " : "oo ", INK_BLUE, opt, width,
		    out);
	plot_scene_legend(plot, &scene->head, true, &raw);
	print_prose(&raw, opt->utf8 ? "\xe2\x94\x81\xe2\x94\x81 " : "** ", INK_YELLOW, opt, width,
		    out);
	plot_scene_outside(scene, plot, &raw);
	print_prose(&raw, "", INK_PLAIN, opt, width, out);
	buf_release(&raw);
}

int plot_cdf_text(const struct plot_cdf *plot, const struct plot_text_options *opt, struct buf *out,
		  struct err *err)
{
	int width = opt->width == 0 ? 80 : opt->width < 20 ? 20 : opt->width;
	int height = opt->height == 0 ? 13 : opt->height < 3 ? 3 : opt->height;
	struct canvas canvas = { .width = width - LABEL - 1, .height = height };
	struct plot_scene scene;

	if (plot_scene_make(plot, canvas.width < 24 ? 2 : canvas.width / 12, &scene, err))
		return -1;
	canvas.cells = calloc((size_t)canvas.width * (size_t)height, sizeof(*canvas.cells));
	if (!canvas.cells) {
		plot_scene_release(&scene);
		return err_nomem(err);
	}
	draw(&canvas, &scene, false);
	draw(&canvas, &scene, true);
	print(plot, &scene, &canvas, opt, width, out);
	free(canvas.cells);
	plot_scene_release(&scene);
	return buf_check(out, err);
}
