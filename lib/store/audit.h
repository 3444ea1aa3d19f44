/*
 * audit - the log of what was changed in a project by others than those who post.
 *
 * An entry takes a number of the project: answers are tagged with it, and who remembers something
 * of the project (known.h) forgets it.
 */
#ifndef PAWL_STORE_AUDIT_H
#define PAWL_STORE_AUDIT_H

#include "lib/base/err.h"
#include "lib/store/db.h"

struct audit_entry {
	const char *who, *action;
	const char *id;		     /* of the summary, or of what else it is about */
	const char *benchmark, *why; /* NULL: none */
};

/* In the transaction that is open, where next_id is as it is stored.  Errors: those of db_run(). */
int audit_add(struct db *db, int64_t project, const struct audit_entry *entry, struct err *err);

#endif
