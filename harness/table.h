/* SPDX-License-Identifier: MIT */
/*
 * table - what a person reads: one line a benchmark, then the counters.
 */
#ifndef PAWL_HARNESS_TABLE_H
#define PAWL_HARNESS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/session.h"

struct table {
	FILE *to;
	int name_width; /* of the longest name, in characters */
	bool rates;	/* some benchmark says its items or bytes */
};

/* Prints the clock and the heading. */
void pawl_table_begin(const struct table *t, const struct session *s);

/* Prints one benchmark's line, and a second one when operations failed. */
void pawl_table_line(const struct table *t, const struct pawl_bench *bench,
		     const struct outcome *o);

/* Prints the counters of all, and which could not be counted and why. */
void pawl_table_counters(const struct table *t, const struct pawl_bench *const *benches,
			 const struct outcome *outcomes, size_t n);

/* Prints what to beware of about the clock that was used; nothing when there is nothing. */
void pawl_table_warnings(const struct table *t, const struct clock *clock);

/* Characters of UTF-8 text. */
int pawl_table_width(const char *s);

/* "1.234 us", "12.3 k/s", ... into out; "-" for NaN. */
void pawl_cell_time(char *out, size_t size, double ns);
void pawl_cell_count(char *out, size_t size, double value, const char *unit);

#endif
