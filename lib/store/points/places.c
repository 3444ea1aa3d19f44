#include "lib/store/points/places.h"

#include "lib/base/buf.h"

#include "lib/base/banned.h"

struct one {
	int64_t project, commit, t; /* t: its date, or its first receipt where that is earlier */
};

/* As they came. */
static int list_all(struct db *db, struct buf *out, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(db, &st, err,
		     "SELECT c.project_id, c.commit_id, min(c.committed_us,"
		     " coalesce(min(r.received_us), c.committed_us)) FROM vcs_commit AS c"
		     " LEFT JOIN run AS r ON r.project_id=c.project_id AND r.commit_id=c.commit_id"
		     " WHERE c.committed_us IS NOT NULL"
		     " GROUP BY c.project_id, c.commit_id, c.committed_us"
		     " ORDER BY c.project_id, min(r.run_id)",
		     ""))
		return -1;
	while ((step = db_step(db, st, err)) > 0) {
		struct one one = { db_integer(st, 0), db_integer(st, 1), db_integer(st, 2) };

		buf_add(out, &one, sizeof(one));
	}
	db_end(st);
	return step ? -1 : buf_check(out, err);
}

/* Before its children and behind its first parent, of those that came before it. */
static int find_place(struct db *db, const struct one *c, int64_t *out, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(db, &st, err,
		     "SELECT p.place, (SELECT min(k.place) FROM vcs_commit AS k"
		     "  WHERE k.project_id=c.project_id AND k.apart=c.apart AND k.parent=c.sha"
		     "  AND k.place IS NOT NULL) FROM vcs_commit AS c LEFT JOIN vcs_commit AS p"
		     " ON p.project_id=c.project_id AND p.apart=c.apart AND p.sha=c.parent"
		     " WHERE c.project_id=?1 AND c.commit_id=?2",
		     "ii", c->project, c->commit))
		return -1;
	step = db_step(db, st, err);
	*out = c->t;
	if (step > 0 && !db_is_null(st, 1) && *out >= db_integer(st, 1))
		*out = db_integer(st, 1) - 1;
	if (step > 0 && !db_is_null(st, 0) && *out <= db_integer(st, 0))
		*out = db_integer(st, 0) + 1;
	db_end(st);
	return step < 0 ? -1 : 0;
}

int places_make(struct db *db, struct err *err)
{
	struct buf all = BUF_INIT;
	const struct one *c;
	int64_t place = 0;
	int result = list_all(db, &all, err);
	size_t i;

	c = (const struct one *)(const void *)all.data;
	for (i = 0; !result && i < all.len / sizeof(*c); i++)
		if (find_place(db, &c[i], &place, err) ||
		    db_run(db, err,
			   "UPDATE vcs_commit SET place=?3 WHERE project_id=?1 AND commit_id=?2",
			   "iii", c[i].project, c[i].commit, place))
			result = -1;
	buf_release(&all);
	return result;
}
