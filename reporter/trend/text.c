/*
 * trend_text - a trend for a terminal: the plot, what moved it, what is only advice.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reporter/figures/cells.h"
#include "reporter/text/table.h"
#include "reporter/text/terminal.h"
#include "reporter/text/text.h"
#include "reporter/trend/render.h"
#include "reporter/trend/scene.h"

#include "lib/base/banned.h"

#define HEIGHT 12
#define WIDEST 160 /* columns of a plot where nothing limits them */
#define LEAST 40
#define LEVEL "\xe2\x80\xa2"
#define CARRIED "\xc2\xb7"

struct canvas {
	char *cells; /* ' ' nothing, '.' carried over, '*' a level, '^' 'v' outside the axis */
	char *marks; /* one letter a column */
	int width, label;
};

static const enum ink inks[MARK_N] = {
	[MARK_ADVICE] = INK_YELLOW, [MARK_FAILED] = INK_RED,	[MARK_IMPROVED] = INK_GREEN,
	[MARK_ACCEPTED] = INK_BLUE, [MARK_REGRESSED] = INK_RED,
};

/* One raw text as wrapped lines. */
static void prose(struct buf *raw, const char *first, enum ink ink,
		  const struct render_options *opt, struct buf *out)
{
	struct buf visible = BUF_INIT;

	if (raw->len > 0) {
		text_visible(buf_str(raw), opt->utf8, &visible);
		terminal_ink(ink, opt->colour, out);
		text_wrap(buf_str(&visible), opt->width, first, "  ", out);
		if (opt->colour && ink != INK_PLAIN && out->len &&
		    out->data[out->len - 1] == '\n') {
			buf_truncate(out, out->len - 1);
			terminal_ink(INK_PLAIN, opt->colour, out);
			buf_addc(out, '\n');
		}
	}
	out->failed |= raw->failed || visible.failed;
	buf_reset(raw);
	buf_release(&visible);
}

static int column_of(const struct canvas *c, const struct trend_scene *scene, size_t i)
{
	double share = ((double)i + 0.5) / (double)scene->n;

	return (int)(share * c->width);
}

static int row_of(const struct trend_scene *scene, double level)
{
	double place = plot_scene_place(&scene->axis, level);
	int row = HEIGHT - 1 - (int)lround(place * (HEIGHT - 1));

	return row < 0 ? 0 : row >= HEIGHT ? HEIGHT - 1 : row;
}

static void draw(const struct trend *t, const struct trend_scene *scene, struct canvas *c)
{
	size_t i;

	memset(c->cells, ' ', (size_t)c->width * HEIGHT);
	memset(c->marks, MARK_NONE, (size_t)c->width);
	for (i = 0; i < scene->n; i++) {
		const struct trend_point *p = &t->points[t->first + i];
		int column = column_of(c, scene, i);

		if (scene->mark[i] > (enum trend_mark)c->marks[column])
			c->marks[column] = (char)scene->mark[i];
		if (isfinite(scene->level[i])) {
			char *cell = &c->cells[row_of(scene, scene->level[i]) * c->width + column];

			if (scene->outside[i])
				*cell = scene->outside[i] > 0 ? '^' : 'v';
			else if (*cell == ' ' || (isfinite(p->level) && *cell == '.'))
				*cell = isfinite(p->level) ? '*' : '.';
		}
	}
}

/* The tick whose row this is; NaN: none. */
static double tick_at(const struct trend_scene *scene, int row)
{
	int i;

	for (i = 0; i < scene->axis.n_ticks; i++)
		if (row_of(scene, plot_scene_tick(&scene->axis, i)) == row)
			return plot_scene_tick(&scene->axis, i);
	return (double)NAN;
}

static int label_width(const struct trend_scene *scene)
{
	struct buf text = BUF_INIT;
	int i, widest = 1;

	for (i = 0; i < scene->axis.n_ticks; i++) {
		buf_truncate(&text, 0);
		plot_scene_number(&scene->axis, plot_scene_tick(&scene->axis, i), &text);
		widest = (int)text.len > widest ? (int)text.len : widest;
	}
	buf_release(&text);
	return widest + 1;
}

static void end_line(struct buf *out)
{
	while (out->len > 0 && out->data[out->len - 1] == ' ')
		buf_truncate(out, out->len - 1);
	buf_addc(out, '\n');
}

static void print_rows(const struct trend_scene *scene, const struct canvas *c,
		       const struct render_options *opt, struct buf *out)
{
	struct buf label = BUF_INIT;
	int row, column;

	for (row = 0; row < HEIGHT; row++) {
		double tick = tick_at(scene, row);

		buf_reset(&label);
		if (isfinite(tick))
			plot_scene_number(&scene->axis, tick, &label);
		buf_addf(out, "%*s ", c->label - 1, buf_str(&label));
		buf_adds(out, !opt->utf8 ? "|" : isfinite(tick) ? "\xe2\x94\xa4" : "\xe2\x94\x82");
		for (column = 0; column < c->width; column++) {
			char cell = c->cells[row * c->width + column];

			if (!opt->utf8 || (cell != '*' && cell != '.'))
				buf_addc(out, cell);
			else
				buf_adds(out, cell == '*' ? LEVEL : CARRIED);
		}
		end_line(out);
	}
	out->failed |= label.failed;
	buf_release(&label);
}

static void print_axis(const struct canvas *c, const struct render_options *opt, struct buf *out)
{
	int column;

	buf_addn(out, ' ', (size_t)c->label);
	buf_adds(out, opt->utf8 ? "\xe2\x94\x94" : "+");
	for (column = 0; column < c->width; column++)
		buf_adds(out, opt->utf8 ? "\xe2\x94\x80" : "-");
	buf_addc(out, '\n');
}

static void print_marks(const struct trend_scene *scene, const struct canvas *c,
			const struct render_options *opt, struct buf *out)
{
	int column;

	if (scene->n_marks[MARK_NONE] == scene->n)
		return;
	buf_addn(out, ' ', (size_t)c->label + 1);
	for (column = 0; column < c->width; column++) {
		enum trend_mark mark = (enum trend_mark)c->marks[column];

		terminal_ink(inks[mark], opt->colour && inks[mark] != INK_PLAIN, out);
		buf_addc(out, trend_mark_letter(mark));
		terminal_ink(INK_PLAIN, opt->colour && inks[mark] != INK_PLAIN, out);
	}
	end_line(out);
}

/* The first and the last commit, under their ends of the axis. */
static void print_ends(const struct trend *t, const struct canvas *c, struct buf *out)
{
	struct buf left = BUF_INIT, right = BUF_INIT;

	cell_commit(t->points[t->first].commit, &left);
	buf_addc(&left, ' ');
	trend_date(&t->points[t->first], &left);
	cell_commit(t->points[t->n - 1].commit, &right);
	buf_addc(&right, ' ');
	trend_date(&t->points[t->n - 1], &right);
	buf_addn(out, ' ', (size_t)c->label + 1);
	if (t->n - t->first == 1)
		buf_reset(&left);
	buf_adds(out, buf_str(&left));
	if ((int)(left.len + right.len) + 1 <= c->width) {
		buf_addn(out, ' ', (size_t)c->width - left.len - right.len);
		buf_adds(out, buf_str(&right));
	}
	buf_addc(out, '\n');
	out->failed |= left.failed || right.failed;
	buf_release(&left);
	buf_release(&right);
}

static void print_legend(const struct trend *t, const struct trend_scene *scene,
			 const struct render_options *opt, struct buf *out)
{
	struct buf raw = BUF_INIT;
	int mark;

	for (mark = MARK_N - 1; mark > MARK_NONE; mark--)
		if (scene->n_marks[mark])
			buf_addf(&raw, "%s%c %s", raw.len ? "   " : "", trend_mark_letter(mark),
				 trend_mark_word(mark));
	prose(&raw, "", INK_DIM, opt, out);
	if (scene->n_carried)
		buf_addf(&raw, "%s %s   %s %s", opt->utf8 ? LEVEL : "*", TREND_MEASURED,
			 opt->utf8 ? CARRIED : ".", TREND_CARRIED);
	prose(&raw, "", INK_DIM, opt, out);
	buf_adds(&raw, TREND_LEVELS);
	prose(&raw, "", INK_DIM, opt, out);
	trend_outside(t, scene, &raw);
	prose(&raw, "^ v ", INK_PLAIN, opt, out);
	buf_release(&raw);
}

static int print_plot(const struct trend *t, const struct trend_scene *scene,
		      const struct render_options *opt, struct buf *out, struct err *err)
{
	struct canvas c = { .label = label_width(scene) };
	int width = opt->width == 0 ? 80 : opt->width > WIDEST ? WIDEST : opt->width;

	c.width = (width < LEAST ? LEAST : width) - c.label - 1;
	c.cells = malloc((size_t)c.width * (HEIGHT + 1));
	if (!c.cells)
		return err_nomem(err);
	c.marks = c.cells + (size_t)c.width * HEIGHT;
	draw(t, scene, &c);
	print_rows(scene, &c, opt, out);
	print_axis(&c, opt, out);
	print_marks(scene, &c, opt, out);
	print_ends(t, &c, out);
	print_legend(t, scene, opt, out);
	free(c.cells);
	return 0;
}

static const struct table_column columns[] = {
	{ .title = "commit" },
	{ .title = "date", .gap = 2, .drop = 1 },
	{ .title = "delta", .is_right = true, .gap = 2 },
	{ .title = "interval", .is_right = true, .gap = 2, .drop = 2 },
	{ .title = "verdict", .gap = 2 },
	{ .title = "subject", .is_flex = true, .gap = 2 },
};

static enum ink ink_of(const struct trend_point *p)
{
	return p->verdict == VERDICT_IMPROVED			 ? INK_GREEN
	       : p->verdict == VERDICT_REGRESSED && !p->accepted ? INK_RED
	       : p->verdict == VERDICT_FAILED			 ? INK_RED
								 : INK_PLAIN;
}

static void add_cell(struct table *table, struct buf *text, enum ink ink)
{
	table_cell(table, buf_str(text), ink);
	table->texts.failed |= text->failed;
	buf_reset(text);
}

static void add_row(const struct trend *t, const struct trend_point *p, bool utf8,
		    struct table *table)
{
	struct buf text = BUF_INIT, note = BUF_INIT, raw = BUF_INIT;
	struct delta delta;

	trend_delta(t, p, &delta);
	cell_commit(p->commit, &text);
	add_cell(table, &text, INK_PLAIN);
	trend_date(p, &text);
	add_cell(table, &text, INK_PLAIN);
	cell_delta(&delta, t->unit, &raw);
	text_visible(buf_str(&raw), utf8, &text);
	add_cell(table, &text, ink_of(p));
	buf_reset(&raw);
	if (p->how == TREND_PAIRED)
		cell_interval(&delta, t->unit, &raw);
	text_visible(buf_str(&raw), utf8, &text);
	add_cell(table, &text, INK_PLAIN);
	buf_adds(&text, trend_word(p));
	add_cell(table, &text, ink_of(p));
	text_visible(p->subject, utf8, &text);
	add_cell(table, &text, INK_PLAIN);
	trend_note(t, p, &note);
	if (note.len) {
		text_visible(buf_str(&note), utf8, &text);
		table_note(table, buf_str(&text));
	}
	table->texts.failed |= note.failed || text.failed || raw.failed;
	buf_release(&raw);
	buf_release(&note);
	buf_release(&text);
}

static int print_table(const struct trend *t, const struct render_options *opt, struct buf *out,
		       struct err *err)
{
	struct table table;
	size_t i, n = 0;
	int result = 0;

	table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (i = t->first; i < t->n; i++) {
		if (!opt->verbose && !trend_is_notable(&t->points[i]))
			continue;
		add_row(t, &t->points[i], opt->utf8, &table);
		n++;
	}
	if (n) {
		buf_addc(out, '\n');
		result = table_print(&table, opt->width, opt->utf8, opt->colour, out, err);
	}
	table_release(&table);
	return result;
}

static void print_findings(const struct trend *t, const struct render_options *opt, struct buf *out)
{
	struct buf raw = BUF_INIT;
	size_t i;

	buf_addc(out, '\n');
	trend_sentence(t, &raw);
	prose(&raw, "", INK_BOLD, opt, out);
	for (i = 0; i < t->n_advice; i++) {
		if (t->advice[i].step != SIZE_MAX && !opt->verbose)
			continue;
		trend_advice_text(t, &t->advice[i], &raw);
		prose(&raw, "advice: ", INK_PLAIN, opt, out);
	}
	trend_creep_text(t, &raw);
	prose(&raw, "", t->creep.sum.flagged ? INK_YELLOW : INK_PLAIN, opt, out);
	trend_left_out(t, &raw);
	prose(&raw, "", INK_PLAIN, opt, out);
	buf_release(&raw);
}

int trend_text(const struct trend *t, const struct render_options *opt, struct buf *out,
	       struct err *err)
{
	struct buf raw = BUF_INIT;
	struct trend_scene scene;
	int result = -1;

	if (trend_scene_make(t, HEIGHT / 3, &scene, err))
		return -1;
	trend_title(t, &scene, &raw);
	buf_adds(&raw, ", ");
	trend_about(t, &raw);
	prose(&raw, "", INK_BOLD, opt, out);
	/* One result is no line. */
	if (scene.has_axis && t->n - t->first > 1 && print_plot(t, &scene, opt, out, err))
		goto out;
	if (print_table(t, opt, out, err))
		goto out;
	print_findings(t, opt, out);
	result = buf_check(out, err);
out:
	trend_scene_release(&scene);
	buf_release(&raw);
	return result;
}
