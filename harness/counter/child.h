/* SPDX-License-Identifier: MIT */
/*
 * counter_child - counts over a program that is started, with all it starts in turn.
 *
 * The events are opened on the calling thread, switched off, to be inherited and to count from
 * the next exec on; what the thread then starts counts from its first instruction, and its
 * counts are added up when it ends.  Nothing has to wait for anything, so that the start of the
 * program is the same with counters and without.  The other way, events on a child that waits
 * for them, would put a pipe and a wake-up into every start.
 *
 * The counts are of the whole program: one pass, so at most four events that need a counter of
 * the processor.  Those need no privilege.
 */
#ifndef PAWL_HARNESS_COUNTER_CHILD_H
#define PAWL_HARNESS_COUNTER_CHILD_H

#include "harness/counter/perf.h"

#define COUNTER_CHILD_MAX 4 /* rows of the table */

/* What can be counted here; found once. */
struct counter_children {
	const struct counter_calls *calls;
	struct counter_pmus pmus;
	bool opens[COUNTER_CHILD_MAX];
	int n_open;
	struct counter why[COUNTER_CHILD_MAX]; /* of those that do not: state and reason */
};

/* The events around programs, one after the other. */
struct counter_child {
	const struct counter_children *with;
	struct counter_child_event {
		int fd[COUNTER_PMUS];
		uint64_t before[COUNTER_PMUS][3]; /* the last readings */
		int n;
		int error;    /* of the open; 0 or -errno */
		bool both;    /* user and kernel, on some PMU */
		bool partial; /* some kinds of core do not count it */
	} event[COUNTER_CHILD_MAX];
};

/* Name of row i; NULL behind the last. */
const char *pawl_counter_child_name(size_t i);

/* Looks what opens.  Cost: one open for each event, once. */
void pawl_counter_children_probe(const struct counter_calls *calls, struct counter_children *out);

/*
 * From here on a program that this thread starts is counted; of several one after the other each
 * only where the thread holds an event of its own (pawl_counter_hold).
 *
 * Errors: none; what does not open is told at the end.
 * Cost:   some system calls; none where nothing opened when it was looked for.
 */
void pawl_counter_child_open(const struct counter_children *with, struct counter_child *out);

/*
 * What the programs that ended since the last time, or since it was opened, have counted.
 *
 * Shape: as of pawl_counter_child_close().
 * Cost:  a read for each event.
 */
void pawl_counter_child_take(struct counter_child *c, struct counter *out);

/*
 * What the programs that ended since have counted, and closes.  with: they have been waited for.
 *
 * Shape:  out has COUNTER_CHILD_MAX places, filled in the table's order, values of the whole
 *         program.  out may be NULL: only closes.
 */
void pawl_counter_child_close(struct counter_child *c, struct counter *out);

/*
 * Opens an event of page faults that is off and that nobody reads.  While there is one the kernel
 * need not change its own code, on all processors, whenever a program opens or closes such an
 * event.  It is not inherited, too: where a thread has inherited events alone, Linux may hand them
 * to the program that it starts and waits for (vfork) and keep that one's, and then they end with
 * the program and count no other.  Returns a descriptor, to be closed, or -errno.
 */
int pawl_counter_hold(const struct counter_calls *calls);

#endif
