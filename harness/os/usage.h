/* SPDX-License-Identifier: MIT */
/*
 * usage - what the system counts about the calling thread: switches, faults, waiting.
 */
#ifndef PAWL_HARNESS_OS_USAGE_H
#define PAWL_HARNESS_OS_USAGE_H

/* Counts since the thread began, or a difference of two; NaN: the system does not tell. */
struct usage {
	double voluntary_switches, involuntary_switches;
	double minor_faults, major_faults;
	double run_delay_ns; /* ready to run, but waiting for a processor */
};

/*
 * Reads them.  Call it on the thread that is measured; the first call opens a file that stays
 * open.  Cost: two system calls.
 */
void pawl_usage_read(struct usage *out);

/* Closes the calling thread's file, before it ends. */
void pawl_usage_close(void);

/* Adds `to` less `from` to sum. */
void pawl_usage_add(struct usage *sum, const struct usage *from, const struct usage *to);

/*
 * The run delay beyond what the switches explain, below 0 when it is less; NaN: not told.  Whoever
 * wakes the thread may have to leave that processor first; a neighbour leaves only after its time
 * slice.
 */
double pawl_usage_delay_ns(const struct usage *u);

#endif
