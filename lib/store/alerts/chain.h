/*
 * chain - what is left of a change at each commit behind it: its level there against the base of
 * the change, multiplied along the shortest chain of bases that leads back to one of its two
 * commits.
 *
 * Internal to lib/store/alerts.  A link is what counts at a commit against a base: that of the
 * change, its own commit, or a commit behind it.  Of chains that are as short, the one whose link
 * was measured last is taken.
 */
#ifndef PAWL_STORE_ALERTS_CHAIN_H
#define PAWL_STORE_ALERTS_CHAIN_H

#include "lib/store/alerts/results.h"

/* Of a change, what its chains start with. */
struct chain_of {
	int64_t series, commit, base, t;
	bool higher;
	double ratio; /* NaN: by difference, of which nothing is multiplied */
	double low, high;
};

struct chain_link {
	struct result r;
	bool is_last; /* the last one of its commit's chain */
	double left;  /* then: harm that is left at its commit, */
	double least; /* and what is left at least, by the intervals of its chain */
};

/*
 * Appends the links behind the change, on the branch of the batch, in the order of a history: each
 * a struct chain_link.  now: a figure that is not stored yet, and counts at its commit against its
 * base; NULL: none.
 * Cost: of results_behind().
 */
int chain_read(struct alert_batch *b, const struct chain_of *a, const struct alert_point *now,
	       struct buf *out, struct err *err);

/*
 * Whether less than the threshold is left of a change of that harm, or so little that nobody can
 * tell whether it is more: a tenth at most.  Of what took twice the time and is taken back noise of
 * one per cent leaves as much.
 */
bool chain_is_over(const struct chain_link *l, double harm, double threshold);

#endif
