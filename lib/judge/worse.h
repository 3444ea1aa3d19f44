/*
 * worse - how many times as bad as its base a benchmark got, and whether so much was accepted.
 *
 * A ratio is head / base; 1 is as good as the base, 2 twice as bad, whichever way is better.
 */
#ifndef PAWL_JUDGE_WORSE_H
#define PAWL_JUDGE_WORSE_H

#include <stdbool.h>

/* A ratio with its interval, of which each end may be unknown (not finite). */
struct worse {
	double ratio, low, high;
	bool more_is_better;
};

/* At least, as it is proved; without that end of the interval what was estimated.  NaN: unknown. */
double worse_at_least(const struct worse *w);

/* At most; not finite: there is no such end. */
double worse_at_most(const struct worse *w);

/*
 * Whether a change of at least that is within what is accepted: accepted is the product of all
 * (1 + change), INFINITY for any size; threshold is what the benchmark may differ by anyway.
 * Nothing unknown is within a finite one.
 */
bool worse_is_within(double at_least, double accepted, double threshold);

#endif
