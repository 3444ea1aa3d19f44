/*
 * changepoint - where a series of session locations changed its level.  Advisory.
 *
 * The exact commit comes from paired deltas; this finds steps in a history of stored results,
 * whose neighbouring points are not independent: machines drift from session to session.  So it
 * tests on the effective number of points, n (1 - r) / (1 + r) for neighbours that correlate by r.
 * With r from 0 to 0.5, of 20 to 1,000 points, 0 to 4 % of 400 simulated quiet series show a
 * change, with 0.7 up to 9 %; without that 92 % of those of 1,000 points with r = 0.5 did, and 21 %
 * of 100 points.  A step of 20 % up, down, and up again, 8 to 31 points each, in a scatter of
 * 0.2 %: the last one is found, 8 to 20 points behind it, in 397 of 400.
 *
 * Source: D. S. Matteson and N. A. James, J. Amer. Statist. Assoc. 109 (2014) 334-345 (E-divisive);
 *         M. Fleming et al., ICPE 2023, doi 10.1145/3578244.3583719 (a t test in place of the
 *         permutations, windows, weak points merged); G. V. Bayley and J. M. Hammersley,
 *         J. R. Statist. Soc. Suppl. 8 (1946) 184-197 (effective number of observations).
 */
#ifndef PAWL_STATS_SERIES_CHANGEPOINT_H
#define PAWL_STATS_SERIES_CHANGEPOINT_H

#include <stddef.h>

#include "lib/base/err.h"

struct changepoint_terms {
	size_t window;	      /* points looked at together, 4..1000 */
	size_t step;	      /* from window to window, 1..window */
	size_t least;	      /* points on each side of a change, 2 or more */
	double weak_p;	      /* to be a candidate in a window */
	double final_p;	      /* to stay in the end */
	double min_magnitude; /* |after - before| to stay; unit of the series */
};

/* The method's: windows of 50 by 25, 3 points a side, p < 1e-3, then 1e-4; ln(1.01). */
#define CHANGEPOINT_TERMS \
	{ \
		50, 25, 3, 1e-3, 1e-4, 0.00995033085316808 \
	}

struct change_point {
	size_t at;	      /* index of the first point of the new level */
	double before, after; /* means of the neighbouring stretches; unit of the series */
	double t, p;	      /* Student's, before minus after, of the effective number of points */
};

/*
 * All change points of x[0..n), oldest first, in *out, which the caller frees; NULL when none.
 *
 * Shape:  n >= 0 points in order of time; fewer than 2 * least have no change.
 * Errors: ERR_RANGE when a value is not finite or a term is outside its range, ERR_NOMEM; *out and
 *         *out_n are untouched.
 * Cost:   O(n window) plus O(n) for each candidate removed.
 */
int changepoint_find(const double *x, size_t n, const struct changepoint_terms *terms,
		     struct change_point **out, size_t *out_n, struct err *err);

#endif
