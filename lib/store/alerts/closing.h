/*
 * closing - what closes an alert, of the results that are there.
 *
 * Internal to lib/store/alerts.  The same results close it in whatever order they came, were
 * retracted or shown again.
 */
#ifndef PAWL_STORE_ALERTS_CLOSING_H
#define PAWL_STORE_ALERTS_CLOSING_H

#include "lib/store/alerts/batch.h"

#define CLOSING_BACK "a later commit is no worse than the base of the change"
#define CLOSING_BETTER "improved again"

/* Of an alert, what decides that. */
struct closing_of {
	int64_t series, commit, base, t;
	enum alert_kind kind;
	bool higher;
	double ratio;
	double before; /* where there is no ratio: what its base's was; NaN: not known */
};

struct closing {
	int64_t run; /* by which result; 0: by none */
	char why[96];
	double left; /* harm that is left of it by improvements */
};

/* Of one without a ratio: whether what was measured is no worse than before it. */
bool closing_is_back(const struct closing_of *a, double v, double threshold);

/*
 * What becomes of one of the batch's branch.  now: a figure that is not stored yet, and counts at
 * its commit against its base; NULL: none.
 * Cost:   of results_at() and results_behind().
 */
int closing_find(struct alert_batch *b, const struct closing_of *a, const struct alert_point *now,
		 struct closing *out, struct err *err);

/* What is left of its harm, behind the improvements alone. */
int closing_left(struct alert_batch *b, const struct closing_of *a, const struct alert_point *now,
		 double *out, struct err *err);

#endif
