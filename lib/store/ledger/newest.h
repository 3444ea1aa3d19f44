/*
 * newest - the last point of a history that is shown, and what follows from it: which metric
 * decides.
 */
#ifndef PAWL_STORE_LEDGER_NEWEST_H
#define PAWL_STORE_LEDGER_NEWEST_H

#include "lib/store/ledger/place.h"
#include "lib/store/points/recent.h"

/*
 * 1: *out is the newest point, in the order of a history, of series[0..n) that is neither of a tree
 * with changes nor in a run that is hidden; 0: there is none.  *kept as of recent_points(); one of
 * its own for who writes, since what is kept outlives a transaction that is taken back.
 * Errors: those of merge_open() and runs_find().
 */
int newest_point(struct ledger *l, struct recent **kept, int64_t project, const int64_t *series,
		 size_t n, const struct hidden *hidden, struct ledger_point *out, struct err *err);

/*
 * After a run was retracted or restored, or a benchmark of it (NULL: all): each of their series
 * decides where its newest point does.  Within a transaction for writing.
 */
int newest_gates(struct ledger *l, int64_t project, int64_t run, const char *benchmark,
		 struct err *err);

#endif
