/* SPDX-License-Identifier: MIT */
/*
 * callgrind - the inside of the second start: regions that callgrind counts.
 */
#ifndef PAWL_HARNESS_COUNTER_CALLGRIND_H
#define PAWL_HARNESS_COUNTER_CALLGRIND_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/session/session.h"

/* The environment variable that names the folder. */
#define CALLGRIND_ORDER "PAWL_COUNT"

/*
 * Whether this library can talk to callgrind, and does not run under it already; otherwise why
 * not and the cure.
 */
bool pawl_callgrind_is_built(char *why, size_t size);

/* Whether this is the second start. */
bool pawl_callgrind_is_wanted(void);

/*
 * Counts the benchmark that PAWL_BENCHMARK names: n = 1, 2, 4, ... iterations until they are a
 * million instructions, and writes the counts of the last two, or what is wrong, to the file
 * `counts` of the folder.  Returns an enum status.
 */
int pawl_callgrind_answer(struct session *s);

#endif
