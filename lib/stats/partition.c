#include "lib/stats/partition.h"

#include <math.h>
#include <stdlib.h>

#include "lib/stats/describe.h"
#include "lib/stats/sample.h"

#include "lib/base/banned.h"

/* Running sums of a series moved to mean 0, so that their differences keep their digits. */
struct sums {
	long double *plain, *square; /* of the first i points */
};

static void sums_release(struct sums *sums)
{
	free(sums->plain);
	free(sums->square);
}

static int sums_build(const double *x, size_t n, struct sums *out, struct err *err)
{
	double mean = sample_mean(x, n);

	out->plain = calloc(n + 1, sizeof(*out->plain));
	out->square = calloc(n + 1, sizeof(*out->square));
	if (!out->plain || !out->square) {
		sums_release(out);
		err_nomem(err);
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		long double y = (long double)x[i] - (long double)mean;

		out->plain[i + 1] = out->plain[i] + y;
		out->square[i + 1] = out->square[i] + y * y;
	}
	return 0;
}

/* Squared distances of x[from..to) from its own mean. */
static double misfit(const struct sums *sums, size_t from, size_t to)
{
	long double sum = sums->plain[to] - sums->plain[from];
	long double square = sums->square[to] - sums->square[from];

	return (double)fmaxl(0, square - sum * sum / (long double)(to - from));
}

/* Walks back[] from the end and leaves the starts in order; returns how many. */
static size_t cuts_of(const size_t *back, size_t n, size_t *out_cuts)
{
	size_t count = 0;

	for (size_t at = back[n]; at > 0; at = back[at])
		out_cuts[count++] = at;
	for (size_t i = 0; i < count / 2; i++) {
		size_t kept = out_cuts[i];

		out_cuts[i] = out_cuts[count - 1 - i];
		out_cuts[count - 1 - i] = kept;
	}
	return count;
}

/* best[t]: least cost of the first t points; best[0] = -penalty pays for the first stretch. */
int partition_optimal(const double *x, size_t n, double sigma, double penalty, size_t *out_cuts,
		      size_t *out_n, double *out_cost, struct err *err)
{
	struct sums sums = { NULL, NULL };
	double *best = NULL;
	size_t *back = NULL;
	int rc = -1;

	if (n > PARTITION_MAX)
		return err_set(err, ERR_LIMIT, "%zu points, at most %d are possible", n,
			       (int)PARTITION_MAX);
	if (sample_check(x, n, 1, err))
		return -1;
	if (!(sigma > 0) || !isfinite(sigma) || !(penalty >= 0) || !isfinite(penalty))
		return err_set(err, ERR_RANGE, "sigma %g and penalty %g must be above 0", sigma,
			       penalty);
	if (sums_build(x, n, &sums, err))
		return -1;
	best = calloc(n + 1, sizeof(*best));
	back = calloc(n + 1, sizeof(*back));
	if (!best || !back) {
		err_nomem(err);
		goto out;
	}
	best[0] = -penalty;
	for (size_t t = 1; t <= n; t++) {
		best[t] = HUGE_VAL;
		for (size_t s = 0; s < t; s++) {
			double cost = best[s] + misfit(&sums, s, t) / (sigma * sigma) + penalty;

			if (cost < best[t]) {
				best[t] = cost;
				back[t] = s;
			}
		}
	}
	*out_n = cuts_of(back, n, out_cuts);
	*out_cost = best[n];
	rc = 0;
out:
	sums_release(&sums);
	free(best);
	free(back);
	return rc;
}

int partition_sigma(const double *x, size_t n, double *out, struct err *err)
{
	double *step, mad;
	int rc;

	if (sample_check(x, n, 2, err))
		return -1;
	step = malloc((n - 1) * sizeof(*step));
	if (!step)
		return err_nomem(err);
	for (size_t i = 0; i + 1 < n; i++)
		step[i] = x[i + 1] - x[i];
	rc = mad_scaled(step, n - 1, &mad, err);
	free(step);
	if (rc)
		return -1;
	*out = mad / sqrt(2);
	return 0;
}
