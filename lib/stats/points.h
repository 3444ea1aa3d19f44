/*
 * points - the numbers of pairs at which a comparison decides, fixed before the first one.
 *
 * 12, 17, 24, 34, 48, 68, 96, 136, 200: each about 1.4 times the one before, so that none costs
 * more than 40 % too many pairs.  Whoever looks nine times is wrong more often than who looks once;
 * the rule pays for it by taking p times the number of points (verdict.h).
 */
#ifndef PAWL_STATS_POINTS_H
#define PAWL_STATS_POINTS_H

#include <stddef.h>

enum {
	POINTS_FEWEST = 12,
	POINTS_MOST = 200,
	POINTS_MOST_QUICK = 68,
	POINTS_MAX = 10, /* nine, and the most runs of a configuration behind them */
};

/*
 * The points from `fewest` on and below `most`, then `most` itself; for fewest = most that alone.
 * Shape: 1 <= fewest <= most.  Returns how many.
 */
size_t points_between(unsigned fewest, unsigned most, unsigned out[POINTS_MAX]);

#endif
