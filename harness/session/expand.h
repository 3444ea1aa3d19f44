/* SPDX-License-Identifier: MIT */
/*
 * expand - the list as it is measured: a benchmark of its own for each argument.
 *
 * What comes out is a list like the one that went in, so that nothing behind it knows of ranges:
 * a benchmark with an argument has it alone in args.list, and its name ends in it.
 */
#ifndef PAWL_HARNESS_SESSION_EXPAND_H
#define PAWL_HARNESS_SESSION_EXPAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/pawl.h"

#define EXPAND_MOST 10000 /* arguments of one benchmark */

struct expansion {
	struct pawl_bench *list;
	size_t count;
	char *names;	 /* of those with arguments */
	int64_t *values; /* what their args.list points to */
};

/*
 * Writes out the arguments of a list that pawl_list_check() found good.
 *
 * Errors: false and a line for the user in fault[OPTIONS_FAULT]: arguments that make no sense or
 *         are too many, a name that becomes too long, two names that become the same, too many
 *         threads, no memory; *out is then untouched.
 * Cost:   O(n log n) of the written out list.
 */
bool pawl_expand(const struct pawl_bench *list, size_t count, struct expansion *out, char *fault);
void pawl_expand_release(struct expansion *e);

#endif
