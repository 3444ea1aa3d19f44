/*
 * clocked - whether a program's time is fixed by a clock, as of one that repeats its work until a
 * time is over: it takes as long however fast its code is.
 */
#ifndef PAWL_COLLECTOR_MACHINE_CLOCKED_H
#define PAWL_COLLECTOR_MACHINE_CLOCKED_H

#include "collector/unit/unit.h"

/*
 * Whether no run of either side ended before the same round time, and four of five just after it,
 * by the clock on the wall or by processor time: *out_ns.  A guess: it may only be told.
 * Needs CLOCKED_RUNS pairs with both sides.
 */
bool clocked_is(const struct unit *u, double *out_ns);
#define CLOCKED_RUNS 6

#endif
