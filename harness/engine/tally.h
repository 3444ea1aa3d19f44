/* SPDX-License-Identifier: MIT */
/*
 * tally - what a benchmark counts itself, with pawl_add() and pawl_set().
 *
 * A run fills a tally of its own; that of the stretch takes those of the chunks whose time
 * counts.  What is wrong with a call is kept, so that it can be told once.
 */
#ifndef PAWL_HARNESS_ENGINE_TALLY_H
#define PAWL_HARNESS_ENGINE_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TALLY_MOST 16
#define TALLY_NAME 63 /* bytes of a name */

struct tally_entry {
	char name[TALLY_NAME + 1];
	bool is_set;  /* by pawl_set(): as it is; else a sum */
	double value; /* finite, or a sum that ran over */
};

struct tally {
	uint64_t operations; /* that the sums are of: those that failed by themselves, too */
	size_t n;
	struct tally_entry entry[TALLY_MOST];
	uint64_t faults;	       /* calls that did nothing */
	const char *fault;	       /* what was wrong with the first; static storage */
	char at_fault[TALLY_NAME + 1]; /* its name; "" when that was what was wrong */
};

void pawl_tally_clear(struct tally *t);

/* A call of pawl_add(), or of pawl_set(); name may be anything. */
void pawl_tally_count(struct tally *t, const char *name, double value, bool is_set);

/* Joins the tallies of threads that ran at once: all values are summed. */
void pawl_tally_join(struct tally *to, const struct tally *from);

/* Adds a later chunk: sums grow, what was set is replaced. */
void pawl_tally_follow(struct tally *to, const struct tally *from);

/* As it is reported: a sum per operation.  NaN: beyond the range of a double. */
double pawl_tally_value(const struct tally_entry *e, uint64_t operations);

#endif
