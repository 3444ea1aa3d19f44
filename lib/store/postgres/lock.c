/* Who writes: one at a time, also of several pawlds. */
#ifdef PAWL_LIBPQ

#include "lib/store/postgres/postgres.h"

#include "lib/base/banned.h"

/* One who writes waits for the others, and sees by the row whether one of them was there. */
int lock_ask(struct db *db, struct err *err)
{
	struct link *l = db->handle;
	struct db_query *q = NULL;
	int result;

	if (db_start(db, &q, err, "SELECT owner FROM pawl_mark FOR UPDATE", ""))
		return -1;
	result = postgres_send(db, q, &l->lock, err);
	db_end(q);
	return result;
}

void lock_leave(struct link *l)
{
	answer_leave(l->lock);
	l->lock = NULL;
}

int lock_settle(struct db *db, struct err *err)
{
	struct link *l = db->handle;
	const PGresult *r;
	int64_t owner;
	int result = -1;

	if (!l->lock)
		return 0;
	if (!l->lock->result && (link_ready(db, err) || link_collect(db, NULL, err)))
		goto out;
	r = l->lock->result;
	if (!r || !pq.ntuples(r)) {
		err_set(err, ERR_STORE, "'%s' is no ledger of pawld", db->path);
		goto out;
	}
	owner = (int64_t)postgres_take_number(pq.getvalue(r, 0, 0), pq.getlength(r, 0, 0));
	l->is_stale = owner != l->owner;
	result = l->is_stale ? db_run(db, err, "UPDATE pawl_mark SET owner=?1", "i", l->owner) : 0;
out:
	lock_leave(l);
	return result;
}

int lock_take(struct db *db, struct err *err)
{
	return lock_ask(db, err) || lock_settle(db, err) ? -1 : 0;
}

#else
typedef int libpq_is_absent;
#endif
