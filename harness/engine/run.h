/* SPDX-License-Identifier: MIT */
/*
 * run - one call of a benchmark's run function, seen from inside: pawl_start() and company.
 */
#ifndef PAWL_HARNESS_ENGINE_RUN_H
#define PAWL_HARNESS_ENGINE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/clock/clock.h"
#include "include/pawl.h"

struct counter_group;
struct tally;

/* The fault of a benchmark for which pawl_run_is_mixed() holds. */
#define RUN_MIXED "pawl_start() was not called in every call of run"

struct pawl_run {
	struct pawl_region_ region; /* first: pawl_start() and pawl_stop() inlined write it */
	uint64_t (*begin)(void);    /* of the wall clock; NULL when counters are read instead */
	uint64_t (*end)(void);
	struct counter_group *group; /* counters that are read; NULL when time is */
	bool skipped;		     /* a call of run did without pawl_start(); stays so */
	bool spoiled;		     /* an operation failed outside of any stretch */
	uint64_t called;     /* of region.pairs: those that a call ended, not inlined code */
	uint64_t failed;     /* operations */
	uint64_t thrown;     /* of those: whose stretch was thrown away */
	struct tally *tally; /* what pawl_add() counts into; NULL: nothing is kept */
	int64_t arg;
	unsigned thread;
};

/* The run of thread i of the benchmark: all 0, with its argument. */
void pawl_run_init(struct pawl_run *r, const struct pawl_bench *bench, unsigned i);

/* Times by this clock; one that pawl.h can read in place is read so where the program does. */
void pawl_run_use(struct pawl_run *r, const struct clock_row *wall);

/* Ends a stretch that is still open when run has returned; now: ticks. */
void pawl_run_close(struct pawl_run *r, uint64_t now);

/* Ticks of all stretches, less what they show empty: ended by a call, and inlined. */
double pawl_run_net_ticks(const struct pawl_run *r, double called_ticks, double inlined_ticks);

/* Ready for the next call of the run function; `manual`, `skipped` and the clock stay. */
void pawl_run_clear(struct pawl_run *r);

/* Behind each call. */
void pawl_run_end(struct pawl_run *r);

/*
 * Whether some calls so far were timed by hand and others not, which cannot be added up.  A call
 * in which an operation failed may have done without.
 */
bool pawl_run_is_mixed(const struct pawl_run *r);

/*
 * Whether operations failed whose time cannot be told apart from that of the others, so that
 * nothing of a call with n iterations counts: outside of any stretch, or in a stretch that did
 * not hold one operation.  Behind the call, every stretch closed and in r->region.pairs.
 */
bool pawl_run_is_spoiled(const struct pawl_run *r, uint64_t n);

#endif
