#include "lib/stats/ways.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#if defined __x86_64__ && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif

#include "lib/stats/inversion.h"

#include "lib/base/banned.h"

/* Weights: with fewer nobody sees what it saves. */
enum { HALVES_FROM = 256, INVERTED_FROM = 400 };

/*
 * Four sums next to each other, from any place on: compilers do not see that they can be a vector.
 * Where the processor has no registers of that length they make two of it.
 */
typedef double next_four __attribute__((vector_size(32), aligned(8), may_alias));

#define IN_EACH static inline __attribute__((always_inline))

static double after_both(const double *at, size_t r, size_t q)
{
	return (*at + *(at - r)) + (*(at - q) + *(at - q - r));
}

/*
 * Adds weight r, then weight q >= r, to ways[s..]: both while a sum is at hand, downwards, as what
 * is below is still needed as it was.  As long as eight have all that they need; returns where it
 * ended.
 */
IN_EACH size_t add_eights(double *ways, size_t s, size_t r, size_t q)
{
	while (s >= r + q + 8) {
		next_four low, high;
		const double *at;

		s -= 8;
		at = ways + s;
		low = (*(const next_four *)at + *(const next_four *)(at - r)) +
		      (*(const next_four *)(at - q) + *(const next_four *)(at - q - r));
		at += 4;
		high = (*(const next_four *)at + *(const next_four *)(at - r)) +
		       (*(const next_four *)(at - q) + *(const next_four *)(at - q - r));
		*(next_four *)(ways + s) = low;
		*(next_four *)(ways + s + 4) = high;
	}
	return s;
}

static size_t add_eights_anywhere(double *ways, size_t s, size_t r, size_t q)
{
	return add_eights(ways, s, r, q);
}

#ifdef __x86_64__
/* The same additions in the same order, in registers of twice the length. */
__attribute__((target("avx2"))) static size_t add_eights_avx2(double *ways, size_t s, size_t r,
							      size_t q)
{
	return add_eights(ways, s, r, q);
}

/* glibc has looked already; to look once more costs every start of pawl, judging or not. */
static bool has_avx2(void)
{
#if __has_include(<sys/platform/x86.h>)
	return CPU_FEATURE_ACTIVE(AVX2);
#else
	return __builtin_cpu_supports("avx2");
#endif
}
#else
#define add_eights_avx2 add_eights_anywhere

static bool has_avx2(void)
{
	return false;
}
#endif

/* Adds weight r, then weight q >= r, to ways[0..top]. */
static void add_two(double *ways, size_t top, size_t r, size_t q)
{
	size_t s = has_avx2() ? add_eights_avx2(ways, top + 1, r, q)
			      : add_eights_anywhere(ways, top + 1, r, q);

	for (; s > r + q; s--)
		ways[s - 1] = after_both(ways + s - 1, r, q);
	for (; s > q; s--)
		ways[s - 1] = (ways[s - 1] + ways[s - 1 - r]) + ways[s - 1 - q];
	for (; s > r; s--)
		ways[s - 1] += ways[s - 1 - r];
}

static void add_one(double *ways, size_t top, size_t r)
{
	for (size_t s = top + 1; s > r; s--)
		ways[s - 1] += ways[s - 1 - r];
}

/* Writes what lies above top, up to upto, from its mirror image; all is the sum of the weights. */
static void unfold(double *ways, size_t top, size_t upto, size_t all)
{
	for (size_t s = top + 1; s <= upto; s++)
		ways[s] = s <= all ? ways[all - s] : 0;
}

void ways_fill(const size_t *weight, size_t n, double *ways, size_t most)
{
	size_t all = 0, top = 0; /* ways[0..top] is written: the lower half of all, or up to most */

	assert(n <= WAYS_MAX_WEIGHTS);
	ways[0] = 1;
	for (size_t i = 0; i < n; i += 2) {
		size_t r = weight[i], q = i + 1 < n ? weight[i + 1] : 0;
		size_t next = (all + r + q) / 2;

		next = next < most ? next : most;
		unfold(ways, top, next, all);
		if (i + 1 < n)
			add_two(ways, next, r, q);
		else
			add_one(ways, next, r);
		top = next;
		all += r + q;
	}
}

static int whole_tail(const size_t *weight, size_t n, size_t most, double *out, struct err *err)
{
	double *ways = malloc((most + 1) * sizeof(*ways)), scale = ldexp(1, -(int)n), sum = 0;

	if (!ways)
		return err_nomem(err);
	ways_fill(weight, n, ways, most);
	for (size_t s = 0; s <= most; s++)
		sum += ways[s] * scale;
	free(ways);
	*out = sum;
	return 0;
}

/* Every second weight, from the first or the second one on. */
struct half {
	size_t *weight, n, all;
	double *ways; /* of sums up to half of all */
	double scale; /* 1 of all ways */
};

static void half_release(struct half *half)
{
	free(half->weight);
	free(half->ways);
}

static int half_fill(struct half *half, const size_t *weight, size_t n, size_t first,
		     struct err *err)
{
	half->weight = malloc((n / 2 + 1) * sizeof(*half->weight));
	if (!half->weight)
		return err_nomem(err);
	for (size_t i = first; i < n; i += 2) {
		half->weight[half->n++] = weight[i];
		half->all += weight[i];
	}
	half->ways = malloc((half->all / 2 + 1) * sizeof(*half->ways));
	if (!half->ways)
		return err_nomem(err);
	ways_fill(half->weight, half->n, half->ways, half->all / 2);
	half->scale = ldexp(1, -(int)half->n);
	return 0;
}

/* Of all ways of the half, the part that leads to s. */
static double part_at(const struct half *half, size_t s)
{
	return half->ways[s <= half->all / 2 ? s : half->all - s] * half->scale;
}

/*
 * The sums of one half up to most, each with those of the other that still fit: `fit` grows with
 * what is left for them.
 */
static double joined_tail(const struct half *a, const struct half *b, size_t most)
{
	size_t left = most > a->all ? most - a->all : 0;
	double fit = 0, sum = 0;

	for (size_t s = 0; s < left && s <= b->all; s++)
		fit += part_at(b, s);
	for (; left <= most; left++) {
		fit += left <= b->all ? part_at(b, left) : 0;
		sum += part_at(a, most - left) * fit;
	}
	return sum;
}

static int halved_tail(const size_t *weight, size_t n, size_t most, double *out, struct err *err)
{
	struct half a = { 0 }, b = { 0 };
	int rc = half_fill(&a, weight, n, 0, err);

	if (!rc)
		rc = half_fill(&b, weight, n, 1, err);
	if (!rc)
		*out = joined_tail(&a, &b, most);
	half_release(&a);
	half_release(&b);
	return rc;
}

int ways_tail(const size_t *weight, size_t n, size_t most, double *out, struct err *err)
{
	if (n >= INVERTED_FROM && inversion_tail(weight, n, most, out))
		return 0;
	return n < HALVES_FROM ? whole_tail(weight, n, most, out, err)
			       : halved_tail(weight, n, most, out, err);
}
