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
	int64_t id; /* 0: it is no alert yet */
	int64_t series, commit, base, t;
	enum alert_kind kind;
	bool higher;
	double ratio, low, high;
	double before; /* where there is no ratio: what its base's was; NaN: not known */
};

/* What is asked of an alert; id 0: of one that is to be made. */
struct closing_of closing_of_row(const struct alert_row *a, bool higher);

struct closing {
	int64_t run; /* by which result; 0: by none */
	int64_t t;   /* of its commit */
	bool is_own; /* which is that of the alert */
	char why[96];
	double left; /* harm that is left of it at the last commit that has a chain of bases to it
		      */
};

/*
 * What becomes of one of the batch's branch.  It is closed by what counts at its own commit and
 * says otherwise, by a later commit that is no worse than its base, and by one that improved and
 * leaves less of it than the threshold, or at most a tenth that is not shown to be more.  now: a
 * figure that is not stored yet, and counts at its commit against its base; NULL: none.  One that a
 * person opened is closed by results alone that came since.
 * Cost:   of results_at() and chain_read().
 */
int closing_find(struct alert_batch *b, const struct closing_of *a, const struct alert_point *now,
		 struct closing *out, struct err *err);

/*
 * Appends the alerts of a series that are not resolved, or wait for their result, or that a result
 * resolved: each a struct alert_row, the first one first.
 */
int closing_rows(struct alert_batch *b, int64_t series, struct buf *out, struct err *err);

/* Whether it is resolved by a result, and waits for no other. */
bool closing_is_by_result(const struct alert_row *a);

/* It stays closed, by that other result, and waits for its own no longer; nobody is told. */
int closing_keep(struct alert_batch *b, const struct alert_row *a, const struct closing *c,
		 struct err *err);

/*
 * 1: a commit before that of the figure was as good again as the base of the change: what regressed
 * since is another one.
 * Cost: of closing_find().
 */
int closing_is_over(struct alert_batch *b, const struct alert_row *a, const struct alert_point *now,
		    struct err *err);

/*
 * One of the batch's branch becomes what the results make of it that are there: one that is open is
 * resolved, or what is left of it is written; one that a result resolved is open again where none
 * does, because of why.  Any other is let be.  Where its own commit closes it, or does no more,
 * it is added to b->freed.
 * Cost: of closing_find().
 */
int closing_settle(struct alert_batch *b, struct alert_row *a, bool higher,
		   const struct alert_point *now, const char *why, struct err *err);

#endif
