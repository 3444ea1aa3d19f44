/*
 * steps - every commit that moved a benchmark, each compared with the one before it.
 *
 * A bisection looks for one change from GOOD to BAD: what comes and goes between them it never
 * sees.  This compares every commit of the first-parent line with its parent, so it takes as many
 * comparisons as there are commits; the same code needs no measuring.  What cannot be measured is
 * left out: the next commit that can is compared with the last one that could, or, where GOOD
 * cannot, with the one before it.
 *
 * Errors of the chain: intervals at 1 - 0.05 / n, over n commits, hold the chance of naming any
 * commit that did nothing below 5 %.
 */
#ifndef PAWL_COLLECTOR_BISECT_STEPS_H
#define PAWL_COLLECTOR_BISECT_STEPS_H

#include "collector/bisect/bisect.h"

/* A commit that moved it. */
struct bisect_moved {
	char base[OID_TEXT], commit[OID_TEXT];
	const struct bisect_evidence *evidence; /* in the log */
	bool by_difference;			/* it has no ratio */
	double low, high, confidence;
	size_t n_between; /* commits of the step that could not be measured, beside this one */
};

struct bisect_steps {
	struct bisect_moved *v; /* oldest first */
	size_t n;
	size_t n_commits, n_skipped, n_unclear;
	size_t n_comparisons, n_before;
	bool timed; /* out of time: call again with the same log */
};

#define BISECT_STEPS_INIT \
	{ \
		NULL, 0, 0, 0, 0, 0, 0, false \
	}

void bisect_steps_release(struct bisect_steps *s);

/*
 * Finds them.  rq->tell gets a BISECT_STEP for each commit: BAD moved it, GOOD did not.
 *
 * Errors: ERR_USAGE when GOOD is not on BAD's first-parent line; those of the request's functions;
 *         ERR_NOMEM.
 */
int bisect_steps(const struct bisect_request *rq, struct bisect_log *log, struct bisect_steps *out,
		 struct err *err);

#endif
