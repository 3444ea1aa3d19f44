#include "lib/stats/sample.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

enum {
	SMALL = 24, /* below this, insertion sort is faster than partitioning, ... */
	FEW = 8	    /* ... and below this where only one side goes on */
};

int sample_check(const double *x, size_t n, size_t least, struct err *err)
{
	if (n < least)
		return err_set(err, ERR_RANGE, "%zu value(s), at least %zu are needed", n, least);
	for (size_t i = 0; i < n; i++)
		if (!isfinite(x[i]))
			return err_set(err, ERR_RANGE, "value %zu is not a finite number", i + 1);
	return 0;
}

int sample_check_confidence(double confidence, struct err *err)
{
	if (confidence > 0 && confidence < 1)
		return 0;
	return err_set(err, ERR_RANGE, "confidence %g is not between 0 and 1", confidence);
}

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static void insertion_sort(double *x, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		double value = x[i];
		size_t at = i;

		for (; at > 0 && x[at - 1] > value; at--)
			x[at] = x[at - 1];
		x[at] = value;
	}
}

static double middle_of(double a, double b, double c)
{
	if (a > b) {
		double t = a;

		a = b;
		b = t;
	}
	if (c <= a)
		return a;
	return c < b ? c : b;
}

/* Moves values <= pivot before those >= pivot; both parts are non-empty.  Returns the cut. */
static size_t partition(double *x, size_t n)
{
	double pivot = middle_of(x[0], x[(n - 1) / 2], x[n - 1]);
	size_t low = 0, high = n - 1;

	for (;;) {
		double t;

		while (x[low] < pivot)
			low++;
		while (x[high] > pivot)
			high--;
		if (low >= high)
			return high + 1 < n ? high + 1 : high;
		t = x[low];
		x[low++] = x[high];
		x[high--] = t;
	}
}

/*
 * Quicksort written out for doubles: the Walsh averages are most of the cost of a verdict and
 * qsort's call per comparison doubles it.  Rows that partition badly fall back to qsort.
 */
static void sort_down_to(double *x, size_t n, unsigned depth)
{
	while (n > SMALL) {
		size_t cut;

		if (depth-- == 0) {
			qsort(x, n, sizeof(*x), by_value);
			return;
		}
		cut = partition(x, n);
		if (cut < n - cut) {
			sort_down_to(x, cut, depth);
			x += cut;
			n -= cut;
		} else {
			sort_down_to(x + cut, n - cut, depth);
			n = cut;
		}
	}
	insertion_sort(x, n);
}

/* Cuts after which a row that still is long partitions badly. */
static unsigned depth_of(size_t n)
{
	unsigned depth = 8;

	for (size_t left = n; left > 1; left /= 2)
		depth += 2;
	return depth;
}

/*
 * Moves the values below the pivot, or those that are not above it, to the front: how many.
 * Nothing depends on a value but where the next one goes, which no processor has to guess: on
 * random values half of all guesses are wrong.
 */
static inline size_t move_front(double *x, size_t n, double pivot, bool not_above)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		double value = x[i];

		x[i] = x[at];
		x[at] = value;
		at += not_above ? value <= pivot : value < pivot;
	}
	return at;
}

/* Of nine places, in a few: what goes up and down again has its ends and its middle alike. */
static double guess_middle(const double *x, size_t n)
{
	size_t step = n / 9;

	if (n <= SMALL)
		return middle_of(x[0], x[(n - 1) / 2], x[n - 1]);
	return middle_of(middle_of(x[0], x[step], x[2 * step]),
			 middle_of(x[3 * step], x[4 * step], x[5 * step]),
			 middle_of(x[6 * step], x[7 * step], x[8 * step]));
}

double sample_select(double *x, size_t n, size_t k)
{
	unsigned depth = depth_of(n);

	while (n > FEW && depth-- > 0) {
		double pivot = guess_middle(x, n);
		size_t cut = move_front(x, n, pivot, false);

		if (k < cut) {
			n = cut;
			continue;
		}
		x += cut;
		n -= cut;
		k -= cut;
		cut = move_front(x, n, pivot, true);
		if (k < cut)
			return x[k];
		x += cut;
		n -= cut;
		k -= cut;
	}
	if (n > FEW)
		qsort(x, n, sizeof(*x), by_value);
	else
		insertion_sort(x, n);
	return x[k];
}

double *sample_sorted(const double *x, size_t n, struct err *err)
{
	double *copy = malloc((n ? n : 1) * sizeof(*copy));

	if (!copy) {
		err_nomem(err);
		return NULL;
	}
	if (n)
		memcpy(copy, x, n * sizeof(*copy));
	sort_down_to(copy, n, depth_of(n));
	return copy;
}

static long double exact_mean(const double *x, size_t n)
{
	long double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (long double)x[i];
	return sum / (long double)n;
}

double sample_mean(const double *x, size_t n)
{
	return (double)exact_mean(x, n);
}

double sample_squares(const double *x, size_t n)
{
	long double mean = exact_mean(x, n), sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += ((long double)x[i] - mean) * ((long double)x[i] - mean);
	return (double)sum;
}

double sample_median_sorted(const double *x, size_t n)
{
	return n % 2 ? x[n / 2] : 0.5 * x[n / 2 - 1] + 0.5 * x[n / 2];
}
