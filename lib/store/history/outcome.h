/*
 * outcome - the newest result of a benchmark that gave no value: no point of a history tells of it.
 */
#ifndef PAWL_STORE_HISTORY_OUTCOME_H
#define PAWL_STORE_HISTORY_OUTCOME_H

#include "lib/store/ledger/place.h"

/*
 * Appends as JSON the newest trusted one behind that place with its status, commit, time, machine
 * and id, or null.  Of q are looked at benchmark, machine, branch and until_us.  One that was
 * skipped says nothing.  Within one transaction.
 * Errors: those of the database.  Cost: a search for each run behind that place.
 */
int outcome_write(struct ledger *l, int64_t project, const struct history_query *q,
		  const struct place *behind, struct buf *out, struct err *err);

#endif
