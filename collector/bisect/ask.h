/*
 * ask - one comparison of a bisection, from its log or by measuring, and how sure it is.
 */
#ifndef PAWL_COLLECTOR_BISECT_ASK_H
#define PAWL_COLLECTOR_BISECT_ASK_H

#include <stdbool.h>
#include <stddef.h>

#include "collector/bisect/bisect.h"

struct bisect_asker {
	const struct bisect_request *rq;
	struct bisect_log *log;
	size_t n_comparisons, n_before; /* asked for; of these, found in the log */
	bool asked;			/* something was measured since the caller cleared it */
	bool timed;			/* out of time */
};

/* The change on one scale: the logarithm of the ratio, or the difference. */
struct bisect_change {
	double theta, low, high;
};

struct bisect_change bisect_change_of(const struct bisect_evidence *e, bool by_difference);

/* Whether the evidence has no ratio, and a difference. */
bool bisect_has_difference_alone(const struct bisect_evidence *e);

/*
 * The comparison; *out NULL when there is no time for it.  What is measured goes into the log.
 * Errors: those of the request's functions; ERR_NOMEM.
 */
int bisect_ask(struct bisect_asker *a, const char *base, const char *head, int effort,
	       const struct bisect_evidence **out, struct err *err);

/*
 * The interval at 1 - alpha.  Each arm is stretched by the ratio of Student's quantiles for so many
 * pairs: the estimate, a median of many averages, is close to normal.  Never narrower than it came.
 */
void bisect_widen(const struct bisect_evidence *e, bool by_difference, double alpha, double *low,
		  double *high, double *confidence);

/*
 * Whether two changes are apart by more than the half of another one (BAD) or by less (GOOD), by
 * the interval of their difference: both were measured by themselves.
 */
enum bisect_mark bisect_apart(const struct bisect_evidence *a, const struct bisect_evidence *b,
			      bool by_difference, double alpha, double half);

#endif
