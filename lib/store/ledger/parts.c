/* Runs whose suite several jobs measured, put together again: what is there of each. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/store/ledger/local.h"

#include "lib/base/banned.h"

/* One run of a suite, while its rows come: ordered by count and group, newest part first. */
struct parts {
	char *group; /* NULL: none was named */
	int64_t count;
	bool has[SUMMARY_MAX_SHARDS];
	char *split; /* of the newest part */
	bool differs, open;
};

static bool is_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void write_ints(struct jsonw *w, const char *key, const struct parts *p, bool there)
{
	int64_t i;

	jsonw_key(w, key);
	jsonw_array(w);
	for (i = 0; i < p->count; i++)
		if (p->has[i] == there)
			jsonw_integer(w, i + 1);
	jsonw_array_end(w);
}

static void close_parts(struct parts *p, struct jsonw *w)
{
	bool complete = true;
	int64_t i;

	if (!p->open)
		return;
	for (i = 0; i < p->count; i++)
		complete &= p->has[i];
	jsonw_object(w);
	jsonw_kstring(w, "group", p->group);
	jsonw_kinteger(w, "count", p->count);
	write_ints(w, "have", p, true);
	write_ints(w, "missing", p, false);
	jsonw_kbool(w, "same_split", !p->differs);
	jsonw_kbool(w, "complete", complete && !p->differs);
	jsonw_object_end(w);
	p->open = false;
}

static int open_parts(struct parts *p, const char *group, int64_t count, const char *split,
		      struct err *err)
{
	memset(p->has, 0, sizeof(p->has));
	p->count = count;
	p->differs = false;
	p->open = true;
	return str_set(&p->group, group, err) || str_set(&p->split, split, err) ? -1 : 0;
}

/* A part that was measured again replaces the older one. */
static int take_row(struct parts *p, struct db_query *st, struct jsonw *w, struct err *err)
{
	int64_t index = db_integer(st, 0), count = db_integer(st, 1);
	const char *group = db_is_null(st, 2) ? NULL : db_text(st, 2);
	const char *split = db_is_null(st, 3) ? NULL : db_text(st, 3);

	if (index < 1 || index > count || count > SUMMARY_MAX_SHARDS)
		return 0;
	if (!p->open || p->count != count || !is_same(p->group, group)) {
		close_parts(p, w);
		if (open_parts(p, group, count, split, err))
			return -1;
	}
	if (p->has[index - 1])
		return 0;
	p->has[index - 1] = true;
	p->differs |= !is_same(p->split, split);
	return 0;
}

int ledger_write_parts(struct ledger *l, struct jsonw *w, int64_t project, int64_t commit,
		       struct err *err)
{
	struct db_query *st = NULL;
	struct parts p = { .group = NULL };
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT r.shard, r.shards, r.shard_group, r.shard_split FROM run AS r"
		     " INDEXED BY run_by_commit"
		     " JOIN (SELECT shards AS n, shard_group AS g, max(" MEASURED_OF(
			     "r") ") AS newest, max(run_id) AS last"
				  " FROM run AS r"
				  "  INDEXED BY run_by_commit"
				  "  WHERE project_id=?1 AND commit_id=?2 AND shard IS NOT NULL "
				  "AND dirty=0"
				  "  AND " IS_SHOWN "  GROUP BY shards, shard_group) AS q"
				  "  ON q.n=r.shards AND (q.g=r.shard_group OR (q.g IS NULL AND"
				  " r.shard_group IS NULL))"
				  " WHERE r.project_id=?1 AND r.commit_id=?2 AND r.dirty=0 "
				  "AND " IS_SHOWN
				  " ORDER BY q.newest DESC, q.last DESC, " MEASURED_OF(
					  "r") " DESC, r.run_id DESC",
		     "ii", project, commit))
		return -1;
	jsonw_key(w, "parts");
	jsonw_array(w);
	while ((step = db_step(&l->db, st, err)) > 0)
		if (take_row(&p, st, w, err)) {
			step = -1;
			break;
		}
	close_parts(&p, w);
	jsonw_array_end(w);
	db_end(st);
	free(p.group);
	free(p.split);
	return step < 0 ? -1 : 0;
}
