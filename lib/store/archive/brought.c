#include "lib/store/archive/brought.h"

#include <string.h>

#include "lib/store/audit.h"

#include "lib/base/banned.h"

int brought_is_decided(struct db *db, const struct retraction *r, struct err *err)
{
	int64_t one;
	int found = db_get(db, &one, err,
			   "SELECT 1 FROM audit AS a JOIN project AS p ON p.project_id=a.project_id"
			   " WHERE p.name=?1 AND a.id=?2 AND coalesce(a.benchmark, '')=?3"
			   " AND a.action IN ('retract', 'restore') LIMIT 1",
			   "ttt", r->project, r->id, r->benchmark ? r->benchmark : "");

	return found < 0 ? -1 : !found;
}

int brought_add(struct strv *list, const char *project, const char *id, struct err *err)
{
	size_t i;

	for (i = 0; i + 1 < list->n; i += 2)
		if (!strcmp(list->v[i], project))
			return str_set(&list->v[i + 1], id, err);
	return strv_add(list, project, err) || strv_add(list, id, err) ? -1 : 0;
}

static int log_one(struct db *db, const char *name, const char *id, struct err *err)
{
	const struct audit_entry entry = { "pawld import", "import", id, NULL, NULL };
	int64_t project;

	return db_get(db, &project, err, "SELECT project_id FROM project WHERE name=?1", "t",
		      name) || audit_add(db, project, &entry, err)
		       ? -1
		       : 0;
}

int brought_log(struct db *db, const struct strv *list, struct err *err)
{
	size_t i;
	int result = 0;

	if (!list->n)
		return 0;
	if (db_begin(db, err))
		return -1;
	for (i = 0; !result && i + 1 < list->n; i += 2)
		result = log_one(db, list->v[i], list->v[i + 1], err);
	result = result || db_commit(db, err) ? -1 : 0;
	db_rollback(db);
	return result;
}
