/* How stored results are found again. */
#include "lib/store/local/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/store/local/local.h"

#include "lib/base/banned.h"

/* Which rows: all, or those without uncommitted changes, or those that may be a baseline. */
struct wanted {
	const char *project, *commit; /* NULL: of whichever the statement gives */
	bool clean, baseline;
	const char *machine; /* NULL: of any */
};

static bool is_wanted(const struct wanted *wanted, const struct row *row)
{
	return (!wanted->clean || !row->dirty) && (!wanted->baseline || row->usable) &&
	       (!wanted->machine || !strcmp(row->machine, wanted->machine));
}

/* Whether an intact row is of the commit.  The index and the table must agree about that. */
static int is_of_commit(struct store *store, const struct wanted *wanted, const struct row *row,
			bool is_indexed, struct err *err)
{
	bool is = !wanted->commit ||
		  (!strcmp(row->project, wanted->project) && !strcmp(row->commit, wanted->commit));

	if (is != is_indexed && wanted->commit && store_say_damaged(store, err))
		return -1;
	return is;
}

/*
 * 1: *out is the result of the current row; 0: it is not wanted, or passed over, *why tells; -1:
 * failed.  What it is counts only once its checksum fits: in SQL a damaged one would be none.
 */
static int take_row(struct store *store, struct db_query *st, const struct wanted *wanted,
		    bool is_indexed, struct summary *out, struct err *why, struct err *err)
{
	struct row row;

	err_clear(why);
	if (!row_read(st, &row, why)) {
		int is = is_of_commit(store, wanted, &row, is_indexed, err);

		if (is <= 0 || !is_wanted(wanted, &row))
			return is < 0 ? -1 : 0;
		if (!row_decode(&row, out, why))
			return 1;
	}
	return store_pass_over(store, row.id, why, err) ? 0 : -1;
}

/* As take_row(), of the row of that number; one that is not there is not wanted. */
static int take_number(struct store *store, const struct number *number,
		       const struct wanted *wanted, struct summary *out, struct err *why,
		       struct err *err)
{
	struct db_query *st = NULL;
	int result;

	if (db_start(&store->db, &st, err,
		     "SELECT " STORE_HEAD STORE_BODY " FROM result AS s WHERE seq=?1", "i",
		     number->seq))
		return -1;
	result = db_step(&store->db, st, err);
	if (result > 0)
		result = take_row(store, st, wanted, number->is_indexed, out, why, err);
	else if (!result && number->is_indexed)
		result = store_say_damaged(store, err);
	db_end(st);
	return result;
}

/* Nothing intact was found: where something is damaged, that is the fault itself. */
static int found_none(struct store *store, size_t before, const struct err *first, struct err *err)
{
	if (!first->code)
		return err_set(err, ERR_ABSENT, "no stored result");
	strv_cut(&store->passed_over, before);
	if (err)
		*err = *first;
	return -1;
}

static int add_wanted(struct store *store, const struct wanted *wanted, size_t max,
		      struct history *out, struct err *err)
{
	struct numbers numbers = NUMBERS_INIT;
	struct err why = ERR_INIT;
	size_t first = out->n, i;
	struct summary s;
	int result = numbers_of_commit(store, wanted->project, wanted->commit, &numbers, err);

	for (i = 0; !result && i < numbers.n && out->n - first < max; i++) {
		int taken = take_number(store, &numbers.v[i], wanted, &s, &why, err);

		if (taken < 0)
			result = -1;
		if (taken > 0 && history_add(out, &s, err)) {
			summary_release(&s);
			result = -1;
		}
	}
	numbers_release(&numbers);
	return result;
}

int store_baselines(struct store *store, const char *project, const char *commit,
		    const char *machine, size_t max, struct history *out, struct err *err)
{
	const struct wanted wanted = { project, commit, true, true, machine };

	return add_wanted(store, &wanted, max, out, err);
}

int store_results(struct store *store, const char *project, const char *commit, const char *machine,
		  size_t max, struct history *out, struct err *err)
{
	const struct wanted wanted = { project, commit, true, false, machine };

	return add_wanted(store, &wanted, max, out, err);
}

/* A damaged one is passed over, and is the answer only when nothing better follows. */
static int newest_of_commit(struct store *store, const struct wanted *wanted, struct summary *out,
			    struct err *err)
{
	struct numbers numbers = NUMBERS_INIT;
	struct err why = ERR_INIT, first = ERR_INIT;
	size_t before = store->passed_over.n, i;
	int taken = numbers_of_commit(store, wanted->project, wanted->commit, &numbers, err);

	for (i = 0; !taken && i < numbers.n; i++) {
		taken = take_number(store, &numbers.v[i], wanted, out, &why, err);
		if (!taken && !first.code)
			first = why;
	}
	numbers_release(&numbers);
	if (!taken)
		return found_none(store, before, &first, err);
	return taken > 0 ? 0 : -1;
}

/* The first intact row of a started statement, which it ends; likewise. */
static int first_intact(struct store *store, struct db_query *st, struct summary *out,
			struct err *err)
{
	const struct wanted all = { NULL, NULL, false, false, NULL };
	struct err why = ERR_INIT, first = ERR_INIT;
	size_t before = store->passed_over.n;
	int step, taken = 0;

	while (!taken && (step = db_step(&store->db, st, err)) > 0) {
		taken = take_row(store, st, &all, true, out, &why, err);
		if (!taken && !first.code)
			first = why;
	}
	db_end(st);
	if (taken > 0)
		return 0;
	return taken < 0 || step < 0 ? -1 : found_none(store, before, &first, err);
}

int store_latest(struct store *store, const char *project, const char *commit, struct summary *out,
		 struct err *err)
{
	const struct wanted wanted = { project, commit, false, false, NULL };
	struct db_query *st = NULL;

	if (commit)
		return newest_of_commit(store, &wanted, out, err);
	return db_start(&store->db, &st, err,
			"SELECT " STORE_HEAD STORE_BODY " FROM result AS s"
			" WHERE project=?1 ORDER BY seq DESC",
			"t", project)
		       ? -1
		       : first_intact(store, st, out, err);
}

int store_get(struct store *store, const char *id, struct summary *out, struct err *err)
{
	struct db_query *st = NULL;

	if (db_start(&store->db, &st, err,
		     "SELECT " STORE_HEAD STORE_BODY " FROM result AS s WHERE id=?1", "t", id))
		return -1;
	return first_intact(store, st, out, err);
}

static void copy_text(char *out, size_t size, const char *text)
{
	snprintf(out, size, "%s", text);
}

int store_list(struct store *store, const char *project, size_t limit, struct store_row **out,
	       size_t *out_n, struct err *err)
{
	struct db_query *st = NULL;
	struct store_row *rows = NULL;
	size_t n = 0, cap = 0;
	struct row row;
	int step = -1;

	if (db_start(&store->db, &st, err,
		     "SELECT " STORE_HEAD STORE_NO_BODY " FROM result AS s WHERE project=?1"
		     " ORDER BY seq DESC",
		     "t", project))
		return -1;
	while (n < limit && (step = db_step(&store->db, st, err)) > 0) {
		struct err why = ERR_INIT;

		if (row_read(st, &row, &why)) {
			if (store_pass_over(store, row.id, &why, err))
				continue;
			step = -1;
			break;
		}
		if (n == cap) {
			struct store_row *grown;

			cap = cap ? 2 * cap : 64;
			grown = realloc(rows, cap * sizeof(*rows));
			if (!grown) {
				step = err_nomem(err);
				break;
			}
			rows = grown;
		}
		copy_text(rows[n].id, sizeof(rows[n].id), row.id);
		copy_text(rows[n].commit, sizeof(rows[n].commit), row.commit);
		copy_text(rows[n].machine, sizeof(rows[n].machine), row.machine);
		rows[n].finished_us = row.finished_us;
		rows[n].dirty = row.dirty;
		n++;
	}
	db_end(st);
	if (step < 0 && limit) {
		free(rows);
		return -1;
	}
	*out = rows;
	*out_n = n;
	return 0;
}

int store_other_project(struct store *store, const char *project, struct buf *out, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(&store->db, &st, err,
		     "SELECT project FROM result WHERE NOT EXISTS"
		     " (SELECT 1 FROM result WHERE project=?1) ORDER BY seq DESC LIMIT 1",
		     "t", project))
		return -1;
	step = db_step(&store->db, st, err);
	if (step > 0 && db_text(st, 0))
		buf_adds(out, db_text(st, 0));
	db_end(st);
	return step < 0 ? -1 : buf_check(out, err);
}
