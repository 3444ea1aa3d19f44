/* SPDX-License-Identifier: MIT */
/*
 * valgrind_events - what callgrind counts, by its names and in its order.
 */
#ifndef PAWL_HARNESS_COUNTER_VALGRIND_EVENTS_H
#define PAWL_HARNESS_COUNTER_VALGRIND_EVENTS_H

#include <stdint.h>

#define VALGRIND_EVENTS 13

enum valgrind_event { IR, DR, DW, I1MR, D1MR, D1MW, ILMR, DLMR, DLMW, BC, BCM, BI, BIM };

/* Of two regions. */
struct valgrind_counts {
	uint64_t n;			/* iterations of the first region; the second has 2n */
	uint64_t once[VALGRIND_EVENTS]; /* ... what it counted */
	uint64_t twice[VALGRIND_EVENTS];
};

/* "Ir", "Dr", ...: static storage. */
const char *pawl_valgrind_event(int i);

#endif
