/*
 * quiet - alerts of branches that have no results any more.
 *
 * A branch is gone when on so many days results came, and none of it.  A day begins with a result,
 * by the time at which it was received, and has 24 hours; one without any result is none.  So a
 * project that rests closes nothing, nor does a server that was off.  How far the days were counted
 * is kept with the project, and moves in the transaction that writes what it did.
 */
#ifndef PAWL_STORE_ALERTS_QUIET_H
#define PAWL_STORE_ALERTS_QUIET_H

#include "lib/base/strv.h"
#include "lib/store/alerts/alerts.h"

#define QUIET_DAYS 30 /* unless said */
#define QUIET_DAYS_MOST 3650

/* A day of a project that is over. */
struct quiet_day {
	int64_t project;
	int64_t before;	      /* up to that run it was counted before */
	int64_t first, last;  /* its results */
	struct strv branches; /* of its trusted results, in the order of bytes; "": none named */
};

void quiet_release(struct quiet_day *d); /* accepts a zeroed one */

/*
 * The next day that is over, of some project: 0; 1: there is none.  *io_last is the project that
 * was looked at last, at first 0: the others have their turn before it.
 * Cost: reads two rows of each project, and those of the results of the day.
 */
int quiet_look(struct db *db, int64_t now_us, int64_t *io_last, struct quiet_day *out,
	       struct err *err);

/*
 * Counts it for the open alerts that are older, in a transaction of its own, and closes those whose
 * branch had no result on so many days in a row.  A day that was counted meanwhile is let be.
 */
int quiet_settle(struct db *db, const struct quiet_day *d, unsigned days, int64_t now_us,
		 struct err *err);

#endif
