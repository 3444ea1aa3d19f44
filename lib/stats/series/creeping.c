#include "lib/stats/series/creeping.h"

#include <math.h>
#include <string.h>

#include "lib/stats/dist.h"
#include "lib/stats/sample.h"
#include "lib/stats/series/creep.h"

#include "lib/base/banned.h"

enum { N = CREEPING_BLOCKS, BLOCK_MOST = CREEPING_MOST_POINTS / N, LEAST_FREE = 5 };

#define SURE 1.6448536269514722 /* the upper end, in 95 of 100 */

/* One stretch, cut: the blocks that no known step is in or near. */
struct blocks {
	size_t each, n;
	size_t at[N];	      /* which block of the stretch */
	size_t segment[N];    /* how many known steps are before it */
	double y[N];	      /* its median */
	size_t n_segments;    /* that have blocks */
	double place[N];      /* at, without its segment's mean */
	double line[N], rest; /* y without its segment's mean; sum of squares beside the line */
	double slope, spread; /* a block; sum of squares of the blocks' places */
	double free;	      /* degrees of freedom */
};

static bool is_near_step(const bool *known, size_t n, size_t from, size_t to)
{
	size_t i = from > CREEPING_NEAR ? from - CREEPING_NEAR : 0;
	size_t end = to + CREEPING_NEAR < n ? to + CREEPING_NEAR : n;

	for (; known && i < end; i++)
		if (known[i])
			return true;
	return false;
}

static double median(const double *x, size_t n)
{
	double copy[BLOCK_MOST], high;

	memcpy(copy, x, n * sizeof(*x));
	high = sample_select(copy, n, n / 2);
	return n % 2 ? high : (high + sample_select(copy, n / 2, n / 2 - 1)) / 2;
}

static void cut(const double *x, const bool *known, size_t n, size_t each, struct blocks *b)
{
	size_t i, k, first = n - N * each, segment = 0;

	*b = (struct blocks){ .each = each };
	for (i = 0; i < N; i++) {
		size_t from = first + i * each;

		for (k = from; known && k < from + each; k++)
			segment += known[k];
		if (is_near_step(known, n, from, from + each))
			continue;
		b->n_segments += !b->n || b->segment[b->n - 1] != segment;
		b->at[b->n] = i;
		b->segment[b->n] = segment;
		b->y[b->n++] = median(x + from, each);
	}
}

/* Takes from v, a value a block, the mean of its segment. */
static void centre(const struct blocks *b, double *v)
{
	size_t from = 0, to, i;

	for (; from < b->n; from = to) {
		double sum = 0;

		for (to = from; to < b->n && b->segment[to] == b->segment[from]; to++)
			sum += v[to];
		for (i = from; i < to; i++)
			v[i] -= sum / (double)(to - from);
	}
}

static double product(const double *a, const double *b, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* The line through all segments, each of a level of its own. */
static void fit(struct blocks *b)
{
	size_t i;

	for (i = 0; i < b->n; i++) {
		b->place[i] = (double)b->at[i];
		b->line[i] = b->y[i];
	}
	centre(b, b->place);
	centre(b, b->line);
	b->spread = product(b->place, b->place, b->n);
	b->slope = b->spread > 0 ? product(b->place, b->line, b->n) / b->spread : 0;
	b->rest = fmax(product(b->line, b->line, b->n) - b->slope * b->slope * b->spread, 0);
	b->free = (double)b->n - (double)b->n_segments - 1;
}

/* What the best single step leaves. */
static double rest_of_step(const struct blocks *b)
{
	double all = product(b->line, b->line, b->n), least = all;
	size_t i, k;

	for (k = 1; k < b->n; k++) {
		double step[N], with, square;

		for (i = 0; i < b->n; i++)
			step[i] = i >= k;
		centre(b, step);
		square = product(step, step, b->n);
		with = product(step, b->line, b->n);
		if (square > 0)
			least = fmin(least, all - with * with / square);
	}
	return least;
}

/* How neighbouring points correlate that are left beside the line; few say it too low. */
static double correlation(const double *x, size_t n, const struct blocks *b)
{
	double squares = 0, products = 0, last = 0, r;
	size_t i, k, n_all = b->n * b->each;

	for (i = 0; i < b->n; i++) {
		const double *at = x + n - (N - b->at[i]) * b->each;
		double level = b->y[i] - b->line[i] + b->slope * b->place[i];
		double middle = ((double)b->each - 1) / 2;

		for (k = 0; k < b->each; k++) {
			double rest =
				at[k] - level - b->slope * ((double)k - middle) / (double)b->each;

			squares += rest * rest;
			products += k || (i && b->at[i] == b->at[i - 1] + 1) ? rest * last : 0;
			last = rest;
		}
	}
	r = squares > 0 ? products / squares : 0;
	r = fmin(fmax((r * (double)n_all + 2) / ((double)n_all - 4), 0), 1);
	return fmin(r + SURE * sqrt((1 - r * r) / (double)n_all), 0.98);
}

/* Of the means of neighbouring blocks whose points correlate by r, r^2, r^3, ... */
static double correlation_of_blocks(double r, size_t each)
{
	double m = (double)each, end = 1 - pow(r, m);

	return r * end * end / (m * (1 - r * r) - 2 * r * end);
}

/* The standard error of a block. */
static double block_se(const double *x, size_t n, const struct blocks *b)
{
	double r = correlation_of_blocks(correlation(x, n, b), b->each);

	return sqrt(b->rest / b->free * (1 + r) / (1 - r));
}

/* What creep_of() says of the steps from block to block. */
static int sum_up(const struct blocks *b, double se, double least, struct creep *out,
		  struct err *err)
{
	struct creep_step steps[N];
	size_t i, n = 0;

	for (i = 1; i < b->n; i++)
		if (b->segment[i] == b->segment[i - 1])
			steps[n++] =
				(struct creep_step){ b->line[i] - b->line[i - 1], se * sqrt(2) };
	return creep_of(steps, n, least, out, err);
}

/* Few blocks know their own spread less well. */
static double sigmas(double free)
{
	const double p = 0.99977; /* of 3.5 of a normal distribution */

	return CREEPING_SIGMAS * student_quantile(p, free) / student_quantile(p, N - 2);
}

/* Whether the newest N * each points rise; then as *out says. */
static int look_at(const double *x, const bool *known, size_t n, size_t each, double least,
		   struct creeping *out, struct err *err)
{
	struct blocks b;
	struct creep sum;
	double se;

	cut(x, known, n, each, &b);
	fit(&b);
	if (b.free < LEAST_FREE || b.slope * (N - 1) < least)
		return 0;
	se = block_se(x, n, &b);
	if (sum_up(&b, se, least, &sum, err))
		return -1;
	if (sum.flagged && sum.change > sigmas(b.free) * sum.se && rest_of_step(&b) >= 2 * b.rest)
		*out = (struct creeping){ .found = true,
					  .from = n - N * each,
					  .change = b.slope * (N - 1),
					  .se = se / sqrt(b.spread) * (N - 1) };
	return 0;
}

int creeping_find(const double *x, const bool *known, size_t n, double least, struct creeping *out,
		  struct err *err)
{
	struct creeping found = { .found = false };
	size_t each;

	if (!(least > 0) || !isfinite(least))
		return err_set(err, ERR_RANGE, "what counts as a creep is not above 0");
	if (n && sample_check(x, n, 1, err))
		return -1;
	for (each = CREEPING_LEAST_POINTS / N; each <= BLOCK_MOST && N * each <= n; each *= 2)
		if (look_at(x, known, n, each, least, &found, err))
			return -1;
	*out = found;
	return 0;
}
