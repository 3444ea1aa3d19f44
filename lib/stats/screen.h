/*
 * screen - a new session against stored ones: does it deserve a paired rerun?
 *
 * Stored results differ from new ones by more than the noise within either: the machine itself
 * moves by 2 to 4 % between sessions.  So the yardstick is how far consecutive sessions lay apart
 * in the past, and the answer is "suspect" or not, never a verdict.  With less than
 * SCREEN_HISTORY_MIN such distances there is no yardstick, and that is its own answer.
 *
 * Locations are on the log scale, anchor-normalised by the caller where there are anchors.
 *
 * Source: T. Kalibera and R. Jones, ISMM 2013, doi 10.1145/2464157.2464160 (the session is the
 *         unit that varies); the rule itself is pawl's own, measured at 5 to 12 % false suspects.
 */
#ifndef PAWL_STATS_SCREEN_H
#define PAWL_STATS_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"
#include "lib/stats/ttest.h"

enum { SCREEN_HISTORY_MIN = 8 };

/* One stored session of one series. */
struct session {
	double location; /* log scale */
	double se;	 /* standard error of location within the session; >= 0 */
	bool moved;	 /* an accepted change point lies between the one before and this */
};

enum screen_call { SCREEN_QUIET, SCREEN_SUSPECT, SCREEN_TOO_SHORT };

struct screening {
	enum screen_call call;
	size_t m;	    /* distances the yardstick was made of */
	struct t_test test; /* shift = new - last, its se, df, p, interval; NaN when too short */
};

/*
 * Location and standard error of the runs y[0..n) (logs) of one session: Hodges-Lehmann, and the
 * width of its 95 % interval over 2 * 1.96.
 *
 * Shape:  6 <= n <= SIGNED_RANK_MAX.  moved is set to false.
 * Errors: ERR_RANGE, ERR_LIMIT, ERR_NOMEM; *out is untouched.
 */
int session_of(const double *y, size_t n, struct session *out, struct err *err);

/*
 * Holds `now` against the last of history[0..n), oldest first.
 *
 *   v  = max(mean of (location[i] - location[i-1])^2, se_now^2 + se_last^2)
 *   df = max(3, floor(2m/3)), m the number of distances: those across a change point are left
 *        out, and now - last, the one on trial, is never among them
 *   suspect when 0 lies outside (now - last) +- t(1 - alpha/2, df) sqrt(v)
 *
 * m < SCREEN_HISTORY_MIN gives SCREEN_TOO_SHORT and no figures.
 *
 * Shape:  n >= 0, 0 < alpha < 1; 0.01 where a person may be called.
 * Errors: ERR_RANGE when alpha, a location or a standard error is outside its range; *out is
 *         untouched.
 * Cost:   O(n), no allocation.
 */
int screen(const struct session *history, size_t n, const struct session *now, double alpha,
	   struct screening *out, struct err *err);

/* The degrees of freedom of m distances: max(3, floor(2m/3)). */
double screen_df(size_t m);

/*
 * The shift `delta` with variance v on df degrees of freedom, both from elsewhere.
 *
 * Shape:  v >= 0, df > 0, 0 < confidence < 1.  Errors: ERR_RANGE; *out is untouched.
 */
int screen_shift(double delta, double v, double df, double confidence, struct t_test *out,
		 struct err *err);

#endif
