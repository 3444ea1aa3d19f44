#include "lib/stats/verdict.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "lib/stats/describe.h"
#include "lib/stats/sample.h"
#include "lib/stats/signedrank.h"

#include "lib/base/banned.h"

static const double DISTURBED_AT = 5; /* scaled MADs */

/* Once nothing was called: two one-sided tests. */
static enum call unchanged_or_not(const struct judgement *judged, double delta_log)
{
	bool inside = -delta_log < judged->tost_low && judged->tost_high < delta_log;

	return inside ? CALL_UNCHANGED : CALL_INCONCLUSIVE;
}

enum call call_rule_a(const struct judgement *judged, double delta_log)
{
	if (judged->low > 0 && judged->theta >= delta_log)
		return CALL_REGRESSED;
	if (judged->high < 0 && judged->theta <= -delta_log)
		return CALL_IMPROVED;
	return unchanged_or_not(judged, delta_log);
}

int pairs_disturbed(const double *d, size_t n, bool *out_which, size_t *out_n, struct err *err)
{
	double centre, mad;
	size_t count = 0;

	if (quantile(d, n, 0.5, &centre, err) || mad_scaled(d, n, &mad, err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		bool far_off = mad > 0 && fabs(d[i] - centre) > DISTURBED_AT * mad;

		count += far_off;
		if (out_which)
			out_which[i] = far_off;
	}
	*out_n = count;
	return 0;
}

/* The fewest pairs that can have a finite interval: 2 * 2^-n <= alpha. */
static double fewest_pairs(double alpha)
{
	return ceil(1 - log2(alpha));
}

/*
 * Both arms of an interval shrink with the square root of n.  Below the threshold, "unchanged" is
 * within reach once each arm fits between theta and its own end of (-D, D); from the threshold
 * on, an arm as long as the longer one has to leave out 0: which of the two that is, is chance.
 */
static double pairs_to_decide(const struct judgement *judged, double alpha, double delta_log)
{
	double theta = judged->theta, shrink;

	if (isinf(judged->low))
		return fewest_pairs(alpha);
	if (fabs(theta) < delta_log)
		shrink = fmax((judged->tost_high - theta) / (delta_log - theta),
			      (theta - judged->tost_low) / (delta_log + theta));
	else
		shrink = fmax(theta - judged->low, judged->high - theta) / fabs(theta);
	if (!isfinite(shrink)) /* theta and the threshold are both 0 */
		return (double)NAN;
	return fmax((double)judged->n + 1, ceil((double)judged->n * shrink * shrink));
}

static int check_terms(double alpha, double delta_log, struct err *err)
{
	if (!(alpha > 0 && alpha < 0.5))
		return err_set(err, ERR_RANGE, "alpha %g is not between 0 and 0.5", alpha);
	if (!(delta_log >= 0) || isinf(delta_log))
		return err_set(err, ERR_RANGE, "threshold %g is not a number from 0 on", delta_log);
	return 0;
}

static int judge_walsh(const struct walsh *walsh, const double *d, double alpha, bool sequential,
		       double delta_log, struct judgement *out, struct err *err)
{
	struct judgement made = { .n = walsh->n, .confidence = 1 - alpha };
	struct signed_rank rank;

	if (signed_rank_from(walsh, d, 1 - alpha, &rank, err) ||
	    pairs_disturbed(d, walsh->n, NULL, &made.n_disturbed, err))
		return -1;
	made.theta = rank.theta;
	made.low = rank.low;
	made.high = rank.high;
	made.p = made.p_adjusted = rank.p;
	walsh_interval(walsh, sequential ? 1 - alpha : 1 - 2 * alpha, &made.tost_low,
		       &made.tost_high);
	made.noise_floor = fmax(delta_log, 0.5 * made.high - 0.5 * made.low);
	made.call = call_rule_a(&made, delta_log);
	made.pairs_needed = (double)NAN;
	if (made.call == CALL_INCONCLUSIVE)
		made.pairs_needed = pairs_to_decide(&made, alpha, delta_log);
	*out = made;
	return 0;
}

int judge_pairs(const double *d, size_t n, double alpha, bool sequential, double delta_log,
		struct judgement *out, struct err *err)
{
	struct walsh walsh = WALSH_INIT;
	int rc = -1;

	if (check_terms(alpha, delta_log, err) == 0 && walsh_build(d, n, &walsh, err) == 0)
		rc = judge_walsh(&walsh, d, alpha, sequential, delta_log, out, err);
	walsh_release(&walsh);
	return rc;
}

int pairs_narrow_enough(const double *d, size_t n, double confidence, double delta_log, bool *out,
			struct err *err)
{
	struct walsh walsh = WALSH_INIT;
	double low, high;

	if (sample_check_confidence(confidence, err) || check_terms(0.25, delta_log, err) ||
	    walsh_build(d, n, &walsh, err))
		return -1;
	walsh_interval(&walsh, confidence, &low, &high);
	walsh_release(&walsh);
	*out = high - low <= delta_log;
	return 0;
}
