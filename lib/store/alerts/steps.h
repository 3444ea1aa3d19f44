/*
 * steps - what steps in a history, and many small ones (creeps), open and close.
 */
#ifndef PAWL_STORE_ALERTS_STEPS_H
#define PAWL_STORE_ALERTS_STEPS_H

#include "lib/store/alerts/alerts.h"

/* ln(1.01): less is none that is looked for. */
#define STEPS_LEAST 0.00995033085316808

/* Places are those of a history; levels are logarithms. */
struct alert_step {
	int64_t run, commit, t; /* of the first result behind it */
	int64_t from_t, to_t;	/* within these another alert is of the same step */
	double before, after;
	bool is_worse; /* for the worse, and not measured side by side */
	bool is_new;   /* so, and lately */
};

/* Of the batch's branch. */
struct alert_history {
	int64_t series;
	bool higher;
	double now;	/* the newest level; of no meaning without steps */
	int64_t sure_t; /* a step that is behind it, and is there, is seen */
	const struct alert_step *steps;
	size_t n;
	const int64_t *stays; /* alerts whose level is there still, though no step may be seen */
	size_t n_stays;
};

/*
 * A new step is an alert, unless those that were there already say so much, whatever became of
 * them.  An open one of a
 * step is resolved once its level is back, or the step is not seen any more.  One whose result was
 * retracted is again what it was, of the result that shows the step now; one that is gone is open
 * again where the step is still there.
 */
int alerts_steps(struct alert_batch *b, const struct alert_history *h, struct err *err);

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
