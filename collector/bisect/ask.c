#include "collector/bisect/ask.h"

#include <math.h>

#include "lib/stats/dist.h"

#include "lib/base/banned.h"

int bisect_ask(struct bisect_asker *a, const char *base, const char *head, int effort,
	       const struct bisect_evidence **out, struct err *err)
{
	struct bisect_evidence fresh = BISECT_EVIDENCE_INIT;
	int result = -1;

	*out = bisect_log_find(a->log, base, head, effort);
	if (*out) {
		a->n_comparisons++;
		a->n_before++;
		return 0;
	}
	if (a->rq->measure(a->rq->ctx, base, head, effort, &fresh, err))
		goto out;
	if (fresh.state == BISECT_NO_TIME) {
		a->timed = true;
		result = 0;
		goto out;
	}
	*out = bisect_log_add(a->log, base, head, effort, &fresh, err);
	if (!*out || (a->rq->keep && a->rq->keep(a->rq->ctx, a->log, err)))
		goto out;
	a->asked = true;
	a->n_comparisons++;
	result = 0;
out:
	bisect_evidence_release(&fresh);
	return result;
}

struct bisect_change bisect_change_of(const struct bisect_evidence *e, bool by_difference)
{
	return by_difference ? (struct bisect_change){ e->difference, e->difference_low,
						       e->difference_high }
			     : (struct bisect_change){ e->theta, e->low, e->high };
}

bool bisect_has_difference_alone(const struct bisect_evidence *e)
{
	return !isfinite(e->theta) && isfinite(e->difference);
}

void bisect_widen(const struct bisect_evidence *e, bool by_difference, double alpha, double *low,
		  double *high, double *confidence)
{
	struct bisect_change c = bisect_change_of(e, by_difference);
	double k = 1, wanted = 1 - alpha, df = e->pairs > 2 ? (double)e->pairs - 1 : 1;

	*confidence = e->confidence;
	if (e->confidence > 0 && e->confidence < wanted) {
		k = student_quantile(1 - alpha / 2, df) /
		    student_quantile((1 + e->confidence) / 2, df);
		*confidence = wanted;
	}
	*low = c.theta - k * (c.theta - c.low);
	*high = c.theta + k * (c.high - c.theta);
}

enum bisect_mark bisect_apart(const struct bisect_evidence *a, const struct bisect_evidence *b,
			      bool by_difference, double alpha, double half)
{
	double x = bisect_change_of(a, by_difference).theta, x_low, x_high;
	double y = bisect_change_of(b, by_difference).theta, y_low, y_high;
	double confidence, low, high;

	bisect_widen(a, by_difference, alpha, &x_low, &x_high, &confidence);
	bisect_widen(b, by_difference, alpha, &y_low, &y_high, &confidence);
	low = x - y - hypot(x - x_low, y_high - y);
	high = x - y + hypot(x_high - x, y - y_low);
	if (low > half || high < -half)
		return BISECT_BAD;
	return low > -half && high < half ? BISECT_GOOD : BISECT_UNCLEAR;
}
