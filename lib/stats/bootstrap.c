#include "lib/stats/bootstrap.h"

#include <math.h>
#include <stdlib.h>

#include "lib/stats/coin.h"
#include "lib/stats/describe.h"
#include "lib/stats/dist.h"
#include "lib/stats/sample.h"

#include "lib/base/banned.h"

enum { RESAMPLES_MAX = 1000000 };

/* May reorder x. */
static double value_of(enum bootstrap_of of, double *x, size_t n)
{
	if (of == BOOTSTRAP_MEAN)
		return sample_mean(x, n);
	sample_sort(x, n);
	return sample_median_sorted(x, n);
}

/* Skewness of the statistic's influence: leave each value out once. */
static double acceleration_of(enum bootstrap_of of, const double *x, size_t n, double *scratch,
			      double *left_out)
{
	double mean, square = 0, cube = 0;

	for (size_t i = 0; i < n; i++) {
		size_t at = 0;

		for (size_t j = 0; j < n; j++)
			if (j != i)
				scratch[at++] = x[j];
		left_out[i] = value_of(of, scratch, n - 1);
	}
	mean = sample_mean(left_out, n);
	for (size_t i = 0; i < n; i++) {
		double off = mean - left_out[i];

		square += off * off;
		cube += off * off * off;
	}
	return square > 0 ? cube / (6 * pow(square, 1.5)) : 0;
}

/*
 * Where the estimate stands among the resampled ones, as a normal quantile.  Kept half a
 * resample away from the ends, where it would be infinite.
 */
static double bias_of(const double *resampled, size_t count, double estimate)
{
	double below = 0, edge = 0.5 / (double)count, share;

	for (size_t i = 0; i < count; i++)
		below += resampled[i] < estimate ? 1 : resampled[i] > estimate ? 0 : 0.5;
	share = below / (double)count;
	return normal_quantile(fmin(fmax(share, edge), 1 - edge));
}

static double corrected(double z, double bias, double acceleration)
{
	double moved = bias + z, room = 1 - acceleration * moved;

	if (!(room > 0))
		return moved > 0 ? 1 : 0;
	return normal_cdf(bias + moved / room);
}

int bootstrap_bca(const double *x, size_t n, enum bootstrap_of of, size_t resamples, uint64_t seed,
		  double confidence, struct bootstrap *out, struct err *err)
{
	struct bootstrap made = { .confidence = confidence };
	double *scratch = NULL, *left_out = NULL, *resampled = NULL, z;
	struct coin coin;
	int rc = -1;

	if (sample_check(x, n, 2, err) || sample_check_confidence(confidence, err))
		return -1;
	if (resamples < 1 || resamples > RESAMPLES_MAX)
		return err_set(err, ERR_RANGE, "%zu resamples, 1 to %d are possible", resamples,
			       (int)RESAMPLES_MAX);
	scratch = sample_sorted(x, n, err);
	if (!scratch)
		return -1;
	left_out = malloc(n * sizeof(*left_out));
	resampled = malloc(resamples * sizeof(*resampled));
	if (!left_out || !resampled) {
		err_nomem(err);
		goto out;
	}
	made.estimate = value_of(of, scratch, n);
	made.acceleration = acceleration_of(of, x, n, scratch, left_out);
	coin_init(&coin, seed);
	for (size_t i = 0; i < resamples; i++) {
		for (size_t j = 0; j < n; j++)
			scratch[j] = x[coin_bits(&coin) % n];
		resampled[i] = value_of(of, scratch, n);
	}
	made.bias = bias_of(resampled, resamples, made.estimate);
	sample_sort(resampled, resamples);
	z = normal_quantile(0.5 - 0.5 * confidence);
	made.low =
		quantile_sorted(resampled, resamples, corrected(z, made.bias, made.acceleration));
	made.high =
		quantile_sorted(resampled, resamples, corrected(-z, made.bias, made.acceleration));
	*out = made;
	rc = 0;
out:
	free(scratch);
	free(left_out);
	free(resampled);
	return rc;
}
