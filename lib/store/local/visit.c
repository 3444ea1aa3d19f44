#include "lib/store/local/visit.h"

#include <stdio.h>

#include "lib/store/local/local.h"

#include "lib/base/banned.h"

/* The row's head, without touching the pages that hold its document. */
static void read_head(struct sqlite3_stmt *st, struct store_row *out)
{
	snprintf(out->id, sizeof(out->id), "%s", db_text(st, 0));
	snprintf(out->commit, sizeof(out->commit), "%s", db_text(st, 2));
	snprintf(out->machine, sizeof(out->machine), "%s", db_text(st, 3));
	out->finished_us = db_integer(st, 4);
	out->dirty = db_integer(st, 5) != 0;
}

int store_visit(struct store *store, const char *project, const char *machine,
		const struct store_visitor *visitor, size_t *out_damaged, struct err *err)
{
	struct sqlite3_stmt *st = NULL;
	struct store_row head;
	size_t damaged = 0;
	struct row row;
	int step;

	/* By an index the rows would have to be sorted, documents and all. */
	if (db_start(&store->db, &st, err,
		     "SELECT " STORE_ROW_COLUMNS " FROM summary AS s NOT INDEXED"
		     " WHERE project=?1 AND (?2 IS NULL OR machine=?2) ORDER BY seq DESC",
		     "tt", project, machine))
		return -1;
	while ((step = db_step(&store->db, st, err)) > 0) {
		read_head(st, &head);
		if (!visitor->want(visitor->ctx, &head))
			continue;
		if (row_read(st, &row, NULL)) {
			damaged++;
			continue;
		}
		if (visitor->take(visitor->ctx, &head, row.json, row.n, err)) {
			step = -1;
			break;
		}
	}
	db_end(st);
	*out_damaged = damaged;
	return step < 0 ? -1 : 0;
}
