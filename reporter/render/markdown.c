/*
 * GitHub-flavoured Markdown: the answer first, then the table, then what explains it, folded.
 * Always UTF-8.  Beyond opt->limit bytes the last rows and notes are left out and counted.
 */
#include "reporter/render/render.h"

#include <string.h>

#include "reporter/figures/cells.h"
#include "reporter/figures/rows.h"
#include "reporter/judge/effect.h"
#include "reporter/parts/context.h"
#include "reporter/parts/plot.h"
#include "reporter/parts/rows_notes.h"
#include "reporter/parts/sentence.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

#define RESERVE 128 /* bytes for the line that counts what is left out */

/* Parts of the document while it is made. */
struct page {
	const struct summary *s;
	const struct rows *rows;
	const struct render_options *opt;
	bool is_shown[CELL_N];
	struct buf tail;
	size_t tail_limit;
};

static void put_markdown(const char *text, const struct render_options *opt, struct buf *out)
{
	(void)opt;
	text_markdown(text, out);
}

/* Columns that no row fills are left out. */
static void choose_columns(struct page *page)
{
	bool has_delta = false, has_base = false;
	size_t i;

	for (i = 0; i < page->rows->n; i++) {
		const struct row *row = &page->rows->v[i];

		has_delta |= row->delta != NULL;
		/* of samples, or summed up */
		has_base |= row->gate &&
			    (row->gate->n_baseline > 0 ||
			     (row->gate->has_delta && (row->gate->n > 0 || row->gate->described)));
	}
	for (i = 0; i < CELL_N; i++)
		page->is_shown[i] = true;
	page->is_shown[CELL_BASE] = has_base;
	page->is_shown[CELL_DELTA] = has_delta;
	page->is_shown[CELL_INTERVAL] = has_delta;
	page->is_shown[CELL_FLOOR] = has_delta;
}

static void add_head(const struct page *page, struct buf *out)
{
	enum cell cell;

	buf_addc(out, '|');
	for (cell = 0; cell < CELL_N; cell++) {
		if (!page->is_shown[cell])
			continue;
		buf_addc(out, ' ');
		cell_title(cell, out);
		buf_adds(out, " |");
	}
	buf_adds(out, "\n|");
	for (cell = 0; cell < CELL_N; cell++) {
		bool is_left = cell == CELL_MARK || cell == CELL_NAME || cell == CELL_VERDICT;

		if (page->is_shown[cell])
			buf_adds(out, is_left ? "---|" : "---:|");
	}
	buf_addc(out, '\n');
}

static int add_row(const struct page *page, const struct row *row, struct buf *out, struct err *err)
{
	struct buf raw = BUF_INIT;
	enum cell cell;
	int rc = 0;

	buf_addc(out, '|');
	for (cell = 0; cell < CELL_N && !rc; cell++) {
		bool is_ours = cell != CELL_NAME && cell != CELL_BASE && cell != CELL_HEAD;

		if (!page->is_shown[cell])
			continue;
		buf_reset(&raw);
		rc = cell_add(cell, row, true, &raw, err) || buf_check(&raw, err) ? -1 : 0;
		buf_addc(out, ' ');
		if (is_ours)
			buf_adds(out, buf_str(&raw));
		else
			text_markdown(buf_str(&raw), out);
		if (cell == CELL_VERDICT && effect_of(row->bench))
			buf_addf(out, ": %s", effect_of(row->bench));
		buf_adds(out, " |");
	}
	buf_addc(out, '\n');
	buf_release(&raw);
	return rc ? -1 : buf_check(out, err);
}

static int add_table(const struct page *page, size_t limit, struct buf *out, struct err *err)
{
	struct buf row = BUF_INIT;
	size_t i;
	int rc = 0;

	add_head(page, out);
	for (i = 0; i < page->rows->n && !rc; i++) {
		buf_reset(&row);
		rc = add_row(page, &page->rows->v[i], &row, err);
		if (out->len + row.len + page->tail.len + RESERVE > limit)
			break;
		buf_add(out, row.data, row.len);
	}
	if (!rc && i < page->rows->n)
		buf_addf(out, "\n%zu more rows are left out here; `--format json` has them all.\n",
			 page->rows->n - i);
	buf_release(&row);
	return rc;
}

/* Adds a piece to the tail if there is room for it. */
static bool add_to_tail(struct page *page, const struct buf *piece)
{
	page->tail.failed |= piece->failed;
	if (page->tail.len + piece->len + RESERVE > page->tail_limit)
		return false;
	buf_add(&page->tail, buf_str(piece), piece->len);
	return true;
}

static void open_fold(struct page *page, const char *title)
{
	buf_addf(&page->tail, "\n<details>\n<summary>%s</summary>\n\n", title);
}

static void close_fold(struct page *page, size_t left_out)
{
	struct buf *tail = &page->tail;

	while (tail->len > 1 && tail->data[tail->len - 1] == '\n' &&
	       tail->data[tail->len - 2] == '\n')
		buf_truncate(tail, tail->len - 1);
	if (left_out)
		buf_addf(tail, "\n%zu more are left out here.\n", left_out);
	buf_adds(tail, "\n</details>\n");
}

/* "- LABELtext"; true when it was too long. */
static bool add_item(struct page *page, const char *label, const char *text)
{
	struct buf item = BUF_INIT;
	bool fits;

	buf_addf(&item, "- %s", label);
	text_markdown(text, &item);
	buf_addc(&item, '\n');
	fits = add_to_tail(page, &item);
	buf_release(&item);
	return !fits;
}

/* The same of a part of the context; true when it was too long. */
static bool add_part(struct page *page, const char *label,
		     void (*add)(const struct summary *s, struct buf *out))
{
	struct buf line = BUF_INIT;
	bool is_too_long;

	add(page->s, &line);
	is_too_long = add_item(page, label, buf_str(&line));
	page->tail.failed |= line.failed;
	buf_release(&line);
	return is_too_long;
}

static int add_context(struct page *page, struct err *err)
{
	const struct strv *warnings = &page->s->environment.warnings;
	struct strv remarks = STRV_INIT;
	size_t left_out = 0, i;
	int rc = context_remarks(page->s, page->rows, page->opt->verbose, &remarks, err);

	open_fold(page, "Commit, machine, baseline");
	left_out += add_part(page, "commit: ", context_commit);
	left_out += add_part(page, "machine: ", context_machine);
	left_out += add_part(page, "baseline: ", context_baseline);
	for (i = 0; i < remarks.n; i++)
		left_out += add_item(page, "", remarks.v[i]);
	for (i = 0; i < warnings->n; i++)
		left_out += add_item(page, "**warning:** ", warnings->v[i]);
	close_fold(page, left_out);
	strv_release(&remarks);
	return rc;
}

/* One line of preformatted text, as it is but harmless. */
static void add_pre_line(const char *line, struct buf *out)
{
	text_xml(line, out);
	buf_addc(out, '\n');
}

/* Name and notes of a row, or NULL: what many share; empty when there are none. */
static void make_notes(const struct row *row, const struct strv *notes, struct buf *out)
{
	size_t i;

	if (!notes->n)
		return;
	if (row) {
		buf_adds(out, "**");
		text_markdown(row->bench->name, out);
		buf_addf(out, "**: %s\n\n", row_word(row->kind));
	}
	buf_adds(out, "<pre>\n");
	for (i = 0; i < notes->n; i++)
		add_pre_line(notes->v[i], out);
	buf_adds(out, "</pre>\n\n");
}

static int add_notes(struct page *page, struct err *err)
{
	struct rows_notes notes = ROWS_NOTES_INIT;
	struct buf piece = BUF_INIT;
	size_t left_out = 0, i;
	bool is_open = false;
	int rc = 0;

	if (rows_notes_of(page->rows, page->opt->verbose, &notes, err))
		return -1;
	for (i = 0; i <= page->rows->n; i++) {
		buf_reset(&piece);
		make_notes(i ? &page->rows->v[i - 1] : NULL,
			   i ? &notes.of_row[i - 1] : &notes.shared, &piece);
		rc = buf_check(&piece, err);
		if (rc)
			break;
		if (piece.len == 0)
			continue;
		if (!is_open)
			open_fold(page, "Notes on the benchmarks");
		is_open = true;
		left_out += !add_to_tail(page, &piece);
	}
	if (is_open)
		close_fold(page, left_out);
	rows_notes_release(&notes);
	buf_release(&piece);
	return rc;
}

static int add_plot(struct page *page, struct err *err)
{
	struct render_options opt = *page->opt;
	struct buf plot = BUF_INIT, piece = BUF_INIT;
	char *line, *end;
	int rc;

	opt.colour = false;
	opt.utf8 = true;
	opt.width = 80;
	rc = render_plot(page->s, page->rows, &opt, &plot, err);
	buf_adds(&piece, "<pre>");
	for (line = plot.data; line && *line && !rc; line = end + 1) {
		end = strchr(line, '\n');
		*end = '\0';
		add_pre_line(line, &piece);
	}
	buf_adds(&piece, "</pre>\n");
	if (!rc && plot.len > 0) {
		open_fold(page, "Distributions");
		close_fold(page, !add_to_tail(page, &piece));
	}
	buf_release(&plot);
	buf_release(&piece);
	return rc;
}

int render_markdown(const struct summary *s, const struct render_options *opt, struct buf *out,
		    struct err *err)
{
	size_t limit = opt->limit == 0			 ? RENDER_LIMIT
		       : opt->limit < RENDER_LIMIT_LEAST ? RENDER_LIMIT_LEAST
							 : opt->limit;
	struct rows rows = { 0 };
	struct page page = { .s = s, .rows = &rows, .opt = opt, .tail_limit = limit / 3 };
	int rc = -1;

	if (rows_of(s, &rows, err))
		return -1;
	choose_columns(&page);
	if ((opt->plot && add_plot(&page, err)) || add_context(&page, err) ||
	    add_notes(&page, err) || buf_check(&page.tail, err))
		goto out;
	limit += out->len;
	buf_adds(out, "**");
	sentence_add(s, &rows, opt, put_markdown, out);
	buf_adds(out, "**\n");
	if (rows.n > 0) {
		buf_addc(out, '\n');
		if (add_table(&page, limit, out, err))
			goto out;
	}
	buf_add(out, buf_str(&page.tail), page.tail.len);
	rc = 0;
out:
	buf_release(&page.tail);
	rows_release(&rows);
	return rc;
}

int render_comment(const struct summary *s, const struct render_options *opt, struct buf *out,
		   struct err *err)
{
	struct render_options small = *opt;

	small.limit = RENDER_LIMIT_COMMENT - (sizeof(RENDER_MARK) - 1);
	buf_adds(out, RENDER_MARK);
	return render_markdown(s, &small, out, err);
}
