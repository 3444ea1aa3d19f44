#include "reporter/parts/advice.h"

#include <math.h>

#include "reporter/figures/cells.h"

#include "lib/base/banned.h"

/* Seconds that the two runs of a pair take by themselves. */
static double pair_s(const struct bench *b)
{
	const struct metric *wall = bench_find_metric(b, "wall");
	double head = (double)NAN, base = (double)NAN;

	if (!wall || !wall->n || !wall->n_baseline ||
	    row_median(wall->samples, wall->n, &head, NULL) ||
	    row_median(wall->baseline_samples, wall->n_baseline, &base, NULL))
		return (double)NAN;
	return (head + base) * (b->iterations ? (double)b->iterations : 1) / 1e9;
}

bool advice_of(const struct row *row, struct advice *out)
{
	const struct looks *looks = &row->bench->looks;
	const struct delta *d = row->delta;
	double n, most;

	if (row->kind != ROW_INCONCLUSIVE || !d || !row->bench->paired || !looks->n)
		return false;
	out->pairs = looks->pairs[looks->n - 1];
	n = (double)row->gate->n;
	most = (double)out->pairs;
	out->smallest = fmax(row->bench->threshold, d->noise_floor * sqrt(n / most));
	out->seconds = (most - n) * pair_s(row->bench);
	return n < most && isfinite(d->noise_floor);
}

void advice_join(struct advice *a, const struct advice *b)
{
	a->seconds += b->seconds;
	a->smallest = fmax(a->smallest, b->smallest);
	a->pairs = b->pairs > a->pairs ? b->pairs : a->pairs;
}

void advice_add(const struct advice *a, const char *noun, struct buf *out)
{
	buf_addf(out, "%u%s would find changes from ", a->pairs, noun);
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
