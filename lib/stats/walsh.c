#include "lib/stats/walsh.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/stats/sample.h"

#include "lib/base/banned.h"

static int check_count(size_t n, struct err *err)
{
	if (n < 1)
		return err_set(err, ERR_RANGE, "no values, at least 1 is needed");
	if (n > WALSH_MAX)
		return err_set(err, ERR_LIMIT, "%zu values, the exact test takes at most %d", n,
			       (int)WALSH_MAX);
	return 0;
}

static size_t sums_of(size_t n)
{
	return n * (n + 1) / 2;
}

/*
 * One rank at a time: heads adds r, tails adds nothing, so P_r(s) = (P_{r-1}(s) + P_{r-1}(s-r))/2.
 * Halving at each step keeps the numbers probabilities, which neither overflow nor, up to 53
 * halvings, lose a bit.  The distribution is symmetric: its lower half is enough.
 */
void walsh_null(size_t n, double *tail)
{
	size_t half = sums_of(n) / 2, reached = 0;
	double sum = 0;

	memset(tail, 0, (half + 1) * sizeof(*tail));
	tail[0] = 1;
	for (size_t r = 1; r <= n; r++) {
		reached = reached + r < half ? reached + r : half;
		for (size_t s = reached; s >= r; s--)
			tail[s] = 0.5 * (tail[s] + tail[s - r]);
		for (size_t s = 0; s < r && s <= half; s++)
			tail[s] *= 0.5;
	}
	for (size_t s = 0; s <= half; s++)
		tail[s] = sum += tail[s];
}

static double *null_new(size_t n, struct err *err)
{
	double *tail = malloc((sums_of(n) / 2 + 1) * sizeof(*tail));

	if (!tail) {
		err_nomem(err);
		return NULL;
	}
	walsh_null(n, tail);
	return tail;
}

/* Number of t in 0..half with tail[t] <= bound: the cut k, plus one. */
static size_t count_below(const double *tail, size_t half, double bound)
{
	size_t low = 0, high = half + 1;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (tail[mid] <= bound)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

int walsh_build(const double *d, size_t n, struct walsh *out, struct err *err)
{
	struct walsh made = WALSH_INIT;
	size_t at = 0;
	int rc = -1;

	if (check_count(n, err) || sample_check(d, n, 1, err))
		return -1;
	made.n = n;
	made.n_sums = sums_of(n);
	made.w = malloc(made.n_sums * sizeof(*made.w));
	if (!made.w) {
		err_nomem(err);
		goto out;
	}
	made.tail = null_new(n, err);
	if (!made.tail)
		goto out;
	/* Halves first: the sum of two large values may not fit a double, their mean does. */
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			made.w[at++] = 0.5 * d[i] + 0.5 * d[j];
	sample_sort(made.w, made.n_sums);
	*out = made;
	rc = 0;
out:
	if (rc)
		walsh_release(&made);
	return rc;
}

void walsh_release(struct walsh *walsh)
{
	free(walsh->w);
	free(walsh->tail);
	*walsh = (struct walsh)WALSH_INIT;
}

double walsh_median(const struct walsh *walsh)
{
	return sample_median_sorted(walsh->w, walsh->n_sums);
}

double walsh_interval(const struct walsh *walsh, double confidence, double *out_low,
		      double *out_high)
{
	size_t count = count_below(walsh->tail, walsh->n_sums / 2, (1 - confidence) / 2);
	size_t last = walsh->n_sums - 1;

	if (count == 0) {
		*out_low = -HUGE_VAL;
		*out_high = HUGE_VAL;
		return 1;
	}
	*out_low = walsh->w[count - 1];
	*out_high = walsh->w[last - (count - 1)];
	return 1 - 2 * walsh->tail[count - 1];
}

int walsh_tail(size_t n, double t, double *out, struct err *err)
{
	size_t total = sums_of(n);
	double *tail;

	if (check_count(n, err))
		return -1;
	if (isnan(t))
		return err_set(err, ERR_RANGE, "the rank sum is not a number");
	if (t < 0 || t >= (double)total) {
		*out = t < 0 ? 0 : 1;
		return 0;
	}
	tail = null_new(n, err);
	if (!tail)
		return -1;
	if ((size_t)t <= total / 2)
		*out = tail[(size_t)t];
	else
		*out = 1 - tail[total - (size_t)t - 1];
	free(tail);
	return 0;
}

int walsh_cut(size_t n, double alpha, long *out, struct err *err)
{
	double *tail;

	if (check_count(n, err))
		return -1;
	if (!(alpha > 0 && alpha < 1))
		return err_set(err, ERR_RANGE, "alpha %g is not between 0 and 1", alpha);
	tail = null_new(n, err);
	if (!tail)
		return -1;
	*out = (long)count_below(tail, sums_of(n) / 2, alpha / 2) - 1;
	free(tail);
	return 0;
}
