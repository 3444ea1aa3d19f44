#include <math.h>
#include <stdlib.h>

#include "reporter/figures/cells.h"
#include "reporter/figures/scale.h"
#include "reporter/text/table.h"
#include "reporter/text/text.h"
#include "reporter/why/view.h"

#include "lib/base/banned.h"

#define SHOWN 12
#define SHOWN_WITH_LINES 3

static void cell(struct table *t, struct buf *text, enum ink ink)
{
	t->texts.failed |= text->failed;
	table_cell(t, text->len ? buf_str(text) : TABLE_EMPTY, ink);
	buf_reset(text);
}

/* A cell of foreign bytes. */
static void raw_cell(struct table *t, struct buf *raw, bool utf8, enum ink ink)
{
	struct buf text = BUF_INIT;

	text_visible(buf_str(raw), utf8, &text);
	text.failed |= raw->failed;
	cell(t, &text, ink);
	buf_reset(raw);
	buf_release(&text);
}

static bool is_more(const struct delta *d)
{
	return d->by_difference ? d->difference > 0 : d->ratio > 1;
}

static int add_counters(const struct bench *b, const struct render_options *opt, struct buf *out,
			struct err *err)
{
	static const struct table_column columns[] = { { "counter", false, true, 0, 0 },
						       { "delta", true, false, 0, 2 },
						       { "interval", true, false, 1, 2 } };
	struct buf text = BUF_INIT;
	struct table t;
	size_t i, n = 0;
	int result = 0;

	table_init(&t, columns, 3);
	for (i = 0; i < b->n_metrics; i++) {
		const struct metric *m = &b->metrics[i];

		if (!why_moved(m))
			continue;
		n++;
		text_visible(m->name, opt->utf8, &text);
		cell(&t, &text, INK_PLAIN);
		cell_delta(&m->delta, m->unit, &text);
		raw_cell(&t, &text, opt->utf8, is_more(&m->delta) ? INK_RED : INK_GREEN);
		cell_interval(&m->delta, m->unit, &text);
		raw_cell(&t, &text, opt->utf8, INK_PLAIN);
	}
	if (n)
		result = table_print(&t, opt->width, opt->utf8, opt->colour, out, err);
	else
		buf_adds(out, "no counter of the stored comparison moved\n");
	buf_addc(out, '\n');
	table_release(&t);
	buf_release(&text);
	return result;
}

static void function_row(struct table *t, const struct why_function *f,
			 const struct render_options *opt)
{
	struct buf text = BUF_INIT;

	why_delta(f->d->delta, &text);
	cell(t, &text, f->d->delta > 0 ? INK_RED : INK_GREEN);
	why_share(f->share, &text);
	cell(t, &text, INK_PLAIN);
	if (f->d->base)
		scale_value(f->d->base->self, "1", &text);
	else
		buf_adds(&text, "new");
	cell(t, &text, INK_PLAIN);
	if (f->d->head)
		scale_value(f->d->head->self, "1", &text);
	else
		buf_adds(&text, "gone");
	cell(t, &text, INK_PLAIN);
	text_visible(why_name(f), opt->utf8, &text);
	cell(t, &text, INK_BOLD);
	text_visible(why_place(f), opt->utf8, &text);
	cell(t, &text, INK_DIM);
	buf_release(&text);
}

static int add_functions(const struct why_view *v, size_t n, const struct render_options *opt,
			 struct buf *out, struct err *err)
{
	static const struct table_column columns[] = {
		{ "delta", true, false, 0, 0 },	   { "share", true, false, 0, 2 },
		{ "base", true, false, 2, 2 },	   { "head", true, false, 3, 2 },
		{ "function", false, true, 0, 2 }, { "file", false, false, 1, 2 }
	};
	struct table t;
	size_t i;
	int result;

	table_init(&t, columns, 6);
	for (i = 0; i < n; i++)
		function_row(&t, &v->functions[i], opt);
	result = table_print(&t, opt->width, opt->utf8, opt->colour, out, err);
	table_release(&t);
	return result;
}

/* One line's text; with both when they differ. */
static void add_line(const struct why_line *l, const struct render_options *opt, struct buf *out)
{
	struct buf text = BUF_INIT, shown = BUF_INIT;

	buf_addf(out, "  ");
	why_delta(l->d.delta, &text);
	buf_addn(out, ' ',
		 text_width(buf_str(&text)) < 9 ? 9 - (size_t)text_width(buf_str(&text)) : 0);
	buf_add(out, text.data, text.len);
	buf_reset(&text);
	text_visible(path_base(l->d.file), opt->utf8, &text);
	if (l->d.head_line)
		buf_addf(&text, ":%u  ", l->d.head_line);
	else
		buf_addf(&text, ":%u (gone)  ", l->d.base_line);
	text_visible(l->d.head_line ? l->head_text : l->base_text, opt->utf8, &text);
	text_cut(buf_str(&text), opt->width > 20 ? opt->width - 13 : 200, opt->utf8, &shown);
	buf_addf(out, "  %s\n", buf_str(&shown));
	out->failed |= text.failed || shown.failed;
	buf_release(&shown);
	buf_release(&text);
}

static void add_lines(const struct why_view *v, size_t n, const struct render_options *opt,
		      struct buf *out)
{
	size_t i, k;

	for (i = 0; i < n; i++) {
		const struct why_function *f = &v->functions[i];

		if (!f->n_lines)
			continue;
		buf_addc(out, '\n');
		text_visible(why_name(f), opt->utf8, out);
		buf_adds(out, ", by line:\n");
		for (k = 0; k < f->n_lines; k++)
			add_line(&f->lines[k], opt, out);
		if (f->n_more)
			buf_addf(out, "  and %zu line%s that moved less\n", f->n_more,
				 f->n_more == 1 ? "" : "s");
	}
}

static void add_heading(const struct why_view *v, const struct render_options *opt, struct buf *out)
{
	const struct why_report *why = v->why;

	terminal_ink(INK_BOLD, opt->colour, out);
	text_visible(why->benchmark, opt->utf8, out);
	terminal_ink(INK_PLAIN, opt->colour, out);
	buf_adds(out, ": ");
	cell_commit(why->base.commit, out);
	buf_adds(out, "..");
	cell_commit(why->head.commit, out);
	buf_addc(out, '\n');
	if (why->identical)
		return;
	buf_addf(out, "%s: ", why_unit(why));
	scale_value(v->diff.base, "1", out);
	buf_adds(out, " before, ");
	scale_value(v->diff.head, "1", out);
	buf_adds(out, " now (");
	if (v->is_same)
		buf_adds(out, "the same to 0.01 %");
	else
		buf_addf(out, "%+.*f %%", fabs(v->ratio - 1) < 0.001 ? 3 : 2, 100 * (v->ratio - 1));
	buf_adds(out, "), counted by valgrind\n");
}

int why_text(const struct why_view *v, const struct render_options *opt, struct buf *out,
	     struct err *err)
{
	size_t n = opt->verbose || v->n < SHOWN ? v->n : SHOWN, i;
	size_t with_lines = opt->verbose || n < SHOWN_WITH_LINES ? n : SHOWN_WITH_LINES;
	size_t more = v->n + v->n_more - n;
	struct buf text = BUF_INIT;

	add_heading(v, opt, out);
	buf_addc(out, '\n');
	if (v->why->counters && add_counters(v->why->counters, opt, out, err))
		return -1;
	if (n) {
		if (add_functions(v, n, opt, out, err))
			return -1;
		if (more)
			buf_addf(out, "and %zu function%s that moved less\n", more,
				 more == 1 ? "" : "s");
		add_lines(v, with_lines, opt, out);
		buf_addc(out, '\n');
	}
	for (i = 0; i < v->hints.n; i++)
		text_wrap(v->hints.v[i], opt->width, "", "", out);
	text_visible(v->sentence, opt->utf8, &text);
	text_wrap(buf_str(&text), opt->width, "", "", out);
	out->failed |= text.failed;
	buf_release(&text);
	return buf_check(out, err);
}
