/*
 * rows - what a summary stands on: its own row, its commit's, its machine's, that of its baseline.
 */
#ifndef PAWL_STORE_FSCK_ROWS_H
#define PAWL_STORE_FSCK_ROWS_H

#include "lib/store/fsck/fsck.h"

struct rows_check {
	struct ledger *l;
	int64_t project;
	const char *project_name;
	bool repair;
	struct ledger_health *health;
	struct buf *report;
};

/*
 * Counts what is lost of a project, and with repair makes it again from the documents, each in a
 * transaction of its own.  When a summary came is not in its document: one whose row is made again
 * came with those before it.  One of which nobody can tell whether it was trusted was not.
 *
 * Errors: those of the database; ERR_NOMEM.
 */
int rows_check(const struct rows_check *c, struct err *err);

#endif
