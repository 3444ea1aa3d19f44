/* SPDX-License-Identifier: MIT */
/*
 * team - the threads of one benchmark: the same operation on all of them at once.
 *
 * Each thread has a pawl_run, a tally and readings of its own; a chunk is one round of all, and
 * what it gives is put together here.  Its elapsed time is from the first thread's start to the
 * last one's end.
 */
#ifndef PAWL_HARNESS_ENGINE_TEAM_H
#define PAWL_HARNESS_ENGINE_TEAM_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/engine/instruments.h"
#include "harness/engine/run.h"
#include "harness/engine/sums.h"
#include "include/pawl.h"

struct team;

/*
 * Starts the threads that the benchmark wants; *out becomes NULL when it wants no others.
 *
 * with:   what each thread reads, itself; NULL: nothing is read, so that counters are not
 *         disturbed.
 * Errors: -errno: a thread cannot be started, or no memory; *out is then untouched.
 */
int pawl_team_open(struct team **out, const struct instruments *with,
		   const struct pawl_bench *bench);

/* t may be NULL. */
void pawl_team_close(struct team *t);

/*
 * Runs n iterations, the same number on each thread, or one more on the first ones.
 *
 * out: the sums of the chunk; NULL when nothing is read.  *r becomes what all runs said: failed
 *      and thrown are summed, its tally is that of all.
 */
void pawl_team_chunk(struct team *t, uint64_t n, struct pawl_run *r, struct sums *out);

/* What the system counted about the threads while they ran, since the team was opened. */
void pawl_team_usage(const struct team *t, struct usage *out);

/* How many processors the threads may use, and whether each has one of its own. */
unsigned pawl_team_processors(const struct team *t);
bool pawl_team_is_pinned(const struct team *t);

#endif
