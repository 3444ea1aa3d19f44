/*
 * creeping - whether a history gets worse by many small steps, none of which is seen by itself.
 *
 * The newest 48, 96, 192 and 384 points are each cut into 12 blocks, of which the medians are
 * looked at.  A line through them must rise by what counts; by what creep_of() asks of the steps
 * from block to block, and by 3.5 of its standard errors; and must leave less than half of what the
 * best single step leaves: what changed once is no creep.  Where a step is known the line begins
 * anew: only what lies between known steps counts.  Blocks whose points correlate scatter less than
 * the next ones will: their spread is made wider by the upper end of that correlation.
 *
 * Of 4,000 simulated quiet series of 1,000 points that scatter by 1 %, looked at at every fourth
 * point, with 3 % as what counts, none rose where neighbours correlate by 0.3, 2 by 0.9; 3 that
 * have a slow part of 1 % besides (0.95); 13 of 0.97 alone.  A creep of 0.1 % a point, 100 times,
 * was found in 497 of 500, one of 0.02 %, 400 times, in 500, one of 0.2 %, 50 times, in 2,074 of
 * 4,000.
 */
#ifndef PAWL_STATS_SERIES_CREEPING_H
#define PAWL_STATS_SERIES_CREEPING_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"

#define CREEPING_BLOCKS 12
#define CREEPING_LEAST_POINTS 48
#define CREEPING_MOST_POINTS 384
#define CREEPING_SIGMAS 3.5
#define CREEPING_NEAR 5 /* points; a known step may be so far from where it is said to be */

struct creeping {
	bool found;
	size_t from;   /* index of the first point of the stretch that rises, to the last one */
	double change; /* of the line over that stretch; unit of the series */
	double se;     /* its standard error */
};

/*
 * Of x[0..n) in order of time, upwards being worse; known[i]: a step is known whose new level
 * begins at i (NULL: none is).  Of the stretches that rise the longest one.  least: what counts.
 *
 * Shape:  n >= 0; fewer than 48 do not rise.
 * Errors: ERR_RANGE when a value is not finite or least is not above 0; *out is untouched.
 * Cost:   O(n), no allocation.
 */
int creeping_find(const double *x, const bool *known, size_t n, double least, struct creeping *out,
		  struct err *err);

#endif
