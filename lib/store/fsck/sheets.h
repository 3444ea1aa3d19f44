/*
 * sheets - whether the points of a run are all there, and what is told of them beside.
 */
#ifndef PAWL_STORE_FSCK_SHEETS_H
#define PAWL_STORE_FSCK_SHEETS_H

#include <stdint.h>

#include "lib/store/ledger/local.h"

/* A run as its row tells. */
struct sheet_owner {
	int64_t project, run, apart, t;
};

/*
 * How many points it has, and how many of them are damaged or missing: in its sheet, among the
 * series, or in the table of what moved, from which regressions are told.
 *
 * Errors: those of the database.
 */
int sheets_check(struct db *db, const struct sheet_owner *run, int64_t *out_n, int64_t *out_bad,
		 struct err *err);

#endif
