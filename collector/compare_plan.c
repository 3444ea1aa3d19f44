#include "collector/compare_plan.h"

#include "lib/stats/points.h"

#include "lib/base/banned.h"

void compare_plan_runs(const struct compare_request *rq, int *out_min, int *out_max)
{
	int fewest = rq->config->runs_min, most = rq->config->runs_max;

	if (rq->quick && most > POINTS_MOST_QUICK)
		most = POINTS_MOST_QUICK;
	*out_max = rq->pairs ? (int)rq->pairs : most;
	*out_min = rq->pairs ? (int)rq->pairs : fewest < most ? fewest : most;
}

uint64_t compare_plan_min_time_ns(const struct compare_request *rq)
{
	uint64_t configured = rq->config->min_time_ns;
	uint64_t most = rq->quick		     ? COMPARE_QUICK_NS
			: rq->config->min_time_given ? configured
						     : COMPARE_RUN_NS;

	return configured < most ? configured : most;
}
