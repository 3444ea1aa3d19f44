/* SPDX-License-Identifier: MIT */
/*
 * valgrind_child - starts this program again under valgrind and reads what it counted.
 */
#ifndef PAWL_HARNESS_COUNTER_VALGRIND_CHILD_H
#define PAWL_HARNESS_COUNTER_VALGRIND_CHILD_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/counter/valgrind_events.h"

/*
 * Counts the benchmark.  Returns false, with a sentence and its cure in why, when it could not.
 * The second start has the caller's environment without what begins with PAWL_, filled up so that
 * its size does not move the counts.  Files are in a folder of TMPDIR that is removed.
 */
bool pawl_valgrind_count(const char *benchmark, int patience_ms, struct valgrind_counts *out,
			 char *why, size_t size);

/* Reads the file `counts`.  Returns false, with the reason, when it is not whole. */
bool pawl_valgrind_read(const char *path, struct valgrind_counts *out, char *why, size_t size);

#endif
