#include "lib/stats/clusters.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "lib/stats/dist.h"
#include "lib/stats/sample.h"
#include "lib/stats/ways.h"

#include "lib/base/banned.h"

static const double Z = 1.959963984540054; /* 95 of 100 lie within */

/* The first value with the key of i. */
static size_t first_of(const double *key, size_t i)
{
	size_t k = 0;

	while (key[k] != key[i])
		k++;
	return k;
}

static bool is_first(const double *key, size_t i)
{
	return first_of(key, i) == i;
}

/* The mean of those with the key of i, the first of them; *out_n: how many. */
static double mean_from(const double *d, const double *key, size_t i, size_t n, size_t *out_n)
{
	long double sum = 0;
	size_t count = 0;

	for (size_t k = i; k < n; k++) {
		if (key[k] != key[i])
			continue;
		sum += (long double)d[k];
		count++;
	}
	*out_n = count;
	return (double)(sum / (long double)count);
}

size_t clusters_count(const double *key, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += is_first(key, i);
	return count;
}

/* What is written lies at or before what was read: no later mean needs it. */
size_t clusters_means(const double *d, const double *key, size_t n, double *out)
{
	size_t count = 0, size;

	for (size_t i = 0; i < n; i++)
		if (is_first(key, i))
			out[count++] = mean_from(d, key, i, n, &size);
	return count;
}

/* One value, seen from a centre. */
struct seen {
	double size; /* its distance */
	double sign; /* -1, 0, 1 */
	size_t cluster;
};

static int by_size(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	return (x->size > y->size) - (x->size < y->size);
}

/* The clusters are numbered in the order in which their keys first appear. */
static size_t number_clusters(const double *key, size_t n, size_t *out)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		size_t first = first_of(key, i);

		out[i] = first < i ? out[first] : count++;
	}
	return count;
}

/* Of each cluster the sum of its signed ranks, as often as ranks.twice of signedrank.c. */
struct sums {
	size_t n; /* clusters */
	size_t *cluster;
	struct seen *seen;
	double *sum;
	double squares; /* of the ranks that have a sign */
};

/* Seen from centre.  Equal distances share their ranks; above the reach all count alike. */
static void add_ranks(const struct walsh *walsh, const double *d, double centre, struct sums *s)
{
	size_t n = walsh->n, end;

	for (size_t i = 0; i < n; i++) {
		double off = d[i] - centre;

		s->seen[i] = (struct seen){ fabs(off), (off > 0) - (off < 0), s->cluster[i] };
	}
	qsort(s->seen, n, sizeof(*s->seen), by_size);
	for (size_t k = 0; k < s->n; k++)
		s->sum[k] = 0;
	s->squares = 0;
	for (size_t i = 0; i < n; i = end) {
		double rank;

		for (end = i + 1; end < n && s->seen[end].size == s->seen[i].size;)
			end++;
		rank = fmin((double)(i + 1 + end), 2 * (double)walsh->reach);
		for (size_t k = i; k < end; k++) {
			s->sum[s->seen[k].cluster] += s->seen[k].sign * rank;
			s->squares += s->seen[k].sign != 0 ? rank * rank : 0;
		}
	}
}

static int by_number(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Two-sided: a coin for each sum that is not 0. */
static int coins_p(const struct sums *s, double *out, struct err *err)
{
	size_t *weight = malloc(s->n * sizeof(*weight)), n = 0, up = 0, down = 0;
	double tail = 1;
	int rc;

	if (!weight)
		return err_nomem(err);
	for (size_t k = 0; k < s->n; k++) {
		size_t size = (size_t)fabs(s->sum[k]);

		if (size)
			weight[n++] = size;
		*(s->sum[k] > 0 ? &up : &down) += size;
	}
	qsort(weight, n, sizeof(*weight), by_number);
	rc = n ? ways_tail(weight, n, up < down ? up : down, &tail, err) : 0;
	free(weight);
	*out = fmin(1, 2 * tail);
	return rc;
}

/* How many times as wide an interval of independent values has to be. */
static double widens(const struct sums *s, double confidence)
{
	double squares = 0, share, n = (double)s->n, at = 0.5 + confidence / 2;

	for (size_t k = 0; k < s->n; k++)
		squares += s->sum[k] * s->sum[k];
	share = s->squares > 0 ? squares / s->squares * n / (n - 1) : 1;
	return sqrt(fmax(share, 1)) * student_quantile(at, n - 1) / normal_quantile(at);
}

static int judge_sums(const struct walsh *walsh, const double *d, struct sums *s,
		      struct signed_rank *rank, struct err *err)
{
	double wider, p = 1;

	add_ranks(walsh, d, 0, s);
	if (coins_p(s, &p, err))
		return -1;
	add_ranks(walsh, d, rank->theta, s);
	wider = ldexp(1, 1 - (int)s->n) > 1 - rank->confidence ? (double)INFINITY
							       : widens(s, rank->confidence);
	rank->p = fmax(rank->p, p);
	rank->low = isinf(wider) ? -wider : rank->theta - wider * (rank->theta - rank->low);
	rank->high = isinf(wider) ? wider : rank->theta + wider * (rank->high - rank->theta);
	return 0;
}

int clusters_signed_rank(const struct walsh *walsh, const double *d, const double *key,
			 struct signed_rank *rank, struct err *err)
{
	struct sums s = { .cluster = malloc(walsh->n * sizeof(*s.cluster)),
			  .seen = malloc(walsh->n * sizeof(*s.seen)),
			  .sum = malloc(walsh->n * sizeof(*s.sum)) };
	int rc = -1;

	if (!s.cluster || !s.seen || !s.sum) {
		err_nomem(err);
		goto out;
	}
	s.n = number_clusters(key, walsh->n, s.cluster);
	rc = s.n > 1 && s.n < walsh->n ? judge_sums(walsh, d, &s, rank, err) : 0;
out:
	free(s.cluster);
	free(s.seen);
	free(s.sum);
	return rc;
}

/* From where the tails look heavy: 0, the median, and the ends of the narrowed ranks' interval. */
struct heavy {
	bool zero, middle, low, high;
};

/* Of *all what is to be seen by the ranks of *near. */
static void take_near(const struct heavy *heavy, bool is_apart, const struct signed_rank *near,
		      struct signed_rank *all)
{
	if (heavy->zero)
		all->p = is_apart ? fmax(all->p, near->p) : near->p;
	if (heavy->low)
		all->low = is_apart ? fmin(all->low, near->low) : near->low;
	if (heavy->high)
		all->high = is_apart ? fmax(all->high, near->high) : near->high;
	if (heavy->middle && !is_apart)
		all->theta = near->theta;
	all->low = fmin(all->low, all->theta);
	all->high = fmax(all->high, all->theta);
}

static int over_clusters(const struct walsh *walsh, const double *d, const double *key,
			 struct signed_rank *rank, struct err *err)
{
	return key ? clusters_signed_rank(walsh, d, key, rank, err) : 0;
}

int clusters_suited(struct walsh *walsh, const double *d, const double *key, double confidence,
		    struct signed_rank *out, struct err *err)
{
	struct heavy heavy = { walsh_is_heavy(walsh, 0),
			       walsh_is_heavy(walsh, sample_median_sorted(walsh->x, walsh->n)),
			       false, false };
	struct signed_rank all, near;
	double apart;

	if (signed_rank_from(walsh, confidence, &all, err))
		return -1;
	apart = CLUSTERS_APART * 0.5 * (all.high - all.low);
	if (over_clusters(walsh, d, key, &all, err))
		return -1;
	if (heavy.zero || heavy.middle) {
		if (walsh_narrow(walsh, err) || signed_rank_from(walsh, confidence, &near, err))
			return -1;
		heavy.low = walsh_is_heavy(walsh, near.low);
		heavy.high = walsh_is_heavy(walsh, near.high);
		if (over_clusters(walsh, d, key, &near, err))
			return -1;
		take_near(&heavy, fabs(near.theta - all.theta) > apart, &near, &all);
	}
	*out = all;
	return 0;
}

/* A chi-squared variable of df degrees of freedom, over df, at the standard normal's z. */
static double chi_squared_share(double df, double z)
{
	double part = 2 / (9 * df);

	return pow(1 - part + z * sqrt(part), 3);
}

/* The interval of (a - b) / usual, of two independent mean squares. */
static void interval_between(double a, double a_df, double b, double b_df, double usual,
			     struct clusters_spread *out)
{
	double a_low = a / chi_squared_share(a_df, Z), a_high = a / chi_squared_share(a_df, -Z);
	double b_low = b / chi_squared_share(b_df, Z), b_high = b / chi_squared_share(b_df, -Z);

	out->low = fmax(0, (a - b - hypot(a - a_low, b_high - b)) / usual);
	out->high = fmax(0, (a - b + hypot(a_high - a, b - b_low)) / usual);
}

/* Sum of squares of the clusters' means around the mean of all, and of the clusters' sizes. */
static size_t sum_clusters(const double *d, const double *key, size_t n, double *out_between,
			   double *out_squares)
{
	double mean = sample_mean(d, n);
	size_t count = 0, size;

	*out_between = *out_squares = 0;
	for (size_t i = 0; i < n; i++) {
		double of_cluster;

		if (!is_first(key, i))
			continue;
		of_cluster = mean_from(d, key, i, n, &size);
		*out_between += (double)size * (of_cluster - mean) * (of_cluster - mean);
		*out_squares += (double)size * (double)size;
		count++;
	}
	return count;
}

void clusters_spread(const double *d, const double *key, size_t n, struct clusters_spread *out)
{
	double between, squares, all = sample_squares(d, n), usual, a_df, b_df;
	size_t count = sum_clusters(d, key, n, &between, &squares);

	*out = (struct clusters_spread){ count,	      (double)NAN, (double)NAN,
					 (double)NAN, (double)NAN, (double)NAN };
	if (count < CLUSTERS_LEAST || n < count + CLUSTERS_LEAST)
		return;
	a_df = (double)(count - 1);
	b_df = (double)(n - count);
	usual = ((double)n - squares / (double)n) / a_df;
	out->within = fmax(0, all - between) / b_df;
	out->between = fmax(0, (between / a_df - out->within) / usual);
	out->means = between / a_df / usual;
	interval_between(between / a_df, a_df, out->within, b_df, usual, out);
}
