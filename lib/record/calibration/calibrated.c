/* What the comparisons of one benchmark with itself say in short. */
#include "lib/record/calibration/calibrations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

static const double TWO_SIGMA = 1.959964; /* 95 % of a normal x stay below it */
static const double DOUBTED = 0.1;	  /* how often a bound may let more than 5 % through */

static int compare_numbers(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The k-th smallest (from 0) of the absolute values; NaN without memory or values. */
static double ordered(const double *x, size_t n, size_t k)
{
	double *sorted = n ? malloc(n * sizeof(*sorted)) : NULL, value;
	size_t i;

	if (!sorted)
		return (double)NAN;
	for (i = 0; i < n; i++)
		sorted[i] = fabs(x[i]);
	qsort(sorted, n, sizeof(*sorted), compare_numbers);
	value = sorted[k < n ? k : n - 1];
	free(sorted);
	return value;
}

/* P(at least k of n), each with probability p. */
static double at_least(size_t k, size_t n, double p)
{
	double sum = 0;
	size_t i;

	for (i = k; i <= n; i++)
		sum += exp(lgamma((double)n + 1) - lgamma((double)i + 1) -
			   lgamma((double)(n - i) + 1) + (double)i * log(p) +
			   (double)(n - i) * log1p(-p));
	return sum;
}

/* The x from low to high at which a rising function reaches y. */
static double solve(double (*f)(double x, size_t n), size_t n, double y, double low, double high)
{
	int i;

	for (i = 0; i < 60; i++) {
		double x = (low + high) / 2;

		if (f(x, n) < y)
			low = x;
		else
			high = x;
	}
	return (low + high) / 2;
}

/* How often the median of n, the one from which on fewer than half are larger, lies below u. */
static double median_below(double u, size_t n)
{
	return at_least(n / 2 + 1, n, u);
}

static double normal_within(double z, size_t n)
{
	(void)n;
	return erf(z / sqrt(2));
}

/*
 * From the median of n absolute values to what 95 % of normal ones stay below, with 90 %
 * confidence: a median of few is by chance small, and its multiple exceeded too often.  6.2 of
 * 5, 4.1 of 10, 3.2 of 200; 2.9 of any number.
 */
static double tolerance_factor(size_t n)
{
	double share = solve(median_below, n, DOUBTED, 1e-9, 1 - 1e-9);

	return TWO_SIGMA / solve(normal_within, 0, share, 0, 10);
}

struct calibration calibrated_in_short(const struct calibrated *c)
{
	struct calibration s = { (int)c->n_log_ratios, 0, 0, c->when_us, c->layouts };
	size_t i;

	for (i = 0; i < c->n_false_calls; i++)
		s.n_false += c->false_calls[i] > 0;
	if (c->n_log_ratios >= CALIBRATIONS_FEWEST)
		s.floor = expm1(tolerance_factor(c->n_log_ratios) *
				ordered(c->log_ratios, c->n_log_ratios, c->n_log_ratios / 2));
	return s;
}

bool calibrated_is_of(const struct calibrated *c, const char *metric)
{
	return c && c->n_log_ratios && (!c->metric || (metric && !strcmp(c->metric, metric)));
}

double calibrated_half(const struct calibrated *c)
{
	return ordered(c->halves, c->n_halves, c->n_halves / 2);
}

struct layout_calibration calibrated_layouts(const struct calibrated *c, const char *metric)
{
	if (!c || !c->n_log_ratios || !metric || !c->layouts_metric ||
	    strcmp(c->layouts_metric, metric) != 0)
		return (struct layout_calibration){ .n = 0 };
	return c->layouts;
}
