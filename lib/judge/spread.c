#include "lib/judge/spread.h"

#include <math.h>

#include "lib/judge/pairs.h"
#include "lib/stats/clusters.h"

#include "lib/base/banned.h"

static const double FLOOR_SDS = 1.959963984540054; /* 95 of 100 lie within */

int spread_of_layouts(const struct bench *b, const struct metric *m, struct layout_calibration *out,
		      struct err *err)
{
	struct clusters_spread s;
	struct pair_changes c;

	*out = (struct layout_calibration){ .n = 0 };
	if (pair_changes_of(b, m, &c, err))
		return -1;
	if (c.d && c.layouts && !c.by_difference) {
		clusters_spread(c.d, c.layouts, c.n, &s);
		if (isfinite(s.between))
			*out = (struct layout_calibration){
				.n = (int)s.n,
				.spread = sqrt(s.between / 2),
				.low = sqrt(s.low / 2),
				.high = sqrt(s.high / 2),
				.floor = expm1(FLOOR_SDS * sqrt(s.between)),
				.scatter = sqrt(s.means),
			};
	}
	pair_changes_release(&c);
	return 0;
}
