/*
 * plot_spark - a history as a picture of one line's height, for tables of benchmarks.
 *
 * Coloured by classes of the page that it is put into: line, dot, bad-dot, good-dot.
 */
#ifndef PAWL_REPORTER_PLOT_SPARK_H
#define PAWL_REPORTER_PLOT_SPARK_H

#include <stddef.h>

#include "lib/base/buf.h"

/* Arrays of n, the oldest first. */
struct spark {
	const double *level;	    /* NaN: none */
	const signed char *moved;   /* 1: for the worse, -1: for the better */
	const signed char *outside; /* not 0: not to decide how high the picture reaches; or NULL */
	size_t n;
};

/* Appends <svg>; nothing where there is no level.  What moved, and the newest level, are dots. */
void plot_spark(const struct spark *spark, struct buf *out);

#endif
