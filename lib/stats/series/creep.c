#include "lib/stats/series/creep.h"

#include <math.h>

#include "lib/stats/dist.h"

#include "lib/base/banned.h"

int creep_of(const struct creep_step *step, size_t n, double delta_log, struct creep *out,
	     struct err *err)
{
	double sum = 0, squares = 0;
	size_t i;

	if (!isfinite(delta_log) || delta_log < 0)
		return err_set(err, ERR_RANGE, "the threshold of a creep check is not a number");
	for (i = 0; i < n; i++) {
		if (!isfinite(step[i].d) || !isfinite(step[i].se) || step[i].se < 0)
			return err_set(err, ERR_RANGE, "step %zu of a creep check has no delta",
				       i + 1);
		sum += step[i].d;
		squares += step[i].se * step[i].se;
	}
	out->n = n;
	out->change = sum;
	out->se = sqrt(squares);
	out->z = out->se > 0 ? sum / out->se : (double)NAN;
	out->flagged = fabs(sum) >= delta_log && fabs(sum) > CREEP_SIGMAS * out->se;
	return 0;
}

double creep_se(double low, double high, double confidence)
{
	if (!isfinite(low) || !isfinite(high) || !(confidence > 0 && confidence < 1))
		return (double)NAN;
	return (high - low) / (2 * normal_quantile((1 + confidence) / 2));
}
