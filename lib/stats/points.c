#include "lib/stats/points.h"

#include "lib/base/banned.h"

size_t points_between(unsigned fewest, unsigned most, unsigned out[POINTS_MAX])
{
	static const unsigned points[POINTS_MAX - 1] = { POINTS_FEWEST, 17, 24, 34, 48, 68, 96, 136,
							 POINTS_MOST };
	size_t n = 0;

	for (size_t i = 0; i < POINTS_MAX - 1; i++)
		if (points[i] >= fewest && points[i] < most)
			out[n++] = points[i];
	out[n++] = most;
	return n;
}
