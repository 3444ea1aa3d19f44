/*
 * home - the chunk that points of a series are folded into.
 */
#ifndef PAWL_STORE_POINTS_HOME_H
#define PAWL_STORE_POINTS_HOME_H

#include "lib/store/points/chunk.h"
#include "lib/store/points/tail.h"

/* The chunk that a point belongs to; a project's points before its first one go there, too. */
struct home {
	bool is_there;
	struct chunk_key key;
	struct point_list list;
	bool is_last;
	int64_t next_t, next_run; /* where the one behind it begins */
};

/* Asks for the chunk before a point, or that it is in, and two behind it. */
int home_ask(struct db *db, const struct ledger_point *p, struct db_query **out, struct err *err);

/*
 * Takes the answer; out->list.points for the caller to free, also where it fails.
 * Errors: ERR_CORRUPT, it is damaged; those of the database.
 */
int home_find(struct db *db, struct db_query *st, const struct ledger_point *p, struct home *out,
	      struct err *err);

/* Whether a point belongs into it: the next one does not begin before it. */
bool home_takes(const struct home *h, const struct ledger_point *p);

#endif
