/* SPDX-License-Identifier: MIT */
/*
 * callgrind - the inside of the second start: what callgrind counts, and when.
 */
#ifndef PAWL_HARNESS_COUNTER_CALLGRIND_H
#define PAWL_HARNESS_COUNTER_CALLGRIND_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/counter/valgrind_events.h"

#if defined(__has_include) && !defined(PAWL_NO_VALGRIND)
#if __has_include(<valgrind/callgrind.h>)
#define CALLGRIND_IS_KNOWN
#endif
#endif

/* The environment variable that names the folder. */
#define CALLGRIND_ORDER "PAWL_COUNT"

/*
 * Whether this library can talk to callgrind, and does not run under it already; otherwise why
 * not and the cure.
 */
bool pawl_callgrind_is_built(char *why, size_t size);

#ifdef CALLGRIND_IS_KNOWN

/* Whether this process runs under valgrind. */
bool pawl_callgrind_is_around(void);

/* Before and after all that is counted. */
void pawl_callgrind_begin(void);
void pawl_callgrind_end(void);

/* Switch the counting on and off; in place of a clock, and like one of a time that stands still. */
uint64_t pawl_callgrind_on(void);
uint64_t pawl_callgrind_off(void);

/*
 * Writes what was counted since the last time to the file out.DUMP of the folder, and reads it;
 * dump: 1, 2, 3, ...  Returns NULL, or what is wrong; out[VALGRIND_EVENTS] is then not to be used.
 */
const char *pawl_callgrind_take(const char *folder, int dump, uint64_t *out);

#endif

#endif
