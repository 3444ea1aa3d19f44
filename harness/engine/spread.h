/* SPDX-License-Identifier: MIT */
/*
 * spread - centre and spread of the batches of one stretch, in a fixed amount of memory.
 *
 * Source: B. P. Welford, "Note on a method for calculating corrected sums of squares and
 * products", Technometrics 4 (1962), 419-420, for mean and sd.
 */
#ifndef PAWL_HARNESS_ENGINE_SPREAD_H
#define PAWL_HARNESS_ENGINE_SPREAD_H

#include <stdbool.h>
#include <stddef.h>

#define SPREAD_CAPACITY 4096

struct spread {
	size_t n;
	double mean, m2;
	double values[SPREAD_CAPACITY];
};

/* NaN where n is too small: sd and the interval need 2, the others 1. */
struct spread_figures {
	size_t n;
	double min, median, mean, sd, p99, max;
	double low, high; /* the mean's 95 % confidence interval: student.h */
};

void pawl_spread_clear(struct spread *s);

/* Adds a value.  Returns false, and adds nothing, when the memory is full. */
bool pawl_spread_add(struct spread *s, double value);

/* Standard deviation so far; NaN for less than 2 values.  Cost: O(1). */
double pawl_spread_sd(const struct spread *s);

/* Halves what is kept: every two neighbours become their mean. */
void pawl_spread_halve(struct spread *s);

/* Sorts the values.  Cost: O(n log n).  p99 is the smallest value that 99 % do not exceed. */
void pawl_spread_figures(struct spread *s, struct spread_figures *out);

/* All figures times `by`, as when the unit of the values turns out to be another. */
void pawl_spread_scale(struct spread_figures *f, double by);

#endif
