#include "reporter/parts/advice.h"

#include <math.h>

#include "lib/judge/widening.h"
#include "lib/stats/verdict.h"
#include "reporter/figures/cells.h"

#include "lib/base/banned.h"

#define WORTH_SAYING \
	0.95 /* of what would be found now: more pairs that find no less are no advice */

/* Seconds that the two runs of a pair take by themselves; at once on one processor: what both used.
 */
static double pair_s(const struct bench *b)
{
	const struct metric *m = bench_find_metric(b, "wall");
	double head = (double)NAN, base = (double)NAN;

	if (!m || !m->n)
		m = bench_find_metric(b, "cpu");
	if (!m || !m->n || !m->n_baseline || row_median(m->samples, m->n, &head, NULL) ||
	    row_median(m->baseline_samples, m->n_baseline, &base, NULL))
		return (double)NAN;
	return (head + base) * (b->iterations ? (double)b->iterations : 1) / 1e9;
}

/* The least change that so many pairs find nine times in ten: what they share stays. */
static double smallest_of(const struct row *row, size_t pairs)
{
	const struct bench *b = row->bench;
	const struct delta *d = row->delta;
	const struct widening shared = widening_of(b, row->gate);
	const struct judge_terms terms = { log1p(b->threshold), b->looks.n, 1 };
	double half = (log(d->high) - log(d->low)) / 2;

	return expm1(judge_surely_found(
		&terms, half * judge_narrows(half, &shared, row->gate->n, pairs), shared.least));
}

bool advice_of(const struct row *row, struct advice *out)
{
	const struct looks *looks = &row->bench->looks;
	const struct delta *d = row->delta;
	double n;

	if (row->kind != ROW_INCONCLUSIVE || !d || !row->bench->paired || !looks->n)
		return false;
	out->pairs = looks->pairs[looks->n - 1];
	n = (double)row->gate->n;
	if (n >= out->pairs || !isfinite(d->noise_floor))
		return false;
	out->smallest = smallest_of(row, out->pairs);
	out->seconds = (out->pairs - n) * pair_s(row->bench);
	return out->smallest <= WORTH_SAYING * smallest_of(row, row->gate->n);
}

void advice_join(struct advice *a, const struct advice *b)
{
	a->seconds += b->seconds;
	a->smallest = fmax(a->smallest, b->smallest);
	a->pairs = b->pairs > a->pairs ? b->pairs : a->pairs;
}

/* What so many pairs of all take: the option knows no single one, not even what is decided. */
static double seconds_of_all(const struct rows *rows, unsigned pairs)
{
	double seconds = 0;
	size_t i;

	for (i = 0; i < rows->n; i++) {
		const struct row *row = &rows->v[i];

		if (row->gate && row->bench->paired && row->gate->n < pairs)
			seconds += (double)(pairs - row->gate->n) * pair_s(row->bench);
	}
	return seconds;
}

bool advice_most(const struct rows *rows, struct advice *out)
{
	struct advice one;
	bool any = false;
	size_t i;

	for (i = 0; i < rows->n; i++) {
		if (!advice_of(&rows->v[i], &one))
			continue;
		if (any)
			advice_join(out, &one);
		else
			*out = one;
		any = true;
	}
	if (any)
		out->seconds = seconds_of_all(rows, out->pairs);
	return any;
}

void advice_add(const struct advice *a, struct buf *out)
{
	buf_addf(out, "--pairs %u would find changes from ", a->pairs);
	cell_floor(a->smallest, out);
	buf_adds(out, " on");
	if (a->seconds >= 1)
		buf_addf(out, ", %.*f s more", a->seconds < 10 ? 1 : 0, a->seconds);
	else if (a->seconds > 0)
		buf_adds(out, ", less than 1 s more");
}

/* How much worse the interval still allows, as a ratio - 1; NaN when there is none. */
static double allowed(const struct row *row)
{
	double worst = row->gate->better == BETTER_LOWER ? row->delta->high : row->delta->low;

	if (!isfinite(worst))
		return (double)NAN;
	return fmax(row->gate->better == BETTER_LOWER ? worst - 1 : 1 - worst, 0);
}

double advice_ruled_out(const struct rows *rows, const struct metric **out_metric)
{
	double worst = (double)NAN;
	size_t i;

	for (i = 0; i < rows->n; i++) {
		const struct row *row = &rows->v[i];
		double one;

		if (row->kind != ROW_UNCHANGED || !row->delta)
			continue;
		one = allowed(row);
		if (isnan(one))
			return one;
		if (isnan(worst) || one > worst) {
			worst = one;
			*out_metric = row->gate;
		}
	}
	return worst;
}
