#include "lib/stats/describe.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/stats/dist.h"
#include "lib/stats/sample.h"

#include "lib/base/banned.h"

#define FEW 64 /* values that need no memory of their own */

double quantile_sorted(const double *x, size_t n, double p)
{
	double at = (double)(n - 1) * p, below = floor(at);
	size_t i = (size_t)below;

	if (i + 1 >= n)
		return x[n - 1];
	return x[i] + (at - below) * (x[i + 1] - x[i]);
}

/* The distances grow from the centre to both ends, so the middle ones are met on the way. */
double mad_from(const double *x, size_t n, double centre)
{
	double last = 0, distance = 0;
	size_t low = 0, high;

	while (low < n && x[low] < centre)
		low++;
	high = low;
	for (size_t i = 0; i <= n / 2; i++) {
		double down = low > 0 ? centre - x[low - 1] : HUGE_VAL;
		double up = high < n ? x[high] - centre : HUGE_VAL;

		last = distance;
		if (low > 0 && down <= up)
			low--;
		else
			high++;
		distance = fmin(down, up);
	}
	return MAD_SCALE * (n % 2 ? distance : 0.5 * last + 0.5 * distance);
}

double mad_sorted(const double *x, size_t n)
{
	return mad_from(x, n, sample_median_sorted(x, n));
}

static void describe_spread(const double *x, double confidence, struct description *out)
{
	double n = (double)out->n, half;

	if (out->n == 1) {
		out->sd = out->ci_low = out->ci_high = (double)NAN;
		return;
	}
	out->sd = sqrt(sample_squares(x, out->n) / (n - 1));
	half = student_quantile(0.5 + 0.5 * confidence, n - 1) * out->sd / sqrt(n);
	out->ci_low = out->mean - half;
	out->ci_high = out->mean + half;
}

static bool fits(const struct description *d)
{
	if (!isfinite(d->mean) || !isfinite(d->mad) || !isfinite(d->p99))
		return false;
	return d->n == 1 || (isfinite(d->sd) && isfinite(d->ci_low) && isfinite(d->ci_high));
}

int describe(const double *x, size_t n, double confidence, struct description *out, struct err *err)
{
	struct description made = { .n = n };
	double *sorted;

	if (sample_check(x, n, 1, err) || sample_check_confidence(confidence, err))
		return -1;
	sorted = sample_sorted(x, n, err);
	if (!sorted)
		return -1;
	made.mean = sample_mean(x, n);
	describe_spread(x, confidence, &made);
	made.min = sorted[0];
	made.max = sorted[n - 1];
	made.median = sample_median_sorted(sorted, n);
	made.p99 = quantile_sorted(sorted, n, 0.99);
	made.mad = mad_sorted(sorted, n);
	free(sorted);
	if (!fits(&made))
		return err_set(err, ERR_RANGE, "the values are too large to be described");
	*out = made;
	return 0;
}

static double largest_of(const double *x, size_t n)
{
	double most = x[0];

	for (size_t i = 1; i < n; i++)
		most = x[i] > most ? x[i] : most;
	return most;
}

/* In front of the upper one of two middle values is the lower one, the largest there. */
static double median_of(double *x, size_t n)
{
	double upper = sample_select(x, n, n / 2);

	return n % 2 ? upper : 0.5 * largest_of(x, n / 2) + 0.5 * upper;
}

int describe_middle(const double *x, size_t n, struct middle *out, struct err *err)
{
	double few[FEW], *copy = n <= FEW ? few : malloc(n * sizeof(*copy));
	struct middle made = { .mean = sample_mean(x, n), .min = x[0], .max = largest_of(x, n) };

	if (!copy)
		return err_nomem(err);
	for (size_t i = 1; i < n; i++)
		made.min = x[i] < made.min ? x[i] : made.min;
	memcpy(copy, x, n * sizeof(*copy));
	made.median = median_of(copy, n);
	if (copy != few)
		free(copy);
	*out = made;
	return 0;
}
