/*
 * ratios - the changes of a metric's pairs, as log-ratios or differences: what a verdict is made
 * of.
 */
#ifndef PAWL_REPORTER_JUDGE_RATIOS_H
#define PAWL_REPORTER_JUDGE_RATIOS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"
#include "lib/record/summary.h"

/*
 * ln(head / base) of every pair, positive where the head is worse.
 *
 * Where the two took turns, a pair's value is the median over its slices: that shrugs off what
 * hit one slice.  But it is blind to a cost that the program itself has in few slices (a buffer
 * that grows, a collection): when the totals of the runs stand apart from the slices, by half
 * the threshold or more and beyond their own noise, the totals are taken, and *out_totals says so.
 *
 * Shape:  *out is NULL (and no error) without pairs, or when a value is 0 and has no ratio; else
 *         *out_n values, free() them.
 * Errors: ERR_NOMEM.
 */
int ratios_of(const struct bench *b, const struct metric *m, double confidence, double **out,
	      size_t *out_n, bool *out_totals, struct err *err);

/* What each pair of a metric moved by, positive where the head is worse. */
struct pair_changes {
	double *d; /* NULL: there are none */
	size_t n;
	bool by_totals;	    /* see above */
	bool by_difference; /* head - base in the metric's unit; else ln(head / base) */
	double threshold;   /* the smallest change that counts, on the scale of d */
};

/*
 * ratios_of(), or where a metric that counts has no ratio, its differences: from 0 allocations to 5
 * is the regression that people look for.  The threshold is then the share of the mean of the base
 * that the benchmark's own is; of a base that is all 0 any difference counts.  Times have a ratio
 * or nothing: one of 0 was not measured.
 *
 * Release with pair_changes_release().  Errors: ERR_NOMEM.
 */
int pair_changes_of(const struct bench *b, const struct metric *m, double confidence,
		    struct pair_changes *out, struct err *err);

void pair_changes_release(struct pair_changes *c);

#endif
