/* SPDX-License-Identifier: MIT */
/*
 * pawl_bare_stats - spread and tail of any number of samples in constant memory.
 *
 * Part of pawl_bare.h.  Nothing here allocates, prints, or calls a library but the compiler's
 * own (soft floating point).
 *
 * Sources: B. P. Welford, "Note on a method for calculating corrected sums of squares and
 *          products", Technometrics 4 (1962), 419-420.
 *          R. Jain and I. Chlamtac, "The P-square algorithm for dynamic calculation of
 *          quantiles and histograms without storing observations", Communications of the
 *          ACM 28 (1985), 1076-1085.
 */
#ifndef PAWL_BARE_STATS_H
#define PAWL_BARE_STATS_H

#include <stdint.h>

/* Mean and squared deviations; the sample variance is m2 / (n - 1). */
struct pawl_bare_spread {
	uint32_t n;
	double mean, m2, min, max; /* unit of the samples; m2: its square */
};

static inline void pawl_bare_spread_clear(struct pawl_bare_spread *s)
{
	s->n = 0;
	s->mean = s->m2 = s->min = s->max = 0;
}

static inline void pawl_bare_spread_add(struct pawl_bare_spread *s, double x)
{
	double off = x - s->mean;
	s->min = s->n == 0 || x < s->min ? x : s->min;
	s->max = s->n == 0 || x > s->max ? x : s->max;
	s->n++;
	s->mean += off / s->n;
	s->m2 += off * (x - s->mean);
}

/* Sample variance; 0 of fewer than two samples. */
static inline double pawl_bare_variance(const struct pawl_bare_spread *s)
{
	return s->n > 1 ? s->m2 / (s->n - 1) : 0;
}

/*
 * Square root by Newton's method from above: falls until rounding stops it, which is within
 * one unit in the last place.  0 of what is not above 0.
 */
static inline double pawl_bare_root(double x)
{
	double root = x > 1 ? x : 1, next = x;
	if (!(x > 0))
		return 0;
	for (;;) {
		next = (root + x / root) / 2;
		if (!(next < root))
			return root;
		root = next;
	}
}

/*
 * The largest samples are kept as they are, so that a high quantile is exact as long as it is
 * one of them: 16 give the 99 % quantile of up to 1599 samples.  A larger sample gets an
 * estimate by five P-square markers, which has no error bound of its own; it is cut off at the
 * smallest sample kept, which the quantile cannot exceed.
 */
#ifndef PAWL_BARE_TAIL
#define PAWL_BARE_TAIL 16
#endif

struct pawl_bare_tail {
	uint32_t n;
	unsigned permille;	    /* the quantile */
	double top[PAWL_BARE_TAIL]; /* the largest, falling */
	double height[5];	    /* markers: least, half-way, quantile, half-way, largest */
	uint32_t at[5];		    /* how many samples are not above each of them */
};

/* permille: 1..999, 990 for the 99 % quantile. */
static inline void pawl_bare_tail_clear(struct pawl_bare_tail *t, unsigned permille)
{
	t->n = 0;
	t->permille = permille;
}

static inline void pawl_bare_tail_keep(struct pawl_bare_tail *t, double x)
{
	unsigned i = t->n < PAWL_BARE_TAIL ? t->n : PAWL_BARE_TAIL - 1;
	if (t->n >= PAWL_BARE_TAIL && !(x > t->top[i]))
		return;
	for (; i > 0 && x > t->top[i - 1]; i--)
		t->top[i] = t->top[i - 1];
	t->top[i] = x;
}

/* Height of marker i moved by d (1 or -1): on a parabola, or on a line where that is no order. */
static inline double pawl_bare_marker(const struct pawl_bare_tail *t, int i, int d)
{
	const double *q = t->height;
	double left = (double)t->at[i] - t->at[i - 1], right = (double)t->at[i + 1] - t->at[i];
	double up = (q[i + 1] - q[i]) / right, down = (q[i] - q[i - 1]) / left;
	double x = q[i] + d / (left + right) * ((left + d) * up + (right - d) * down);
	if (q[i - 1] < x && x < q[i + 1])
		return x;
	return d > 0 ? q[i] + up : q[i] - down;
}

static inline void pawl_bare_tail_first(struct pawl_bare_tail *t, double x)
{
	int i = (int)t->n;
	t->at[i] = t->n + 1;
	for (; i > 0 && x < t->height[i - 1]; i--)
		t->height[i] = t->height[i - 1];
	t->height[i] = x;
}

static inline void pawl_bare_tail_move(struct pawl_bare_tail *t, double x)
{
	double p = t->permille / 1000.0;
	int i, k = 0;
	if (x < t->height[0])
		t->height[0] = x;
	if (x > t->height[4])
		t->height[4] = x;
	while (k < 3 && x >= t->height[k + 1])
		k++;
	for (i = k + 1; i < 5; i++)
		t->at[i]++;
	for (i = 1; i < 4; i++) {
		double share = i == 1 ? p / 2 : i == 2 ? p : (1 + p) / 2;
		double off = 1 + share * t->n - t->at[i];
		int d = off >= 1 && t->at[i + 1] > t->at[i] + 1	   ? 1
			: off <= -1 && t->at[i - 1] + 1 < t->at[i] ? -1
								   : 0;
		if (d == 0)
			continue;
		t->height[i] = pawl_bare_marker(t, i, d);
		t->at[i] = d > 0 ? t->at[i] + 1 : t->at[i] - 1;
	}
}

static inline void pawl_bare_tail_add(struct pawl_bare_tail *t, double x)
{
	pawl_bare_tail_keep(t, x);
	if (t->n < 5)
		pawl_bare_tail_first(t, x);
	else
		pawl_bare_tail_move(t, x);
	t->n++;
}

/*
 * The quantile: the smallest sample that permille / 1000 of all samples do not exceed (nearest
 * rank).  *out_exact: whether it is that, or an estimate.  0 of no samples.
 */
static inline double pawl_bare_tail_value(const struct pawl_bare_tail *t, int *out_exact)
{
	uint64_t rank = ((uint64_t)t->n * t->permille + 999) / 1000;
	uint64_t above = t->n - rank;
	double least = t->n ? t->top[PAWL_BARE_TAIL - 1 < t->n ? PAWL_BARE_TAIL - 1 : t->n - 1] : 0;
	*out_exact = above < PAWL_BARE_TAIL;
	if (t->n == 0)
		return 0;
	if (*out_exact)
		return t->top[above];
	return t->height[2] < least ? t->height[2] : least;
}

#endif
