#include "lib/stats/signedrank.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "lib/stats/sample.h"
#include "lib/stats/ways.h"

#include "lib/base/banned.h"

/* Of the sizes |d|, what the test needs. */
struct ranks {
	size_t *twice; /* twice the midrank of each, upwards: always integers; at most `most` */
	size_t most;   /* twice the last rank that counts more than the one before */
	size_t n_zero; /* so many at its beginning are those of zeros */
	size_t n;
	size_t positive, negative, zero; /* sums of the twice of that sign */
	bool tied;			 /* equal sizes or zeros */
};

/*
 * Of sorted values the largest size is at one of the ends, or at both: ranks are given from there
 * inwards, downwards.
 */
static void ranks_fill(const double *x, size_t n, struct ranks *out)
{
	size_t low = 0, high = n;

	while (low < high) {
		double size = fmax(-x[low], x[high - 1]);
		size_t left = high - low, n_negative = 0, n_positive = 0, twice;

		for (; size > 0 && low < high && x[low] == -size; low++)
			n_negative++;
		for (; low < high && x[high - 1] == size; high--)
			n_positive++;
		twice = 2 * left + 1 - n_negative - n_positive;
		twice = twice < out->most ? twice : out->most;
		for (size_t k = left; k > high - low; k--)
			out->twice[k - 1] = twice;
		out->negative += n_negative * twice;
		*(size > 0 ? &out->positive : &out->zero) += n_positive * twice;
		out->n_zero = size > 0 ? 0 : n_positive;
		out->tied |= n_negative + n_positive > 1 || !(size > 0);
	}
}

/* P(2T <= least) given the sizes: zeros have ranks but no sign, so no coin (Pratt). */
static int tied_tail(const struct ranks *ranks, size_t least, double *out, struct err *err)
{
	return ways_tail(ranks->twice + ranks->n_zero, ranks->n - ranks->n_zero, least, out, err);
}

static int two_sided(const struct walsh *walsh, const struct ranks *ranks, double *out_p,
		     double *out_statistic, struct err *err)
{
	size_t least = ranks->positive < ranks->negative ? ranks->positive : ranks->negative;
	double tail = 1;

	if (!ranks->tied)
		tail = walsh->tail[least / 2];
	else if (tied_tail(ranks, least, &tail, err))
		return -1;
	*out_p = fmin(1, 2 * tail);
	*out_statistic = 0.5 * (double)ranks->positive + 0.25 * (double)ranks->zero;
	return 0;
}

int signed_rank_from(const struct walsh *walsh, double confidence, struct signed_rank *out,
		     struct err *err)
{
	struct signed_rank made = { .n = walsh->n, .confidence = confidence };
	struct ranks ranks = { .n = walsh->n, .most = 2 * walsh->reach };
	int rc;

	if (sample_check_confidence(confidence, err))
		return -1;
	ranks.twice = malloc(walsh->n * sizeof(*ranks.twice));
	if (!ranks.twice)
		return err_nomem(err);
	ranks_fill(walsh->x, walsh->n, &ranks);
	rc = two_sided(walsh, &ranks, &made.p, &made.statistic, err);
	free(ranks.twice);
	if (rc)
		return -1;
	made.theta = walsh_median(walsh);
	made.exact_confidence = walsh_interval(walsh, confidence, &made.low, &made.high);
	*out = made;
	return 0;
}

int signed_rank(const double *d, size_t n, double confidence, struct signed_rank *out,
		struct err *err)
{
	struct walsh walsh = WALSH_INIT;
	int rc = -1;

	if (sample_check_confidence(confidence, err) == 0 && walsh_build(d, n, &walsh, err) == 0)
		rc = signed_rank_from(&walsh, confidence, out, err);
	walsh_release(&walsh);
	return rc;
}

/* ln(head / base); NaN or infinite where there is none. */
static double log_ratio(double base, double head)
{
	if (!(isfinite(base) && isfinite(head) && base > 0 && head > 0))
		return (double)NAN;
	return head >= base ? log(head / base) : -log(base / head);
}

int pairs_log_ratio(const double *base, const double *head, size_t n, double *out, struct err *err)
{
	if (n < 1)
		return err_set(err, ERR_RANGE, "no pairs, at least 1 is needed");
	for (size_t i = 0; i < n; i++) {
		out[i] = log_ratio(base[i], head[i]);
		if (!isfinite(out[i]))
			return err_set(err, ERR_RANGE,
				       "pair %zu has no ratio: both values must be above 0", i + 1);
	}
	return 0;
}
