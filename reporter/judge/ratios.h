/*
 * ratios - the log-ratios of a metric's pairs: what a verdict is made of.
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

#endif
