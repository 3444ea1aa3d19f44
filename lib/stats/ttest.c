#include "lib/stats/ttest.h"

#include <math.h>

#include "lib/stats/dist.h"
#include "lib/stats/sample.h"

#include "lib/base/banned.h"

void t_test_finish(struct t_test *test)
{
	double half = student_quantile(0.5 + 0.5 * test->confidence, test->df) * test->se;

	if (test->se > 0)
		test->t = test->shift / test->se;
	else
		test->t = test->shift > 0 ? HUGE_VAL : test->shift < 0 ? -HUGE_VAL : 0;
	test->p = student_two_sided(test->t, test->df);
	test->low = test->shift - half;
	test->high = test->shift + half;
}

int pooled_t(const double *x, size_t n_x, const double *y, size_t n_y, double confidence,
	     struct t_test *out, struct err *err)
{
	struct t_test made = { .confidence = confidence };
	double m = (double)n_x, n = (double)n_y;

	if (sample_check(x, n_x, 1, err) || sample_check(y, n_y, 1, err) ||
	    sample_check_confidence(confidence, err))
		return -1;
	if (n_x + n_y < 3)
		return err_set(err, ERR_RANGE, "2 values, at least 3 are needed");
	made.shift = sample_mean(y, n_y) - sample_mean(x, n_x);
	made.df = m + n - 2;
	made.se =
		sqrt((sample_squares(x, n_x) + sample_squares(y, n_y)) / made.df * (1 / m + 1 / n));
	if (!isfinite(made.shift) || !isfinite(made.se))
		return err_set(err, ERR_RANGE, "the values are too large to be compared");
	t_test_finish(&made);
	*out = made;
	return 0;
}
