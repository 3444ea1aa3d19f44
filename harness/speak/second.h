/* SPDX-License-Identifier: MIT */
/*
 * second - what a program answers that --counters=valgrind has started again: the counts of one
 * benchmark, in a file.
 */
#ifndef PAWL_HARNESS_SPEAK_SECOND_H
#define PAWL_HARNESS_SPEAK_SECOND_H

#include "harness/session/session.h"

/* Whether this is the second start. */
bool pawl_second_is_wanted(void);

/*
 * Counts the benchmark that PAWL_BENCHMARK names: n = 1, 2, 4, ... iterations until they are a
 * million instructions, and writes the counts of the last two, or what is wrong, to the file
 * `counts` of the folder.  Returns an enum status.
 */
int pawl_second_answer(struct session *s);

#endif
