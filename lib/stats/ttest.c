#include "lib/stats/ttest.h"

#include <math.h>
#include <stdlib.h>

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

static int finish(struct t_test *made, struct t_test *out, struct err *err)
{
	if (!isfinite(made->shift) || !isfinite(made->se))
		return err_set(err, ERR_RANGE, "the values are too large to be compared");
	t_test_finish(made);
	*out = *made;
	return 0;
}

static int check_two(const double *x, size_t n_x, const double *y, size_t n_y, size_t least,
		     double confidence, struct err *err)
{
	if (sample_check(x, n_x, least, err) || sample_check(y, n_y, least, err))
		return -1;
	return sample_check_confidence(confidence, err);
}

static double shift_of(const double *x, size_t n_x, const double *y, size_t n_y)
{
	return sample_mean(y, n_y) - sample_mean(x, n_x);
}

int welch(const double *x, size_t n_x, const double *y, size_t n_y, double confidence,
	  struct t_test *out, struct err *err)
{
	struct t_test made = { .confidence = confidence };
	double m = (double)n_x, n = (double)n_y, v_x, v_y;

	if (check_two(x, n_x, y, n_y, 2, confidence, err))
		return -1;
	v_x = sample_squares(x, n_x) / (m - 1) / m;
	v_y = sample_squares(y, n_y) / (n - 1) / n;
	made.shift = shift_of(x, n_x, y, n_y);
	made.se = sqrt(v_x + v_y);
	made.df = m + n - 2;
	if (made.se > 0) {
		double share = v_x / (v_x + v_y);

		made.df = 1 / (share * share / (m - 1) + (1 - share) * (1 - share) / (n - 1));
	}
	return finish(&made, out, err);
}

int pooled_t(const double *x, size_t n_x, const double *y, size_t n_y, double confidence,
	     struct t_test *out, struct err *err)
{
	struct t_test made = { .confidence = confidence };
	double m = (double)n_x, n = (double)n_y;

	if (check_two(x, n_x, y, n_y, 1, confidence, err))
		return -1;
	if (n_x + n_y < 3)
		return err_set(err, ERR_RANGE, "2 values, at least 3 are needed");
	made.shift = shift_of(x, n_x, y, n_y);
	made.df = m + n - 2;
	made.se =
		sqrt((sample_squares(x, n_x) + sample_squares(y, n_y)) / made.df * (1 / m + 1 / n));
	return finish(&made, out, err);
}

int paired_t(const double *d, size_t n, double confidence, struct t_test *out, struct err *err)
{
	struct t_test made = { .confidence = confidence };

	if (sample_check(d, n, 2, err) || sample_check_confidence(confidence, err))
		return -1;
	made.shift = sample_mean(d, n);
	made.df = (double)n - 1;
	made.se = sqrt(sample_squares(d, n) / made.df / (double)n);
	return finish(&made, out, err);
}

int yuen(const double *d, size_t n, double trim, double confidence, struct t_test *out,
	 struct err *err)
{
	struct t_test made = { .confidence = confidence };
	size_t cut, kept;
	double *sorted, kept_share;

	if (sample_check(d, n, 2, err) || sample_check_confidence(confidence, err))
		return -1;
	if (!(trim >= 0 && trim < 0.5))
		return err_set(err, ERR_RANGE, "trim %g is not between 0 and 0.5", trim);
	cut = (size_t)((double)n * trim + 1e-9); /* 0.29 of 100 is 29 */
	kept = n - 2 * cut;
	if (kept < 2)
		return err_set(err, ERR_RANGE, "trimming leaves %zu value(s), 2 are needed", kept);
	sorted = sample_sorted(d, n, err);
	if (!sorted)
		return -1;
	made.shift = sample_mean(sorted + cut, kept);
	for (size_t i = 0; i < cut; i++) {
		sorted[i] = sorted[cut];
		sorted[n - 1 - i] = sorted[n - 1 - cut];
	}
	kept_share = (double)kept / (double)n;
	made.se = sqrt(sample_squares(sorted, n) / ((double)n - 1) / (double)n) / kept_share;
	made.df = (double)kept - 1;
	free(sorted);
	return finish(&made, out, err);
}
