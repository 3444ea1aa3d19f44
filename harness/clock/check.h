/* SPDX-License-Identifier: MIT */
/*
 * clock_check - tries a clock by work that is known to be twice as much.
 */
#ifndef PAWL_HARNESS_CLOCK_CHECK_H
#define PAWL_HARNESS_CLOCK_CHECK_H

#include "harness/clock/clock.h"

/*
 * Whether work of 2n steps takes twice as long as work of n: the ratio of the two, 2 of a clock
 * that is right.  NaN of a clock so coarse that it would take longer than some milliseconds
 * to say.  work: what does n steps; NULL: a chain of n shifts, each of which needs the one before.
 *
 * Source: L. McVoy and C. Staelin, "lmbench: portable tools for performance analysis", USENIX
 * 1996, for the idea that a clock is tried by work that is known to be twice as much.
 */
typedef void clock_work(uint64_t n);
double pawl_clock_proportion(const struct clock *clock, clock_work *work);

#endif
