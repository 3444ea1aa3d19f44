#include "lib/stats/walsh.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/stats/describe.h"
#include "lib/stats/sample.h"
#include "lib/stats/ways.h"

#include "lib/base/banned.h"

enum { WALSH_FEW = 96 }; /* averages that are written out rather than cut once more */

static int check_count(size_t n, struct err *err)
{
	if (n < 1)
		return err_set(err, ERR_RANGE, "no values, at least 1 is needed");
	if (n > WALSH_MAX)
		return err_set(err, ERR_LIMIT, "%zu values, the exact test takes at most %d", n,
			       (int)WALSH_MAX);
	return 0;
}

static size_t sums_of(size_t n, size_t reach)
{
	return n * reach - reach * (reach - 1) / 2;
}

static size_t narrow_reach(size_t n)
{
	return (n + 3) / 4;
}

/* Numbers of ways are as good as probabilities: a power of 2 changes no bit of their sum. */
void walsh_null(size_t n, size_t reach, double *tail)
{
	size_t ranks[WALSH_MAX], half = sums_of(n, reach) / 2;
	double scale = ldexp(1, -(int)n), sum = 0;

	for (size_t i = 0; i < n; i++)
		ranks[i] = i < reach ? i + 1 : reach;
	ways_fill(ranks, n, tail, half);
	for (size_t s = 0; s <= half; s++)
		tail[s] = sum += tail[s] * scale;
}

/*
 * What was worked out, by n, of all ranks and of the narrowed ones: written once, never changed and
 * never freed, so that any thread may read it.  The limit keeps a document with benchmarks of every
 * length from filling the memory.
 */
static _Atomic(const double *) known[2][WALSH_MAX + 1];
static atomic_size_t known_bytes;
static const size_t KNOWN_MAX_BYTES = 32 << 20;

/* *own is the table, to be freed, unless it is shared from now on.  Returns it, or NULL. */
static const double *null_of(size_t n, size_t reach, double **own, struct err *err)
{
	size_t bytes = (sums_of(n, reach) / 2 + 1) * sizeof(**own);
	_Atomic(const double *) *place = &known[reach < n][n];
	const double *shared = atomic_load(place);

	*own = NULL;
	if (shared)
		return shared;
	*own = malloc(bytes);
	if (!*own) {
		err_nomem(err);
		return NULL;
	}
	walsh_null(n, reach, *own);
	if (atomic_fetch_add(&known_bytes, bytes) + bytes > KNOWN_MAX_BYTES ||
	    !atomic_compare_exchange_strong(place, &shared, *own)) {
		atomic_fetch_sub(&known_bytes, bytes);
		return *own;
	}
	shared = *own;
	*own = NULL;
	return shared;
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

/* Halves first: the sum of two large values may not fit a double, their mean does. */
static double average(const double *x, size_t i, size_t j)
{
	return 0.5 * x[i] + 0.5 * x[j];
}

/*
 * Row i holds the averages of value i with i, i+1, ... as far as it reaches, in order; those in
 * from[i]..to[i] may still be the one looked for.
 */
struct rows {
	const double *x;
	size_t n;
	size_t *from, *to;
	size_t *below, *upto; /* of a pivot: where its equals begin, and where they end */
	size_t left;	      /* how many may still be it */
};

/* What of [from, to) lies before at. */
static size_t within(size_t at, size_t from, size_t to)
{
	return at < from ? from : at < to ? at : to;
}

/*
 * Finds the pivot's place in each row; both places fall from row to row.  Tells how many of those
 * left are below it, and how many are not above it.
 */
static void cut_rows(struct rows *rows, double pivot, size_t *out_below, size_t *out_upto)
{
	size_t below = rows->n, upto = rows->n;

	*out_below = *out_upto = 0;
	for (size_t i = 0; i < rows->n; i++) {
		size_t from = rows->from[i], to = rows->to[i];

		while (upto > 0 && average(rows->x, i, upto - 1) > pivot)
			upto--;
		below = below < upto ? below : upto;
		while (below > 0 && average(rows->x, i, below - 1) >= pivot)
			below--;
		rows->below[i] = within(below, from, to);
		rows->upto[i] = within(upto, from, to);
		*out_below += rows->below[i] - from;
		*out_upto += rows->upto[i] - from;
	}
}

/* The middle of the row in which the average of number `which` of those left is. */
static double middle_of_row(const struct rows *rows, size_t which)
{
	size_t i = 0;

	while (which >= rows->to[i] - rows->from[i]) {
		which -= rows->to[i] - rows->from[i];
		i++;
	}
	return average(rows->x, i, rows->from[i] + (rows->to[i] - rows->from[i]) / 2);
}

static void exchange(size_t **a, size_t **b)
{
	size_t *t = *a;

	*a = *b;
	*b = t;
}

/* The average of rank k of those left, which are few; *next the one behind it, NaN: not known. */
static double nth_of_few(const struct rows *rows, size_t k, double *next)
{
	double few[WALSH_FEW];
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++)
		for (size_t j = rows->from[i]; j < rows->to[i]; j++)
			few[n++] = average(rows->x, i, j);
	sample_select(few, n, k);
	*next = k + 1 < n ? few[k + 1] : (double)NAN;
	for (size_t i = k + 1; i < n; i++)
		*next = few[i] < *next ? few[i] : *next;
	return few[k];
}

/*
 * About where the average of that rank is: they spread as the values do, those of all less by the
 * root of 2.  A rank outside of all is taken as the nearest.
 */
static double guess(const struct walsh *walsh, double rank)
{
	double centre = walsh->x[walsh->n / 2], last = (double)walsh->n_sums - 1;
	double share = fmin(fmax(rank, 0), last) / (double)walsh->n_sums;
	double spread = walsh->reach < walsh->n ? 1 : sqrt(0.5);

	return centre + spread * (walsh->x[(size_t)(share * (double)walsh->n)] - centre);
}

/*
 * The first guess had so many below it: as far beyond k as it fell short, and a little more, so
 * that k is between both.
 */
static double second_rank(size_t k, size_t below)
{
	double off = (double)k - (double)below;

	return (double)k + off + copysign(WALSH_FEW / 4 + fabs(off) / 4, off);
}

/* The average of rank k; *next the one behind it, NaN: not known. */
static double nth_and_next(const struct walsh *walsh, size_t k, double *next)
{
	size_t n = walsh->n, *room = walsh->cuts;
	struct rows rows = {
		walsh->x, n, room, room + n, room + 2 * n, room + 3 * n, walsh->n_sums
	};
	double rank = (double)k; /* to be guessed at */
	uint64_t draw = 1;

	for (size_t i = 0; i < n; i++) {
		rows.from[i] = i;
		rows.to[i] = i + walsh->reach < n ? i + walsh->reach : n;
	}
	for (int cuts = 0; rows.left > WALSH_FEW; cuts++) {
		size_t below, upto;
		double pivot;

		/* Any pivot gives the same answer; Knuth's MMIX generator gives the same steps. */
		draw = draw * 6364136223846793005U + 1442695040888963407U;
		pivot = cuts < 2 ? guess(walsh, rank)
				 : middle_of_row(&rows, (size_t)(draw >> 33) % rows.left);
		cut_rows(&rows, pivot, &below, &upto);
		rank = second_rank(k, below);
		if (k < below) {
			exchange(&rows.to, &rows.below);
			rows.left = below;
		} else if (k < upto) {
			*next = k + 1 < upto ? pivot : (double)NAN;
			return pivot;
		} else {
			exchange(&rows.from, &rows.upto);
			rows.left -= upto;
			k -= upto;
		}
	}
	return nth_of_few(&rows, k, next);
}

double walsh_nth(const struct walsh *walsh, size_t k)
{
	double next;

	return nth_and_next(walsh, k, &next);
}

int walsh_build(const double *d, size_t n, struct walsh *out, struct err *err)
{
	struct walsh made = WALSH_INIT;
	int rc = -1;

	if (check_count(n, err) || sample_check(d, n, 1, err))
		return -1;
	made.n = made.reach = n;
	made.n_sums = sums_of(n, n);
	made.x = sample_sorted(d, n, err);
	if (!made.x)
		goto out;
	made.cuts = malloc(4 * n * sizeof(*made.cuts));
	if (!made.cuts) {
		err_nomem(err);
		goto out;
	}
	made.tail = null_of(n, n, &made.own, err);
	if (!made.tail)
		goto out;
	*out = made;
	rc = 0;
out:
	if (rc)
		walsh_release(&made);
	return rc;
}

void walsh_release(struct walsh *walsh)
{
	free(walsh->x);
	free(walsh->cuts);
	free(walsh->own);
	*walsh = (struct walsh)WALSH_INIT;
}

static int set_reach(struct walsh *walsh, size_t reach, struct err *err)
{
	double *own;
	const double *tail = null_of(walsh->n, reach, &own, err);

	if (!tail)
		return -1;
	free(walsh->own);
	walsh->own = own;
	walsh->tail = tail;
	walsh->reach = reach;
	walsh->n_sums = sums_of(walsh->n, reach);
	return 0;
}

int walsh_narrow(struct walsh *walsh, struct err *err)
{
	return set_reach(walsh, narrow_reach(walsh->n), err);
}

bool walsh_is_heavy(const struct walsh *walsh, double centre)
{
	const double *x = walsh->x;
	size_t n = walsh->n, low = 0, high = n;
	double far;

	if (n < WALSH_SUITS_FROM || !isfinite(centre))
		return false;
	far = WALSH_TAIL_AT * mad_from(x, n, centre);
	while (low < n && centre - x[low] > far)
		low++;
	while (high > low && x[high - 1] - centre > far)
		high--;
	return far > 0 && 10 * (n - (high - low)) >= n;
}

double walsh_median(const struct walsh *walsh)
{
	size_t n = walsh->n_sums;
	double lower, upper;

	if (n % 2)
		return walsh_nth(walsh, n / 2);
	lower = nth_and_next(walsh, n / 2 - 1, &upper);
	if (isnan(upper))
		upper = walsh_nth(walsh, n / 2);
	return 0.5 * lower + 0.5 * upper;
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
	*out_low = walsh_nth(walsh, count - 1);
	*out_high = walsh_nth(walsh, last - (count - 1));
	return 1 - 2 * walsh->tail[count - 1];
}
