/*
 * creeps - alerts of histories that got worse by many small steps.
 */
#ifndef PAWL_STORE_ALERTS_CREEPS_H
#define PAWL_STORE_ALERTS_CREEPS_H

#include "lib/store/alerts/alerts.h"

/* Of the batch's branch. */
struct alert_creep {
	int64_t series;
	int64_t run, commit, t; /* of the newest result */
	int64_t base;		/* the commit where it began */
	double ratio, low, high;
};

/* Is an alert, unless one of its series and branch is open, or gone. */
int alerts_creep(struct alert_batch *b, const struct alert_creep *c, struct err *err);

/* The level of an open one is back; any other is let be. */
int alerts_creep_back(struct alert_batch *b, int64_t alert, struct err *err);

#endif
