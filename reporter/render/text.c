/*
 * On a narrow terminal columns go in this order: detectable change, base, head, interval, delta;
 * then the names are cut in the middle.  Prose is wrapped between words.
 */
#include "reporter/render/render.h"

#include "reporter/figures/cells.h"
#include "reporter/figures/rows.h"
#include "reporter/judge/effect.h"
#include "reporter/parts/context.h"
#include "reporter/parts/plot.h"
#include "reporter/parts/rows_notes.h"
#include "reporter/parts/sentence.h"
#include "reporter/text/table.h"
#include "reporter/text/terminal.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

#define SKIPPED_MOST 5 /* rows of what was not measured: a list of names is of no use */

/* Untrusted text as wrapped lines in one ink. */
static void add_lines(const char *text, const struct render_options *opt, enum ink ink,
		      const char *first, const char *rest, struct buf *out)
{
	bool colour = opt->colour && ink != INK_PLAIN;
	struct buf visible = BUF_INIT;

	text_visible(text, opt->utf8, &visible);
	terminal_ink(ink, colour, out);
	text_wrap(buf_str(&visible), opt->width, first, rest, out);
	if (colour && !out->failed) {
		buf_truncate(out, out->len - 1);
		terminal_ink(INK_PLAIN, true, out);
		buf_addc(out, '\n');
	}
	out->failed |= visible.failed;
	buf_release(&visible);
}

static void add_heading(const struct summary *s, const struct render_options *opt, struct buf *out)
{
	static const struct {
		void (*add)(const struct summary *s, struct buf *out);
		const char *label;
		enum ink ink;
	} lines[] = {
		{ context_commit, "", INK_BOLD },
		{ context_machine, "machine: ", INK_PLAIN },
		{ context_baseline, "baseline: ", INK_PLAIN },
	};
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct buf line = BUF_INIT;

		lines[i].add(s, &line);
		add_lines(buf_str(&line), opt, lines[i].ink, lines[i].label, "  ", out);
		out->failed |= line.failed;
		buf_release(&line);
	}
}

/* Another answer is a warning, however fast it came. */
static enum ink ink_of(const struct row *row)
{
	enum ink ink = row_ink(row->kind);

	return row->bench->output == OUTPUT_DIFFERS && ink != INK_RED ? INK_YELLOW : ink;
}

static int add_row(struct table *table, const struct row *row, const struct render_options *opt,
		   struct err *err)
{
	struct buf raw = BUF_INIT, visible = BUF_INIT;
	enum cell cell;
	int rc = -1;

	for (cell = 0; cell < CELL_N; cell++) {
		bool is_verdict = cell == CELL_MARK || cell == CELL_VERDICT;

		buf_reset(&raw);
		buf_reset(&visible);
		if (cell_add(cell, row, opt->utf8, &raw, err) || buf_check(&raw, err))
			goto out;
		text_visible(buf_str(&raw), opt->utf8, &visible);
		if (buf_check(&visible, err))
			goto out;
		table_cell(table, buf_str(&visible), is_verdict ? ink_of(row) : INK_PLAIN);
	}
	rc = 0;
out:
	buf_release(&raw);
	buf_release(&visible);
	return rc;
}

static int add_notes(struct table *table, const struct row *row, const struct strv *notes,
		     const struct render_options *opt, struct err *err)
{
	struct buf visible = BUF_INIT;
	size_t i;
	int rc = 0;

	if (effect_of(row->bench))
		table_note(table, effect_of(row->bench));
	for (i = 0; i < notes->n && !rc; i++) {
		buf_reset(&visible);
		text_visible(notes->v[i], opt->utf8, &visible);
		rc = buf_check(&visible, err);
		if (!rc)
			table_note(table, buf_str(&visible));
	}
	buf_release(&visible);
	return rc;
}

static int add_table(const struct rows *rows, const struct rows_notes *notes,
		     const struct render_options *opt, struct buf *out, struct err *err)
{
	static const struct table_column columns[CELL_N] = {
		[CELL_MARK] = { "", false, false, 0, 0 },
		[CELL_NAME] = { "benchmark", false, true, 0, 1 },
		[CELL_BASE] = { "base", true, false, 2, 2 },
		[CELL_HEAD] = { "head", true, false, 3, 2 },
		[CELL_DELTA] = { "delta", true, false, 5, 2 },
		[CELL_INTERVAL] = { "interval", true, false, 4, 2 },
		[CELL_VERDICT] = { "verdict", false, false, 0, 2 },
		[CELL_FLOOR] = { "detectable", true, false, 1, 2 },
	};
	struct table table;
	size_t i;
	int rc = 0;

	buf_addc(out, '\n');
	table_init(&table, columns, CELL_N);
	for (i = 0; i < rows->n && !rc; i++) {
		if (rows->v[i].kind == ROW_SKIPPED && rows->count[ROW_SKIPPED] > SKIPPED_MOST)
			continue; /* the closing sentence counts them */
		rc = add_row(&table, &rows->v[i], opt, err) ||
				     add_notes(&table, &rows->v[i], &notes->of_row[i], opt, err)
			     ? -1
			     : 0;
	}
	if (!rc)
		rc = table_print(&table, opt->width, opt->utf8, opt->colour, out, err);
	table_release(&table);
	return rc;
}

static int add_remarks(const struct summary *s, const struct rows *rows,
		       const struct rows_notes *notes, const struct render_options *opt,
		       struct buf *out, struct err *err)
{
	struct strv remarks = STRV_INIT;
	size_t i;
	int rc = context_remarks(s, rows, opt->verbose, &remarks, err);

	if (!rc && notes->shared.n + remarks.n + s->environment.warnings.n > 0)
		buf_addc(out, '\n');
	for (i = 0; i < notes->shared.n && !rc; i++)
		add_lines(notes->shared.v[i], opt, INK_PLAIN, "", "  ", out);
	for (i = 0; i < remarks.n && !rc; i++)
		add_lines(remarks.v[i], opt, INK_DIM, "", "  ", out);
	for (i = 0; i < s->environment.warnings.n && !rc; i++)
		add_lines(s->environment.warnings.v[i], opt, INK_YELLOW, "warning: ", "  ", out);
	strv_release(&remarks);
	return rc;
}

static void put_visible(const char *text, const struct render_options *opt, struct buf *out)
{
	text_visible(text, opt->utf8, out);
}

static void add_sentence(const struct summary *s, const struct rows *rows,
			 const struct render_options *opt, struct buf *out)
{
	struct buf sentence = BUF_INIT;

	sentence_add(s, rows, opt, put_visible, &sentence);
	buf_addc(out, '\n');
	terminal_ink(INK_BOLD, opt->colour, out);
	text_wrap(buf_str(&sentence), opt->width, "", "", out);
	if (opt->colour && !out->failed) {
		buf_truncate(out, out->len - 1);
		terminal_ink(INK_PLAIN, true, out);
		buf_addc(out, '\n');
	}
	out->failed |= sentence.failed;
	buf_release(&sentence);
}

int render_text(const struct summary *s, const struct render_options *opt, struct buf *out,
		struct err *err)
{
	struct rows_notes notes = ROWS_NOTES_INIT;
	struct rows rows = { 0 };
	int rc = -1;

	if (rows_of(s, &rows, err))
		return -1;
	add_heading(s, opt, out);
	if (rows_notes_of(&rows, opt->verbose, &notes, err))
		goto out;
	if (rows.n > 0 && add_table(&rows, &notes, opt, out, err))
		goto out;
	if (add_remarks(s, &rows, &notes, opt, out, err))
		goto out;
	if (opt->plot && render_plot(s, &rows, opt, out, err))
		goto out;
	add_sentence(s, &rows, opt, out);
	rc = 0;
out:
	rows_notes_release(&notes);
	rows_release(&rows);
	return rc;
}
