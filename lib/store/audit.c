#include "lib/store/audit.h"

#include "lib/base/when.h"

#include "lib/base/banned.h"

int audit_add(struct db *db, int64_t project, const struct audit_entry *entry, struct err *err)
{
	if (db_run(db, err,
		   "INSERT INTO audit (project_id, audit_id, at_us, who, action, id, benchmark,"
		   " why) SELECT project_id, next_id, ?2, ?3, ?4, ?5, ?6, ?7 FROM project"
		   " WHERE project_id=?1",
		   "iittttt", project, when_now_us(), entry->who, entry->action, entry->id,
		   entry->benchmark, entry->why))
		return -1;
	return db_run(db, err, "UPDATE project SET next_id=next_id+1 WHERE project_id=?1", "i",
		      project);
}
