/*
 * results - what the results of a series say that are shown, trusted and of clean trees.
 *
 * Internal to lib/store/alerts.  Of several at one commit against one base the one that was
 * measured last counts, of those that decided.  A figure that is damaged is none.
 */
#ifndef PAWL_STORE_ALERTS_RESULTS_H
#define PAWL_STORE_ALERTS_RESULTS_H

#include "lib/store/alerts/alerts.h"
#include "lib/store/points/point.h"

/* Against any base, for results_at(). */
#define RESULTS_ANY_BASE (-1)

/* A gated figure that decided; a ratio that is not finite stands for none. */
struct result {
	int64_t run, commit, t, base;
	enum verdict verdict;
	bool can_open; /* as of an alert_point */
	double ratio, low, high;
	double v, v_low, v_high; /* what was measured */
};

/* As an alert_point; nothing is known of its threshold, or whether it was accepted. */
struct alert_point result_point(const struct result *r, int64_t series, bool higher);

/* Whether a point is a gated figure of a clean tree that was decided. */
bool result_decides(const struct ledger_point *p);

/* Unchanged, improved or identical. */
bool result_is_no_worse(enum verdict verdict);

/*
 * 1: *out is what counts at that commit against that base on the branch of the batch; 0: nothing
 * decided there. Cost: reads the sheets of the commit, the last one first.
 */
int results_at(struct alert_batch *b, int64_t series, int64_t commit, int64_t base,
	       struct result *out, struct err *err);

/* Likewise of that run. */
int results_of(struct alert_batch *b, int64_t series, int64_t run, struct result *out,
	       struct err *err);

/*
 * Appends those of commits from place t on, of the branch of the batch, in the order of a history:
 * each a struct result, whether or not it is what counts.
 * Cost: reads the sheet of each run of the branch from there on.
 */
int results_behind(struct alert_batch *b, int64_t series, int64_t t, struct buf *out,
		   struct err *err);

/* 1: the run is of that commit. */
int results_is_of(struct alert_batch *b, int64_t run, int64_t commit, struct err *err);

/* 1: the result of that run, or the benchmark of the series in it, was retracted. */
int results_is_hidden(struct alert_batch *b, int64_t series, int64_t run, struct err *err);

/*
 * 1: the batch names no branch, and the machine's results lately name theirs: one that names none
 * is of who knows which, often a topic branch that CI took out by its commit.
 */
int results_are_anybodys(struct alert_batch *b, int64_t series, struct err *err);

#endif
