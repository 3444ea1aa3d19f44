#include "lib/stats/fieller.h"

#include <math.h>

#include "lib/stats/dist.h"
#include "lib/stats/sample.h"

#include "lib/base/banned.h"

static double products(const double *x, const double *y, size_t n, double mean_x, double mean_y)
{
	long double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += ((long double)x[i] - (long double)mean_x) *
		       ((long double)y[i] - (long double)mean_y);
	return (double)sum;
}

/*
 * The ratios r with |mean(head) - r mean(base)| <= t * its standard error: the stretch between
 * the roots of a r^2 - 2 b r + c.
 */
int fieller(const double *base, const double *head, size_t n, double confidence,
	    struct mean_ratio *out, struct err *err)
{
	struct mean_ratio made = { .confidence = confidence };
	double x, y, t, scale, a, b, c, root;

	if (sample_check(base, n, 2, err) || sample_check(head, n, 2, err) ||
	    sample_check_confidence(confidence, err))
		return -1;
	x = sample_mean(base, n);
	y = sample_mean(head, n);
	made.ratio = y / x;
	if (!isfinite(made.ratio))
		return err_set(err, ERR_RANGE, "the mean of the base is 0: no ratio");
	t = student_quantile(0.5 + 0.5 * confidence, (double)n - 1);
	scale = t * t / ((double)n * ((double)n - 1));
	a = x * x - scale * sample_squares(base, n);
	b = x * y - scale * products(base, head, n, x, y);
	c = y * y - scale * sample_squares(head, n);
	if (a > 0) {
		root = sqrt(fmax(0, b * b - a * c));
		made.low = fmin((b - root) / a, made.ratio);
		made.high = fmax((b + root) / a, made.ratio);
	} else {
		made.low = -HUGE_VAL;
		made.high = HUGE_VAL;
	}
	*out = made;
	return 0;
}
