#include "lib/stats/ranksum.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "lib/stats/dist.h"
#include "lib/stats/sample.h"

#include "lib/base/banned.h"

static size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * out[u] = P(U <= u), u = 0..m n.  Items come one by one in order of size; the j-th of the first
 * sample adds the number of the second sample's below it.  ways[j][u], of m + 1 rows.
 */
static double *null_new(size_t m, size_t n, struct err *err)
{
	size_t width = m * n + 1;
	double *ways = calloc((m + 1) * width, sizeof(*ways)), *out = NULL, total = 0, sum = 0;

	if (!ways)
		goto out;
	out = calloc(width, sizeof(*out));
	if (!out)
		goto out;
	ways[0] = 1;
	for (size_t i = 0; i < m + n; i++) {
		for (size_t j = least_of(i + 1, m); j > 0; j--) {
			size_t below = i - (j - 1);

			if (below > n)
				break; /* the second sample has no more values */
			for (size_t u = below; u < width; u++)
				ways[j * width + u] += ways[(j - 1) * width + u - below];
		}
	}
	for (size_t u = 0; u < width; u++)
		total += ways[m * width + u];
	for (size_t u = 0; u < width; u++)
		out[u] = (sum += ways[m * width + u]) / total;
out:
	if (!out)
		err_nomem(err);
	free(ways);
	return out;
}

static int check_counts(size_t m, size_t n, struct err *err)
{
	if (m >= 1 && n >= 1 && m <= RANK_SUM_EXACT_MAX && n <= RANK_SUM_EXACT_MAX)
		return 0;
	return err_set(err, ERR_RANGE, "%zu and %zu values: exact from 1 to %d", m, n,
		       (int)RANK_SUM_EXACT_MAX);
}

int rank_sum_tail(double u, size_t m, size_t n, double *out, struct err *err)
{
	double *tail;

	if (check_counts(m, n, err))
		return -1;
	if (isnan(u))
		return err_set(err, ERR_RANGE, "the rank sum is not a number");
	if (u < 0 || u >= (double)(m * n)) {
		*out = u < 0 ? 0 : 1;
		return 0;
	}
	tail = null_new(m, n, err);
	if (!tail)
		return -1;
	*out = tail[(size_t)u];
	free(tail);
	return 0;
}

static long cut_of(const double *tail, size_t product, double alpha)
{
	long k = -1;

	while ((size_t)(k + 1) <= product && tail[k + 1] <= alpha / 2)
		k++;
	return k;
}

int rank_sum_cut(size_t m, size_t n, double alpha, long *out, struct err *err)
{
	double *tail;

	if (check_counts(m, n, err))
		return -1;
	if (!(alpha > 0 && alpha < 1))
		return err_set(err, ERR_RANGE, "alpha %g is not between 0 and 1", alpha);
	tail = null_new(m, n, err);
	if (!tail)
		return -1;
	*out = cut_of(tail, m * n, alpha);
	free(tail);
	return 0;
}

/* Both samples together, sorted, with what ties do to the ranks. */
struct ranking {
	size_t n;
	double *sorted;
	size_t *twice;	 /* twice the midrank of sorted[i] */
	double tie_cube; /* sum of t^3 - t over groups of t equal values */
	bool tied;
};

static void ranking_release(struct ranking *ranking)
{
	free(ranking->sorted);
	free(ranking->twice);
}

static int ranking_build(const double *x, size_t n_x, const double *y, size_t n_y,
			 struct ranking *out, struct err *err)
{
	struct ranking made = { .n = n_x + n_y };

	made.sorted = malloc(made.n * sizeof(*made.sorted));
	made.twice = malloc(made.n * sizeof(*made.twice));
	if (!made.sorted || !made.twice) {
		ranking_release(&made);
		err_nomem(err);
		return -1;
	}
	for (size_t i = 0; i < n_x; i++)
		made.sorted[i] = x[i];
	for (size_t i = 0; i < n_y; i++)
		made.sorted[n_x + i] = y[i];
	sample_sort(made.sorted, made.n);
	for (size_t i = 0, next; i < made.n; i = next) {
		double t;

		for (next = i + 1; next < made.n; next++)
			if (made.sorted[next] > made.sorted[i])
				break;
		for (size_t j = i; j < next; j++)
			made.twice[j] = i + 1 + next;
		t = (double)(next - i);
		made.tie_cube += t * t * t - t;
		made.tied = made.tied || next - i > 1;
	}
	*out = made;
	return 0;
}

/* P(2R <= most): the sum of the double midranks of m of all values, each choice equally likely. */
static int tied_tail(const struct ranking *ranking, size_t m, size_t most, double *out,
		     struct err *err)
{
	size_t width = most + 1, top = 0;
	double *ways, total = 1, sum = 0;

	for (size_t i = ranking->n - m; i < ranking->n; i++)
		top += ranking->twice[i];
	if (most >= top) {
		*out = 1;
		return 0;
	}
	ways = calloc((m + 1) * width, sizeof(*ways));
	if (!ways) {
		err_nomem(err);
		return -1;
	}
	ways[0] = 1;
	for (size_t i = 0; i < ranking->n; i++)
		for (size_t j = least_of(i + 1, m); j > 0; j--)
			for (size_t s = ranking->twice[i]; s < width; s++)
				ways[j * width + s] +=
					ways[(j - 1) * width + s - ranking->twice[i]];
	for (size_t s = 0; s < width; s++)
		sum += ways[m * width + s];
	free(ways);
	for (size_t j = 0; j < m; j++)
		total *= (double)(ranking->n - j) / (double)(j + 1);
	*out = sum / total;
	return 0;
}

static double pairs_above(const double *x, size_t n_x, const double *y, size_t n_y)
{
	double count = 0;

	for (size_t i = 0; i < n_x; i++)
		for (size_t j = 0; j < n_y; j++)
			count += y[j] > x[i] ? 1 : y[j] < x[i] ? 0 : 0.5;
	return count;
}

static void normal_p(const struct ranking *ranking, struct rank_sum *test)
{
	double m = (double)test->n_x, n = (double)test->n_y, all = m + n;
	double off = fabs(test->statistic - m * n / 2);
	double tie = ranking->tie_cube / (all * (all - 1));
	double sd = sqrt(m * n / 12 * (all + 1 - tie));

	test->p_normal = test->p_corrected = 1;
	if (!(sd > 0))
		return; /* all values equal */
	test->p_normal = 2 * normal_cdf(-off / sd);
	test->p_corrected = fmin(1, 2 * normal_cdf(-(off - 0.5) / sd));
}

/* 2U = 2R - n_y (n_y + 1), R the rank sum of y; the smaller tail is counted. */
static int exact_p(const struct ranking *ranking, const double *tail, struct rank_sum *test,
		   struct err *err)
{
	double product = (double)(test->n_x * test->n_y);
	double least = fmin(test->statistic, product - test->statistic), p;
	size_t m = test->n_y, twice = (size_t)(2 * least);

	if (!ranking->tied)
		p = tail[twice / 2];
	else if (test->statistic <= product / 2) {
		if (tied_tail(ranking, m, twice + m * (m + 1), &p, err))
			return -1;
	} else {
		m = test->n_x;
		if (tied_tail(ranking, m, twice + m * (m + 1), &p, err))
			return -1;
	}
	test->p = fmin(1, 2 * p);
	return 0;
}

static int shift_of(const double *x, const double *y, long k, struct rank_sum *test,
		    struct err *err)
{
	size_t product = test->n_x * test->n_y, at = 0;
	double *d;

	assert(product > 0);
	d = malloc(product * sizeof(*d));
	if (!d) {
		err_nomem(err);
		return -1;
	}
	for (size_t i = 0; i < test->n_x; i++)
		for (size_t j = 0; j < test->n_y; j++)
			d[at++] = y[j] - x[i];
	sample_sort(d, product);
	test->shift = sample_median_sorted(d, product);
	test->low = k < 0 ? -HUGE_VAL : d[k];
	test->high = k < 0 ? HUGE_VAL : d[product - 1 - (size_t)k];
	free(d);
	if (!isfinite(test->shift))
		return err_set(err, ERR_RANGE, "the values are too large to be compared");
	return 0;
}

/* The cut where U is taken as normal: P(U <= k) is about Phi((k + 1/2 - mean) / sd). */
static long normal_cut(size_t n_x, size_t n_y, double alpha)
{
	double m = (double)n_x, n = (double)n_y;
	double k = m * n / 2 - 0.5 + normal_quantile(alpha / 2) * sqrt(m * n * (m + n + 1) / 12);

	return k < 0 ? -1 : (long)k;
}

int rank_sum(const double *x, size_t n_x, const double *y, size_t n_y, double confidence,
	     struct rank_sum *out, struct err *err)
{
	struct rank_sum made = { .n_x = n_x, .n_y = n_y, .confidence = confidence };
	struct ranking ranking = { .n = 0 };
	double *tail = NULL;
	long k;
	int rc = -1;

	if (sample_check(x, n_x, 1, err) || sample_check(y, n_y, 1, err) ||
	    sample_check_confidence(confidence, err))
		return -1;
	if (n_x > RANK_SUM_PRODUCT_MAX / n_y)
		return err_set(err, ERR_LIMIT, "%zu and %zu values are too many to compare", n_x,
			       n_y);
	if (ranking_build(x, n_x, y, n_y, &ranking, err))
		return -1;
	made.statistic = pairs_above(x, n_x, y, n_y);
	made.exact = n_x <= RANK_SUM_EXACT_MAX && n_y <= RANK_SUM_EXACT_MAX;
	normal_p(&ranking, &made);
	made.p = made.p_corrected;
	k = normal_cut(n_x, n_y, 1 - confidence);
	if (made.exact) {
		tail = null_new(n_x, n_y, err);
		if (!tail || exact_p(&ranking, tail, &made, err))
			goto out;
		k = cut_of(tail, n_x * n_y, 1 - confidence);
	}
	if (shift_of(x, y, k, &made, err))
		goto out;
	*out = made;
	rc = 0;
out:
	free(tail);
	ranking_release(&ranking);
	return rc;
}
