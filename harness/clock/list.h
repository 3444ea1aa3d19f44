/* SPDX-License-Identifier: MIT */
/*
 * clock_list - every clock of the machine, for a person or as JSON; and what to beware of.
 */
#ifndef PAWL_HARNESS_CLOCK_LIST_H
#define PAWL_HARNESS_CLOCK_LIST_H

#include <stdio.h>

#include "harness/clock/clock.h"
#include "harness/base/text.h"

#define CLOCK_WARNING 200

/*
 * Warning i of an open clock, into out[CLOCK_WARNING]: one sentence without its end.
 * Returns false, and leaves out alone, behind the last.
 */
bool pawl_clock_warning(const struct clock *clock, unsigned i, char *out);

/* `["...", ...]`: the warnings of an open clock. */
void pawl_clock_warnings(struct text *t, const struct clock *clock);

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

/* Opens and prints every clock of the table. */
void pawl_clock_list(FILE *to);
void pawl_clock_list_json(FILE *to);

#endif
