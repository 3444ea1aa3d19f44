#include "lib/stats/series/changepoint.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/stats/dist.h"
#include "lib/stats/series/energy.h"
#include "lib/stats/sample.h"
#include "lib/stats/ttest.h"

#include "lib/base/banned.h"

#define CORRELATION_POINTS 20 /* fewer do not tell how neighbours correlate */
static const double CORRELATION_MOST = 0.95, CORRELATION_DOUBT = 12;
static const double MAY_BE = 0.2; /* p of a place that is worth looking on from */

/* The series under work and the cuts found so far, rising once sorted. */
struct search {
	const double *x;
	size_t n;
	const struct changepoint_terms *terms;
	size_t *cut;
	size_t n_cuts, room;
	double independent; /* share of the points: what neighbours have in common counts once */
};

static int add_cut(struct search *search, size_t at, struct err *err)
{
	if (search->n_cuts == search->room) {
		size_t room = search->room ? 2 * search->room : 16;
		size_t *grown = realloc(search->cut, room * sizeof(*grown));

		if (!grown)
			return err_nomem(err);
		search->cut = grown;
		search->room = room;
	}
	search->cut[search->n_cuts++] = at;
	return 0;
}

static int by_size(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/*
 * The mean square of how far points `lag` apart differ, without the largest fifth: there are the
 * steps, of which a series has few.
 */
static double spread_at(const double *x, size_t n, size_t lag, double *room)
{
	size_t i, kept = (n - lag) - (n - lag) / 5;
	double sum = 0;

	for (i = 0; i + lag < n; i++)
		room[i] = (x[i + lag] - x[i]) * (x[i + lag] - x[i]);
	qsort(room, n - lag, sizeof(*room), by_size);
	for (i = 0; i < kept; i++)
		sum += room[i];
	return sum / (double)kept;
}

/*
 * What share of n points counts, (1 - r) / (1 + r) for neighbours that correlate by r: the spread
 * of points k apart is in proportion to 1 - r^k, so that of 2 over that of 1 is 1 + r.  Both are
 * taken from differences: the steps that are looked for must not pass for correlation.  Few points
 * give a poor r, which would cost more true steps than it prevents false ones: it counts in part.
 */
static int find_independent(struct search *search, struct err *err)
{
	double *room, one, two, r = 0;

	search->independent = 1;
	if (search->n < CORRELATION_POINTS)
		return 0;
	room = malloc(search->n * sizeof(*room));
	if (!room)
		return err_nomem(err);
	one = spread_at(search->x, search->n, 1, room);
	two = spread_at(search->x, search->n, 2, room);
	free(room);
	if (one > 0)
		r = fmin(fmax(two / one - 1, 0), CORRELATION_MOST);
	r *= 1 - CORRELATION_DOUBT / (double)search->n;
	search->independent = (1 - r) / (1 + r);
	return 0;
}

/* Student's test of the stretches x[from..at) and x[at..to); a side too short proves nothing. */
static int test_cut(const struct search *search, size_t from, size_t at, size_t to,
		    struct change_point *out, struct err *err)
{
	const double *x = search->x;
	struct t_test test;
	double points;

	memset(out, 0, sizeof(*out));
	out->at = at;
	out->p = 1;
	if (at - from < search->terms->least || to - at < search->terms->least)
		return 0;
	if (pooled_t(x + from, at - from, x + at, to - at, 0.95, &test, err))
		return -1;
	out->before = sample_mean(x + from, at - from);
	out->after = sample_mean(x + at, to - at);
	points = fmax((double)(to - from) * search->independent, 3);
	out->t = -test.t * sqrt(search->independent);
	out->p = search->independent < 1 ? student_two_sided(out->t, points - 2) : test.p;
	return 0;
}

/*
 * Splits x[from..to) where it clearly changes, then each part again.  A level that comes back makes
 * one side of the best place a mixture, in which nothing is clear: so a place that may be one is
 * split to look on, and is a cut where a part then has one.  settle() holds it against its
 * neighbours.
 */
static int search_stretch(struct search *search, size_t from, size_t to, struct err *err)
{
	size_t tau = 0, kappa = 0, before = search->n_cuts;
	struct change_point point;
	double q = 0;

	if (to - from < 2 * search->terms->least)
		return 0;
	if (energy_candidate(search->x + from, to - from, search->terms->least, &tau, &kappa, &q,
			     err))
		return -1;
	if (test_cut(search, from, from + tau, to, &point, err))
		return -1;
	if (!(point.p < fmax(search->terms->weak_p, MAY_BE)))
		return 0;
	if (search_stretch(search, from, from + tau, err) ||
	    search_stretch(search, from + tau, to, err))
		return -1;
	if (point.p < search->terms->weak_p || search->n_cuts > before)
		return add_cut(search, from + tau, err);
	return 0;
}

/* Windows overlap; the next one starts at the last change found, so that it begins on one level. */
static int search_windows(struct search *search, struct err *err)
{
	size_t start = 0;

	for (;;) {
		size_t left = search->n - start, first = search->n_cuts;
		size_t end =
			left < search->terms->window ? search->n : start + search->terms->window;

		if (search_stretch(search, start, end, err))
			return -1;
		if (end == search->n)
			return 0;
		start += search->terms->step;
		for (size_t i = first; i < search->n_cuts; i++)
			if (search->cut[i] > start)
				start = search->cut[i];
	}
}

static int by_place(const void *left, const void *right)
{
	size_t a = *(const size_t *)left, b = *(const size_t *)right;

	return (a > b) - (a < b);
}

static void remove_cut(struct search *search, size_t i)
{
	memmove(&search->cut[i], &search->cut[i + 1],
		(search->n_cuts - i - 1) * sizeof(*search->cut));
	search->n_cuts--;
}

/* Where stretch i starts: 0, each cut, and the end. */
static size_t edge(const struct search *search, size_t i)
{
	if (i == 0)
		return 0;
	return i <= search->n_cuts ? search->cut[i - 1] : search->n;
}

/*
 * Two windows may place one change a point or two apart.  Of cuts closer than a stretch may be
 * short, the one that separates its surroundings better stays.
 */
static int drop_echoes(struct search *search, struct err *err)
{
	if (search->n_cuts < 2)
		return 0;
	qsort(search->cut, search->n_cuts, sizeof(*search->cut), by_place);
	for (size_t i = 0; i + 1 < search->n_cuts;) {
		size_t from = edge(search, i), to = edge(search, i + 3);
		struct change_point one, other;

		if (search->cut[i + 1] - search->cut[i] >= search->terms->least) {
			i++;
			continue;
		}
		if (test_cut(search, from, search->cut[i], to, &one, err) ||
		    test_cut(search, from, search->cut[i + 1], to, &other, err))
			return -1;
		remove_cut(search, one.p <= other.p ? i + 1 : i);
	}
	return 0;
}

/* The cut to give up next: the least significant, or among significant ones the smallest step. */
static bool weakest_of(const struct search *search, const struct change_point *point, size_t *out)
{
	size_t least_sure = 0, smallest = 0;

	for (size_t i = 1; i < search->n_cuts; i++) {
		if (point[i].p > point[least_sure].p)
			least_sure = i;
		if (fabs(point[i].after - point[i].before) <
		    fabs(point[smallest].after - point[smallest].before))
			smallest = i;
	}
	*out = least_sure;
	if (!(point[least_sure].p < search->terms->final_p))
		return true;
	*out = smallest;
	return fabs(point[smallest].after - point[smallest].before) < search->terms->min_magnitude;
}

/* Removes one weak cut at a time, as each removal lends its points to the neighbours. */
static int settle(struct search *search, struct change_point **out, struct err *err)
{
	struct change_point *point = calloc(search->n_cuts, sizeof(*point));
	size_t weak = 0;

	if (!point)
		return err_nomem(err);
	while (search->n_cuts > 0) {
		for (size_t i = 0; i < search->n_cuts; i++)
			if (test_cut(search, edge(search, i), search->cut[i], edge(search, i + 2),
				     &point[i], err)) {
				free(point);
				return -1;
			}
		if (!weakest_of(search, point, &weak))
			break;
		remove_cut(search, weak);
	}
	if (search->n_cuts == 0) {
		free(point);
		point = NULL;
	}
	*out = point;
	return 0;
}

static int check_terms(const struct changepoint_terms *terms, struct err *err)
{
	if (terms->window < 4 || terms->window > ENERGY_POINTS_MAX || terms->step < 1 ||
	    terms->step > terms->window || terms->least < 2)
		return err_set(err, ERR_RANGE, "window %zu, step %zu, least %zu: out of range",
			       terms->window, terms->step, terms->least);
	if (!(terms->weak_p > 0) || !(terms->final_p > 0) || !(terms->min_magnitude >= 0))
		return err_set(err, ERR_RANGE, "a change point's p or magnitude is below 0");
	return 0;
}

int changepoint_find(const double *x, size_t n, const struct changepoint_terms *terms,
		     struct change_point **out, size_t *out_n, struct err *err)
{
	struct search search = { .x = x, .n = n, .terms = terms };
	struct change_point *found = NULL;
	int rc = -1;

	if (check_terms(terms, err) || sample_check(x, n, 0, err))
		return -1;
	if (find_independent(&search, err) || search_windows(&search, err) ||
	    drop_echoes(&search, err))
		goto out;
	if (search.n_cuts > 0 && settle(&search, &found, err))
		goto out;
	*out = found;
	*out_n = search.n_cuts;
	rc = 0;
out:
	free(search.cut);
	return rc;
}
