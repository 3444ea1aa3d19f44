#include "reporter/parts/reason.h"

#include "reporter/figures/cells.h"
#include "reporter/judge/effect.h"
#include "reporter/parts/notes.h"

#include "lib/base/banned.h"

#define MOST_NAMES 10 /* of those that share a reason */

/* Whether the delta says it all: the base and how far the head is from it. */
static bool is_moved(const struct row *row)
{
	return row->delta && (row->kind == ROW_REGRESSED || row->kind == ROW_ACCEPTED ||
			      row->kind == ROW_IMPROVED || row->kind == ROW_SUSPECT);
}

static void add_change(const struct summary *s, const struct row *row, struct buf *out)
{
	struct buf base = BUF_INIT;

	cell_base_name(s, row->bench, true, &base);
	buf_addf(out, "%s is ", row->gate->name);
	cell_change(row->gate, out);
	if (base.len)
		buf_addf(out, s->sides.base ? " than '%s'" : " than %s", buf_str(&base));
	out->failed |= base.failed;
	buf_release(&base);
	if (effect_of(row->bench))
		buf_addf(out, ": %s", effect_of(row->bench));
}

int reason_of_row(const struct summary *s, const struct row *row, struct buf *out, struct err *err)
{
	struct strv notes = STRV_INIT;
	const char *lead = "";
	size_t i, n;
	int rc = notes_of_row(row, false, &notes, err);

	if (!rc && is_moved(row)) {
		add_change(s, row, out);
		lead = "; ";
	}
	/* of a failure the first line says what is wrong, the others are its output */
	n = row->kind == ROW_FAILED && notes.n ? 1 : notes.n;
	for (i = 0; i < n && !rc; i++, lead = "; ")
		buf_addf(out, "%s%s", lead, notes.v[i]);
	if (!*lead)
		buf_adds(out, row_word(row->kind));
	strv_release(&notes);
	return rc ? -1 : buf_check(out, err);
}

size_t reason_count(const struct rows *rows, size_t i, size_t *out_first)
{
	if (out_first)
		*out_first = rows->v[i].alike;
	return rows->v[i].alike < i ? 0 : rows->v[i].n_alike;
}

void reason_whose(const struct rows *rows, size_t i, struct buf *out)
{
	size_t n = reason_count(rows, i, NULL), k, said = 0;

	if (n < 2) {
		buf_adds(out, rows->v[i].bench->name);
		return;
	}
	buf_addf(out, "%zu benchmarks (", n);
	for (k = i; k < rows->n && said < MOST_NAMES; k++)
		if (rows->v[k].alike == i)
			buf_addf(out, "%s%s", said++ ? ", " : "", rows->v[k].bench->name);
	buf_adds(out, n > said ? ", ...)" : ")");
}
