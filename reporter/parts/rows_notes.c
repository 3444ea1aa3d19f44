#include "reporter/parts/rows_notes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/buf.h"
#include "reporter/parts/advice.h"
#include "reporter/parts/notes.h"

#include "lib/base/banned.h"

/* One note of one row. */
struct place {
	const char *text;
	size_t row, at;
	size_t n_rows; /* that have it */
	uint64_t rows; /* a digest of which these are */
};

void rows_notes_release(struct rows_notes *notes)
{
	size_t i;

	for (i = 0; i < notes->n; i++)
		strv_release(&notes->of_row[i]);
	free(notes->of_row);
	strv_release(&notes->shared);
	*notes = (struct rows_notes)ROWS_NOTES_INIT;
}

static int by_text(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = strcmp(x->text, y->text);

	if (!order)
		order = (x->row > y->row) - (x->row < y->row);
	return order ? order : (x->at > y->at) - (x->at < y->at);
}

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = (x->row > y->row) - (x->row < y->row);

	return order ? order : (x->at > y->at) - (x->at < y->at);
}

static uint64_t and_row(uint64_t rows, size_t row)
{
	return (rows ^ (row + 1)) * UINT64_C(0x9e3779b97f4a7c15);
}

/* All notes in the order of the rows, each with the number of rows that have it. */
static struct place *count_all(const struct rows_notes *notes, size_t *out_n, struct err *err)
{
	struct place *all;
	size_t n = 0, i, k, from, to;

	for (i = 0; i < notes->n; i++)
		n += notes->of_row[i].n;
	all = calloc(n + 1, sizeof(*all));
	if (!all) {
		err_nomem(err);
		return NULL;
	}
	for (i = n = 0; i < notes->n; i++)
		for (k = 0; k < notes->of_row[i].n; k++)
			all[n++] = (struct place){ notes->of_row[i].v[k], i, k, 0, 0 };
	qsort(all, n, sizeof(*all), by_text);
	for (from = 0; from < n; from = to) {
		uint64_t rows = and_row(0, all[from].row);
		size_t n_rows = 1;

		for (to = from + 1; to < n && !strcmp(all[to].text, all[from].text); to++)
			if (all[to].row != all[to - 1].row) {
				rows = and_row(rows, all[to].row);
				n_rows++;
			}
		for (k = from; k < to; k++) {
			all[k].n_rows = n_rows;
			all[k].rows = rows;
		}
	}
	qsort(all, n, sizeof(*all), by_place);
	*out_n = n;
	return all;
}

/* A note that many have, or why all fail that do: then it is clear whose it is. */
static bool is_shared(const struct rows *rows, const struct place *p)
{
	return p->n_rows > ROWS_NOTES_MOST ||
	       (p->n_rows > 1 && rows->v[p->row].kind == ROW_FAILED &&
		p->n_rows == rows->count[ROW_FAILED]);
}

/* Moves what they share, in the order in which it comes first. */
static int share(const struct rows *rows_in, struct rows_notes *notes, struct err *err)
{
	struct strv *rows = calloc(notes->n + 1, sizeof(*rows)), said = STRV_INIT;
	size_t n = 0, i;
	uint64_t before = 0;
	struct place *all = rows ? count_all(notes, &n, err) : NULL;
	int rc = -1;

	if (!rows)
		err_nomem(err);
	if (!all)
		goto out;
	for (i = 0; i < n; i++) {
		const struct place *p = &all[i];
		struct strv *to = is_shared(rows_in, p) ? NULL : &rows[p->row];

		if (to && strv_add(to, p->text, err))
			goto out;
		if (to || strv_has(&said, p->text))
			continue;
		/* the lines of one failure are one block */
		if (strv_add(&said, p->text, err) ||
		    (before == p->rows ? strv_addf(&notes->shared, err, "  %s", p->text)
				       : strv_addf(&notes->shared, err, "%zu benchmarks: %s",
						   p->n_rows, p->text)))
			goto out;
		before = p->rows;
	}
	for (i = 0; i < notes->n; i++) {
		strv_release(&notes->of_row[i]);
		notes->of_row[i] = rows[i];
		rows[i] = (struct strv)STRV_INIT;
	}
	rc = 0;
out:
	for (i = 0; rows && i < notes->n; i++)
		strv_release(&rows[i]);
	free(rows);
	free(all);
	strv_release(&said);
	return rc;
}

/* ---- what is undecided -------------------------------------------------------------------- */

struct undecided {
	size_t n, fewest, most; /* rows; pairs that they had */
	bool paired, has_advice;
	struct advice advice;
};

static void add_one(const struct row *row, struct undecided *u)
{
	size_t n = row->gate->n;
	struct advice one;

	u->fewest = !u->n || n < u->fewest ? n : u->fewest;
	u->most = n > u->most ? n : u->most;
	u->paired = row->bench->paired && (!u->n || u->paired);
	u->n++;
	if (advice_of(row, &one)) {
		if (u->has_advice)
			advice_join(&u->advice, &one);
		else
			u->advice = one;
		u->has_advice = true;
	}
}

/* The closing sentence gives the advice where nothing worse is to be said. */
static bool says_advice(const struct rows *rows)
{
	return rows->count[ROW_REGRESSED] || rows->count[ROW_FAILED] || rows->count[ROW_SUSPECT] ||
	       rows->count[ROW_ACCEPTED] || rows->count[ROW_IMPROVED];
}

static int add_undecided(const struct rows *rows, const struct undecided *u, struct strv *out,
			 struct err *err)
{
	struct buf line = BUF_INIT;
	int rc;

	buf_addf(&line, "%zu benchmarks: undecided after %zu", u->n, u->fewest);
	if (u->most > u->fewest)
		buf_addf(&line, " to %zu", u->most);
	buf_addf(&line, " %s%s%s", u->paired ? "pair" : "run", u->most == 1 ? "" : "s",
		 u->paired ? " of runs" : "");
	if (u->has_advice && says_advice(rows)) {
		buf_adds(&line, "; ");
		advice_add(&u->advice, &line);
	}
	rc = strv_take(out, &line, err);
	buf_release(&line);
	return rc;
}

static int share_undecided(const struct rows *rows, struct rows_notes *notes, struct err *err)
{
	struct undecided u = { .n = 0 };
	struct buf line = BUF_INIT;
	size_t i, k;
	int rc = -1;

	for (i = 0; i < rows->n; i++)
		if (notes_only_undecided(&rows->v[i], NULL))
			add_one(&rows->v[i], &u);
	if (u.n <= ROWS_NOTES_MOST)
		return 0;
	for (i = 0; i < rows->n; i++) {
		struct strv kept = STRV_INIT, *now = &notes->of_row[i];

		buf_reset(&line);
		if (!notes_only_undecided(&rows->v[i], &line))
			continue;
		for (k = 0; k < now->n; k++)
			if (strcmp(now->v[k], buf_str(&line)) != 0 &&
			    strv_add(&kept, now->v[k], err)) {
				strv_release(&kept);
				goto out;
			}
		strv_release(now);
		*now = kept;
	}
	rc = add_undecided(rows, &u, &notes->shared, err);
out:
	buf_release(&line);
	return rc;
}

int rows_notes_of(const struct rows *rows, bool verbose, struct rows_notes *out, struct err *err)
{
	size_t i;

	*out = (struct rows_notes)ROWS_NOTES_INIT;
	out->of_row = calloc(rows->n + 1, sizeof(*out->of_row));
	if (!out->of_row)
		return err_nomem(err);
	out->n = rows->n;
	for (i = 0; i < rows->n; i++)
		if (notes_of_row(&rows->v[i], verbose, &out->of_row[i], err))
			goto fail;
	if (!verbose && (share_undecided(rows, out, err) || share(rows, out, err)))
		goto fail;
	return 0;
fail:
	rows_notes_release(out);
	return -1;
}
