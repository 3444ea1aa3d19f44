#include "lib/stats/signedrank.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/stats/sample.h"

#include "lib/base/banned.h"

/* |d| with its sign, sorted by size. */
struct ranked {
	double size;
	int sign;
};

struct ranks {
	size_t n;
	struct ranked *by_size;
	size_t *twice; /* twice the midrank of by_size[i]: always an integer */
	bool tied;     /* equal sizes or zeros */
};

static int by_size(const void *left, const void *right)
{
	double a = ((const struct ranked *)left)->size, b = ((const struct ranked *)right)->size;

	return (a > b) - (a < b);
}

static int ranks_build(const double *d, size_t n, struct ranks *out, struct err *err)
{
	struct ranks made = { n, NULL, NULL, false };

	made.by_size = malloc(n * sizeof(*made.by_size));
	made.twice = malloc(n * sizeof(*made.twice));
	if (!made.by_size || !made.twice) {
		free(made.by_size);
		free(made.twice);
		err_nomem(err);
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		made.by_size[i].size = fabs(d[i]);
		made.by_size[i].sign = (d[i] > 0) - (d[i] < 0);
	}
	qsort(made.by_size, n, sizeof(*made.by_size), by_size);
	for (size_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n; next++)
			if (made.by_size[next].size > made.by_size[i].size)
				break;
		for (size_t j = i; j < next; j++)
			made.twice[j] = i + 1 + next;
		if (next - i > 1 || made.by_size[i].sign == 0)
			made.tied = true;
	}
	*out = made;
	return 0;
}

static void ranks_release(struct ranks *ranks)
{
	free(ranks->by_size);
	free(ranks->twice);
}

/*
 * P(2T <= least) given the sizes: each non-zero value's double midrank is added or not by a fair
 * coin.  Zeros have ranks but no sign, so no coin (Pratt).
 */
static int tied_tail(const struct ranks *ranks, size_t least, double *out, struct err *err)
{
	double *ways = calloc(least + 1, sizeof(*ways));
	size_t reached = 0;
	double scale = 1, sum = 0;

	if (!ways) {
		err_nomem(err);
		return -1;
	}
	ways[0] = 1;
	for (size_t i = 0; i < ranks->n; i++) {
		size_t w = ranks->twice[i];

		if (ranks->by_size[i].sign == 0)
			continue;
		reached = reached + w < least ? reached + w : least;
		for (size_t s = reached + 1; s-- > w;)
			ways[s] += ways[s - w];
		scale *= 0.5;
	}
	for (size_t s = 0; s <= least; s++)
		sum += ways[s] * scale;
	free(ways);
	*out = sum;
	return 0;
}

static int two_sided(const struct walsh *walsh, const struct ranks *ranks, double *out_p,
		     double *out_statistic, struct err *err)
{
	size_t positive = 0, negative = 0, zero = 0, least;
	double tail;

	for (size_t i = 0; i < ranks->n; i++) {
		if (ranks->by_size[i].sign > 0)
			positive += ranks->twice[i];
		else if (ranks->by_size[i].sign < 0)
			negative += ranks->twice[i];
		else
			zero += ranks->twice[i];
	}
	least = positive < negative ? positive : negative;
	if (!ranks->tied)
		tail = walsh->tail[least / 2];
	else if (tied_tail(ranks, least, &tail, err))
		return -1;
	*out_p = fmin(1, 2 * tail);
	*out_statistic = 0.5 * (double)positive + 0.25 * (double)zero;
	return 0;
}

int signed_rank_from(const struct walsh *walsh, const double *d, double confidence,
		     struct signed_rank *out, struct err *err)
{
	struct signed_rank made = { .n = walsh->n, .confidence = confidence };
	struct ranks ranks;
	int rc;

	if (sample_check_confidence(confidence, err) || ranks_build(d, walsh->n, &ranks, err))
		return -1;
	rc = two_sided(walsh, &ranks, &made.p, &made.statistic, err);
	ranks_release(&ranks);
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
		rc = signed_rank_from(&walsh, d, confidence, out, err);
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
