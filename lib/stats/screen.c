#include "lib/stats/screen.h"

#include <math.h>

#include "lib/stats/dist.h"
#include "lib/stats/sample.h"
#include "lib/stats/signedrank.h"

#include "lib/base/banned.h"

int session_of(const double *y, size_t n, struct session *out, struct err *err)
{
	struct signed_rank rank;

	if (signed_rank(y, n, 0.95, &rank, err))
		return -1;
	if (!isfinite(rank.low))
		return err_set(err, ERR_RANGE, "%zu value(s), at least 6 are needed", n);
	out->location = rank.theta;
	out->se = (rank.high - rank.low) / (2 * normal_quantile(0.975));
	out->moved = false;
	return 0;
}

double screen_df(size_t m)
{
	return fmax(3, floor(2 * (double)m / 3));
}

int screen_shift(double delta, double v, double df, double confidence, struct t_test *out,
		 struct err *err)
{
	struct t_test made = { .shift = delta, .df = df, .confidence = confidence };

	if (!isfinite(delta) || !isfinite(v) || !(v >= 0) || !(df > 0))
		return err_set(err, ERR_RANGE, "shift %g, variance %g, freedom %g: out of range",
			       delta, v, df);
	if (sample_check_confidence(confidence, err))
		return -1;
	made.se = sqrt(v);
	t_test_finish(&made);
	*out = made;
	return 0;
}

static int check_session(const struct session *session, struct err *err)
{
	if (isfinite(session->location) && isfinite(session->se) && session->se >= 0)
		return 0;
	return err_set(err, ERR_RANGE, "a session's location (%g) or its error (%g) is unusable",
		       session->location, session->se);
}

int screen(const struct session *history, size_t n, const struct session *now, double alpha,
	   struct screening *out, struct err *err)
{
	const double none = (double)NAN;
	struct screening made = { .call = SCREEN_TOO_SHORT };
	double square = 0, v;

	if (sample_check_confidence(1 - alpha, err) || check_session(now, err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		double off;

		if (check_session(&history[i], err))
			return -1;
		if (i == 0 || history[i].moved)
			continue;
		off = history[i].location - history[i - 1].location;
		square += off * off;
		made.m++;
	}
	if (made.m < SCREEN_HISTORY_MIN) {
		made.test = (struct t_test){ none, none, none, none, none, none, none, 1 - alpha };
		*out = made;
		return 0;
	}
	v = fmax(square / (double)made.m,
		 now->se * now->se + history[n - 1].se * history[n - 1].se);
	if (screen_shift(now->location - history[n - 1].location, v, screen_df(made.m), 1 - alpha,
			 &made.test, err))
		return -1;
	made.call = made.test.low > 0 || made.test.high < 0 ? SCREEN_SUSPECT : SCREEN_QUIET;
	*out = made;
	return 0;
}
