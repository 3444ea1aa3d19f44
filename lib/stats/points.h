/*
 * points - the numbers of pairs at which a comparison decides, fixed before the first one.
 *
 * 12, 17, 24, 34, 48, 68, 96, 136, 200, and 280 and 400 where pairs are short: each about 1.4 times
 * the one before, so that none costs more than 40 % too many pairs.  Whoever looks nine times is
 * wrong more often than who looks once; the rule pays for it by taking p times the number of points
 * (verdict.h).  More than ten would be too dear: with so many to come, 17 is left out.
 */
#ifndef PAWL_STATS_POINTS_H
#define PAWL_STATS_POINTS_H

#include <stddef.h>

enum {
	POINTS_FEWEST = 12,
	POINTS_MOST = 400,
	POINTS_MOST_LONG = 200, /* of runs that are not short */
	POINTS_MOST_QUICK = 68,
	POINTS_MAX = 10, /* as many as a result may have (LOOKS_MAX) */
};

/*
 * The points from `fewest` on and below `most`, then `most` itself; for fewest = most that alone.
 * Shape: 1 <= fewest <= most.  Returns how many.
 */
size_t points_between(unsigned fewest, unsigned most, unsigned out[POINTS_MAX]);

#endif
