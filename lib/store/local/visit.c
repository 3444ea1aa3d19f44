#include "lib/store/local/visit.h"

#include <stdio.h>
#include <string.h>

#include "lib/record/narrow.h"
#include "lib/record/packed/pack.h"
#include "lib/store/local/local.h"

#include "lib/base/banned.h"

struct stored {
	struct store *store;
	int64_t seq;
	struct db_query *st;	 /* of its body, once it was asked for */
	struct db_query *points; /* likewise */
	struct row row;
};

static void copy_head(const struct row *row, struct store_row *out)
{
	snprintf(out->id, sizeof(out->id), "%s", row->id);
	snprintf(out->commit, sizeof(out->commit), "%s", row->commit);
	snprintf(out->machine, sizeof(out->machine), "%s", row->machine);
	out->finished_us = row->finished_us;
	out->dirty = row->dirty;
}

/* Reads the body: the pages of one that nobody asks for are not touched. */
static int read_body(struct stored *stored, struct err *err)
{
	struct db *db = &stored->store->db;
	int step;

	if (stored->st)
		return 0;
	if (db_start(db, &stored->st, err,
		     "SELECT " STORE_HEAD STORE_BODY " FROM result AS s WHERE seq=?1", "i",
		     stored->seq))
		return -1;
	step = db_step(db, stored->st, err);
	if (!step)
		return err_set(err, ERR_CORRUPT, "a row of '%s' is gone", db->path);
	return step < 0 || row_read(stored->st, &stored->row, err) ? -1 : 0;
}

int stored_points(struct stored *stored, struct points *out, struct err *err)
{
	struct db *db = &stored->store->db;
	const void *bytes;
	size_t n;

	if (stored->points || db_start(db, &stored->points, err,
				       "SELECT points FROM result WHERE seq=?1", "i", stored->seq))
		return -1;
	if (db_step(db, stored->points, err) < 0)
		return -1;
	bytes = db_bytes(stored->points, 0, &n);
	if (db_row_check(stored->points, err))
		return -1;
	if (!points_open(bytes, n, out, err))
		return 0;
	if (err && err->code == ERR_CORRUPT)
		err->code = ERR_NEWER;
	return -1;
}

int stored_summary(struct stored *stored, struct summary *out, struct err *err)
{
	return read_body(stored, err) ? -1 : row_decode(&stored->row, out, err);
}

static int unpack_bench(const struct row *row, const char *name, struct summary *out,
			struct err *err)
{
	struct packed packed = PACKED_INIT;
	struct summary s;
	size_t i;
	int result = -1;

	summary_init(&s);
	if (packed_open(row->packed, row->n_packed, &packed, err))
		return err_in(err, "stored result '%s'", row->id);
	i = packed_find(&packed, name);
	if (i == packed.n)
		err_set(err, ERR_ABSENT, "no benchmark '%s'", name);
	else if (packed_head(&packed, &s, err) || packed_bench(&packed, i, &s, err))
		err_in(err, "stored result '%s'", row->id);
	else
		result = 0;
	packed_release(&packed);
	if (result)
		summary_release(&s);
	else
		*out = s;
	return result;
}

/* Of a document nothing but that benchmark is decoded. */
static int decode_bench(const struct row *row, const char *name, struct summary *out,
			struct err *err)
{
	struct buf narrowed = BUF_INIT;
	int result = summary_narrow(row->json, row->n, name, &narrowed, err);

	if (!result)
		result = summary_decode(narrowed.data, narrowed.len, out, err);
	if (result && err && err->code != ERR_ABSENT)
		err_in(err, "stored result '%s'", row->id);
	buf_release(&narrowed);
	return result;
}

int stored_bench(struct stored *stored, const char *name, struct summary *out, struct err *err)
{
	const struct row *row = &stored->row;

	if (read_body(stored, err))
		return -1;
	return row->is_packed ? unpack_bench(row, name, out, err)
			      : decode_bench(row, name, out, err);
}

/* Which rows: of that project and machine (NULL: any). */
struct wanted {
	const char *project, *machine;
};

static bool is_wanted(const struct wanted *wanted, const struct row *row)
{
	return !strcmp(row->project, wanted->project) &&
	       (!wanted->machine || !strcmp(row->machine, wanted->machine));
}

/* 0: taken, or not wanted; 1: damaged; -1: failed. */
static int visit_row(struct store *store, struct db_query *st, const struct wanted *wanted,
		     const struct store_visitor *visitor, struct err *err)
{
	struct stored stored = { .store = store };
	struct err why = ERR_INIT;
	struct store_row head;
	struct row row;
	int result = row_head(st, &row, &why);

	copy_head(&row, &head);
	if (!result && is_wanted(wanted, &row) && visitor->want(visitor->ctx, &head) &&
	    visitor->take) {
		stored.seq = row.seq;
		result = visitor->take(visitor->ctx, &head, &stored, &why);
		db_end(stored.st);
		db_end(stored.points);
	}
	if (!result)
		return 0;
	if (why.code == ERR_CORRUPT)
		return store_pass_over(store, head.id, &why, err) ? 1 : -1;
	if (err)
		*err = why;
	return -1;
}

int store_visit(struct store *store, const char *project, const char *machine,
		const struct store_visitor *visitor, size_t *out_damaged, struct err *err)
{
	const struct wanted wanted = { project, machine };
	struct db_query *st = NULL;
	size_t damaged = 0;
	int step;

	/*
	 * By an index the rows would have to be sorted.  Whose they are is looked at here: one with
	 * a damaged name would be nobody's in SQL, and missing without a word.
	 */
	if (db_start(&store->db, &st, err,
		     "SELECT " STORE_HEAD " FROM result AS s NOT INDEXED ORDER BY seq DESC", ""))
		return -1;
	while ((step = db_step(&store->db, st, err)) > 0) {
		int seen = visit_row(store, st, &wanted, visitor, err);

		damaged += seen > 0;
		if (seen < 0) {
			step = -1;
			break;
		}
	}
	db_end(st);
	*out_damaged = damaged;
	return step < 0 ? -1 : 0;
}
