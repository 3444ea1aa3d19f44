/* SPDX-License-Identifier: MIT */
/*
 * table - what a person reads: one line a benchmark, then the counters; or a block of all
 * there is to say.  Within 100 columns.
 */
#ifndef PAWL_HARNESS_SHOW_TABLE_H
#define PAWL_HARNESS_SHOW_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/session/session.h"

struct table {
	FILE *to;
	int name_width; /* of the longest name, in characters */
	bool rates;	/* some benchmark says its items or bytes */
	bool details;	/* a block a benchmark */
};

/* Prints the clock, the strategy and the heading. */
void pawl_table_begin(const struct table *t, const struct session *s);

/* Prints one benchmark's line, and more where operations failed or there is a note; or its block.
 */
void pawl_table_line(const struct table *t, const struct pawl_bench *bench,
		     const struct outcome *o);

/* Prints the block of a benchmark that was measured. */
void pawl_table_details(const struct table *t, const struct pawl_bench *bench,
			const struct outcome *o);

/* Prints the threads of a benchmark and what it counted itself, a line each; often nothing. */
void pawl_table_own(FILE *to, int indent, const struct measured *m);

/* Of the column of names. */
int pawl_table_name_width(const struct table *t);

/* The name, in its column; one that is wider gets a line of its own. */
void pawl_table_name(const struct table *t, const char *name);

/* Prints the counters of all, and which could not be counted and why. */
void pawl_table_counters(const struct table *t, const struct pawl_bench *const *benches,
			 const struct outcome *outcomes, size_t n);

/* Prints what to beware of about the clock that was used; nothing when there is nothing. */
void pawl_table_warnings(const struct table *t, const struct clock *clock);

/* Prints which of COUNTER_MAX counters have no value, or a special one, and why. */
void pawl_table_reasons(const struct table *t, const struct counter *c);

#endif
