/*
 * revisit - what counts at a commit once a result of it is hidden or shown again.
 *
 * Internal to lib/store/alerts.
 */
#ifndef PAWL_STORE_ALERTS_REVISIT_H
#define PAWL_STORE_ALERTS_REVISIT_H

#include "lib/store/alerts/batch.h"

/* Why one is resolved that is shown again beside it. */
#define RETRACT_OTHER "another alert is about the same change"

/*
 * Of each figure of the run, or of a benchmark of it: what is open or resolved by a result becomes
 * what the results make of it that are shown (closing_settle()).  Where what counts now at its
 * commit against its base regressed, and has no alert, that is made, as if the result came now; one
 * that is open has the figure where it is far worse.
 * Cost: of results_at() for each figure that decides, and of closing_settle() for each alert.
 */
int revisit(struct alert_batch *b, int64_t run, const char *benchmark, bool is_restored,
	    struct err *err);

/*
 * The alert, of the batch's branch, waits for its result, or its own commit closed it: results that
 * said the same change, which it had, are alerts of their own now.
 * Cost: of results_behind() from the first commit on, and of results_at() for each of them.
 */
int revisit_same(struct alert_batch *b, const struct alert_row *a, bool higher, struct err *err);

/*
 * It has them again: what they opened meanwhile is resolved, because of RETRACT_OTHER.
 * Cost: of the alerts of its series.
 */
int revisit_take_back(struct alert_batch *b, const struct alert_row *a, const char *branch,
		      bool higher, struct err *err);

/* What becomes of b->freed, which is empty then.  Errors, cost: of both. */
int revisit_freed(struct alert_batch *b, struct err *err);

#endif
