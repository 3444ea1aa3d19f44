#include "lib/stats/ways.h"

#include <assert.h>

#include "lib/base/banned.h"

/* Two sums next to each other, from any place on: compilers do not see that they can be a vector.
 */
typedef double next_two __attribute__((vector_size(16), aligned(8), may_alias));

static double after_both(const double *at, size_t r, size_t q)
{
	return (*at + *(at - r)) + (*(at - q) + *(at - q - r));
}

static next_two next_two_after_both(const double *at, size_t r, size_t q)
{
	return (*(const next_two *)at + *(const next_two *)(at - r)) +
	       (*(const next_two *)(at - q) + *(const next_two *)(at - q - r));
}

/*
 * Adds weight r, then weight q >= r, to ways[0..top]: both while a sum is at hand, downwards, as
 * what is below is still needed as it was.
 */
static void add_two(double *ways, size_t top, size_t r, size_t q)
{
	size_t s = top + 1;

	while (s >= r + q + 4) {
		next_two low, high;

		s -= 4;
		low = next_two_after_both(ways + s, r, q);
		high = next_two_after_both(ways + s + 2, r, q);
		*(next_two *)(ways + s) = low;
		*(next_two *)(ways + s + 2) = high;
	}
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
