/*
 * given - two commands, or two programs, held against each other.
 */
#ifndef PAWL_COLLECTOR_COMPARE_GIVEN_H
#define PAWL_COLLECTOR_COMPARE_GIVEN_H

#include "collector/compare.h"
#include "collector/unit/units.h"

/*
 * Joins the plans of both sides.  Two commands are always measured: the same code on the same
 * arguments may still do something else, by its name or by what lies beside it; a warning tells.
 * Two programs of the same code are identical, as in two commits.
 *
 * Errors: ERR_CONFIG both are the same command, or the same file, in the same environment, and
 *         nobody asked for that (rq->measure_identical); ERR_NOMEM.
 */
int compare_given_join(const struct compare_request *rq, struct plan *head, struct plan *base,
		       struct err *err);

#endif
