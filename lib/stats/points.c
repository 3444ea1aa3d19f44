#include "lib/stats/points.h"

#include <stdbool.h>

#include "lib/base/banned.h"

size_t points_between(unsigned fewest, unsigned most, unsigned out[POINTS_MAX])
{
	static const unsigned points[] = { POINTS_FEWEST,    17, 24, 34, 48, 68, 96, 136,
					   POINTS_MOST_LONG, 280 };
	enum { N_POINTS = sizeof(points) / sizeof(points[0]), LEFT_OUT = 17 };
	bool is_long = most > points[N_POINTS - 1];
	size_t n = 0, i;

	for (i = 0; i < N_POINTS; i++)
		if (points[i] >= fewest && points[i] < most && !(is_long && points[i] == LEFT_OUT))
			out[n++] = points[i];
	out[n++] = most;
	return n;
}
