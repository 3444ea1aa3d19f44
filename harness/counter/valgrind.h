/* SPDX-License-Identifier: MIT */
/*
 * counter_valgrind - counts without a processor's counters: the program starts itself again
 * under callgrind, which simulates a processor of fixed caches.
 *
 * The counts are exact and the same in every run, but of a made-up processor: they are marked
 * simulated.  They are slopes between n and 2n iterations, so that nothing around the loop is
 * in them.  What cannot be counted says why.
 *
 * The second start is told by PAWL_COUNT, the folder that is both its order and where its
 * answer goes; nobody else sets it.
 */
#ifndef PAWL_HARNESS_COUNTER_VALGRIND_H
#define PAWL_HARNESS_COUNTER_VALGRIND_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/counter/counter.h"
#include "harness/counter/valgrind_events.h"

#define VALGRIND_PATIENCE_MS 60000

/* Turns counts into counters per iteration.  Shape: out has COUNTER_MAX places, all filled. */
void pawl_valgrind_report(const struct valgrind_counts *counts, struct counter *out);

/*
 * Counts a benchmark of this program by starting it again.
 *
 * Shape:  out has COUNTER_MAX places, all of which are filled in the table's order.
 * Errors: none; each counter carries its own.
 * Cost:   a second or so, at most patience_ms.  SIGINT, SIGTERM and SIGHUP are caught
 *         meanwhile, so that nothing is left behind, and then take their course.
 */
void pawl_valgrind_measure(const char *benchmark, int patience_ms, struct counter *out);

#endif
