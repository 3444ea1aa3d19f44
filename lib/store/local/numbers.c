/*
 * numbers - which rows are of a commit: as its index says, and as the table does.
 *
 * Each of the two may be damaged alone: what an index has lost would be missing in silence, and an
 * older result be taken for the newest.  Both are where an index was made anew of a damaged table:
 * a row whose head does not fit its checksum is told, whose ever it was.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/digest/crc.h"
#include "lib/store/local/local.h"

#include "lib/base/banned.h"

static uint64_t key_of(const char *project, const char *commit)
{
	return crc64(crc64(0, project, strlen(project) + 1), commit, strlen(commit));
}

void numbers_release(struct numbers *n)
{
	free(n->v);
	*n = (struct numbers)NUMBERS_INIT;
}

static int add(struct numbers *to, struct number number, struct err *err)
{
	if (to->n == to->cap) {
		size_t cap = to->cap ? 2 * to->cap : 64;
		struct number *grown = realloc(to->v, cap * sizeof(*grown));

		if (!grown)
			return err_nomem(err);
		to->v = grown;
		to->cap = cap;
	}
	to->v[to->n++] = number;
	return 0;
}

static int read_rows(struct store *store, struct err *err)
{
	struct err why = ERR_INIT;
	struct db_query *st = NULL;
	int step = -1;

	if (db_start(&store->db, &st, err, "SELECT " STORE_HEAD " FROM result AS s NOT INDEXED",
		     ""))
		return -1;
	while ((step = db_step(&store->db, st, &why)) > 0) {
		struct number number = { 0 };
		struct err fault = ERR_INIT;
		struct row row;
		/* A damaged name may be any other's, in the index as well. */
		bool is_told =
			!row_head(st, &row, &fault) || store_pass_over(store, row.id, &fault, err);

		number.seq = row.seq;
		number.key = key_of(row.project, row.commit);
		if (!is_told || add(&store->table, number, err)) {
			db_end(st);
			return -1;
		}
	}
	db_end(st);
	if (step && why.code == ERR_CORRUPT)
		return store_say_damaged(store, err);
	if (step && err)
		*err = why;
	return step;
}

/*
 * The table's rows, read once for a handle: what others add later is in the index.  A table that
 * cannot be read to its end for damage is told, and what the index has is all there is.
 */
static int read_table(struct store *store, struct err *err)
{
	if (store->is_read)
		return 0;
	store->is_read = !read_rows(store, err);
	if (!store->is_read)
		numbers_release(&store->table);
	return store->is_read ? 0 : -1;
}

static int by_number(const void *a, const void *b)
{
	const struct number *x = a, *y = b;

	return (x->seq < y->seq) - (x->seq > y->seq);
}

static int read_index(struct store *store, const char *project, const char *commit,
		      struct numbers *out, struct err *err)
{
	struct number number = { .is_indexed = true };
	struct db_query *st = NULL;
	int step;

	if (db_start(&store->db, &st, err,
		     "SELECT seq FROM result WHERE project=?1 AND commit_id=?2", "tt", project,
		     commit))
		return -1;
	while ((step = db_step(&store->db, st, err)) > 0) {
		number.seq = db_integer(st, 0);
		if (add(out, number, err)) {
			step = -1;
			break;
		}
	}
	db_end(st);
	return step;
}

int numbers_of_commit(struct store *store, const char *project, const char *commit,
		      struct numbers *out, struct err *err)
{
	uint64_t key = key_of(project, commit);
	size_t i, k, indexed;

	if (read_index(store, project, commit, out, err) || read_table(store, err))
		return -1;
	indexed = out->n;
	for (i = 0; i < store->table.n; i++) {
		if (store->table.v[i].key != key)
			continue;
		for (k = 0; k < indexed && out->v[k].seq != store->table.v[i].seq; k++)
			;
		if (k == indexed && add(out, store->table.v[i], err))
			return -1;
	}
	if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), by_number);
	return 0;
}
