/*
 * watch - steps in histories, and creeps, looked for as results come; the alerts of those for the
 * worse.
 *
 * A result that was not measured beside its base has no verdict.  What its history says is advisory
 * (lib/stats/series/changepoint.h), and an alert of it says so.  How far a project was looked at is
 * kept with it, and moves in the transaction that writes what was found: a kill loses nothing.
 */
#ifndef PAWL_STORE_WATCH_WATCH_H
#define PAWL_STORE_WATCH_WATCH_H

#include "lib/store/ledger/ledger.h"

#define WATCH_RUNS 256	  /* that one look takes */
#define WATCH_RESULTS 500 /* of a history, the newest */
#define WATCH_POINTS 100  /* the newest of their commits, each a point */
#define WATCH_LATELY \
	20		/* a step further back is none that a new result has shown; but the last \
			   one, where so many came at once */
#define WATCH_SETTLED 6 /* points behind a step; of fewer its place is a guess */
#define WATCH_NEAR 5	/* points; within them two steps are one */

/*
 * For a step to be an alert, which is looked for after every result: 1e-6, since of 40 quiet
 * histories of 200 results the method's own 1e-4 says so of 3 (neighbours correlate by 0.3) to 15
 * (by 0.7), and 1e-6 of 0 to 3.  A step of 3, 5 and 10 % in a scatter of 1 % (correlation 0.3) was
 * then found in 32, 38 and 40 of 40, 7 to 9 results behind it.  Where each commit was measured 6
 * times, commits scatter by 1 % and results of one by 0.3 %, results as points said so of 17 of 40
 * quiet histories of 200 results, 10 times: of 31; commits as points of 0.
 */
#define WATCH_P 1e-6

/* A step, and the results beside it: no date is asked. */
struct watch_step {
	char id[27], from[27], to[27]; /* of the first result behind it, and of those around it */
	double before, after;	       /* logarithms */
	bool is_worse;		       /* it was there for a while, and not measured otherwise */
	bool is_new;		       /* so, and lately: it may be an alert */
};

/* What counts as a creep, as a share: less may be the machine's. */
#define WATCH_CREEP 0.03

/* Many small steps for the worse, and the results at both ends: see lib/stats/series/creeping.h. */
struct watch_creep {
	bool found;
	char from[27], to[27];
	double change, se; /* logarithms */
	int64_t back;	   /* the open alert of one whose level is back; 0: none */
};

/*
 * One history of one branch.  As for a project's "latest", each branch counts that trusted results
 * of clean trees name; which one is the main one nobody tells the server.
 */
struct watch_history {
	int64_t series;
	bool higher;
	char *branch;  /* "": results that name none; looked at where the machine's others do not */
	double now;    /* the newest level; of no meaning without steps */
	char sure[27]; /* the result behind which each step is seen */
	size_t n_new;  /* results that came since the last look */
	struct watch_step *steps;
	size_t n_steps;
	int64_t *stays; /* open alerts of steps whose level is there still, seen as a step or not */
	size_t n_stays;
	struct watch_creep creep;
};

/* A gated figure of a branch that was gone. */
struct watch_return {
	int64_t series, run, t, base;
	enum verdict verdict;
	double ratio, low, high;
	char *branch;
};

struct watch {
	char *project;
	int64_t project_id, seen; /* the last run that was looked at */
	struct watch_history *histories;
	size_t n;
	struct watch_return *returned;
	size_t n_returned;
};

/*
 * Looks at the histories that the next results of some project belong to: 0; 1: there are none.
 * *io_last is the project that was looked at last, at first 0: the others have their turn before
 * it, whatever became of that look.
 * Errors: those of a question; ERR_NOMEM.
 */
int watch_look(struct ledger *l, int64_t *io_last, struct watch *out, struct err *err);
void watch_release(struct watch *w); /* accepts a zeroed one */

/* Writes what was found, and that it was, in a transaction of its own. */
int watch_settle(struct ledger *l, const struct watch *w, struct err *err);

#endif
