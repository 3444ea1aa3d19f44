/*
 * join - the benchmarks of two built trees, side by side.
 */
#ifndef PAWL_COLLECTOR_SCHEDULE_JOIN_H
#define PAWL_COLLECTOR_SCHEDULE_JOIN_H

#include <stdbool.h>

#include "collector/unit/units.h"
#include "lib/base/err.h"

/*
 * Gives every unit of `head` the side that the unit of the same name in `base` has: identical when
 * both run the same code on the same arguments and inputs, unless measure_identical.  What only
 * one of the two has is marked, what only the base has is appended.  A base that failed fails the
 * unit, as there is nothing to compare with; one whose executable is not there did not have it.
 *
 * base is left without the sides that were taken.  Errors: ERR_NOMEM.
 */
int join_plans(struct plan *head, struct plan *base, bool measure_identical, struct err *err);

#endif
