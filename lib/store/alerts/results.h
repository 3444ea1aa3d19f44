/*
 * results - what the results of a series say that are shown, trusted and of clean trees.
 *
 * Internal to lib/store/alerts.  Of several at one commit against one base the one that was
 * measured last counts, of those that decided.
 */
#ifndef PAWL_STORE_ALERTS_RESULTS_H
#define PAWL_STORE_ALERTS_RESULTS_H

#include "lib/store/alerts/alerts.h"

/* A gated figure that decided; a ratio that is not finite stands for none. */
struct result {
	int64_t run, commit, t, base;
	enum verdict verdict;
	bool can_open; /* as of an alert_point */
	double ratio, low, high;
};

/*
 * 1: *out is what counts at that commit against that base; 0: nothing decided there.
 * Cost:   reads the sheets of the commit, the last one first.
 * Errors: ERR_CORRUPT, a sheet is damaged.
 */
int results_at(struct alert_batch *b, int64_t series, int64_t commit, int64_t base,
	       struct result *out, struct err *err);

#endif
