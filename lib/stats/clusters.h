/*
 * clusters - values that are not independent of each other because they share a cause: the pairs of
 * one layout.
 *
 * Where a layout serves several pairs, these say more about that layout and nothing about others.
 * So their signs are no coins of their own: a test adds up the signed ranks of each cluster, and
 * the coin is the cluster's.  (Of the clusters' means one could judge as well; but a mean is what a
 * single disturbed run ruins, and ranks are there to prevent that.)
 *
 * Source: B. Rosner, R. J. Glynn and M.-L. T. Lee, Biometrics 62 (2006) 185-192 (signed ranks of
 *         clusters); L. Kish, "Survey Sampling" (1965), 8.2 (the design effect: by how much
 * clusters raise a variance); A. Donner and N. Klar, "Design and Analysis of Cluster Randomization
 * Trials in Health Research" (2000), 6.2 (a test of the clusters' means); S. R. Searle, G. Casella
 * and C. E. McCulloch, "Variance Components" (1992), 3.6 (the moments of unequal clusters); G. Y.
 * Zou and A. Donner, Statist. Med. 27 (2008) 1693-1702 (the interval of a difference from those of
 * its parts); E. B. Wilson and M. M. Hilferty, Proc. Nat. Acad. Sci. 17 (1931) 684-688 (quantiles
 * of chi-squared, to 4 % with 5 degrees of freedom, 0.3 % with 15).
 */
#ifndef PAWL_STATS_CLUSTERS_H
#define PAWL_STATS_CLUSTERS_H

#include <stddef.h>

#include "lib/base/err.h"
#include "lib/stats/signedrank.h"
#include "lib/stats/walsh.h"

#define CLUSTERS_LEAST 6 /* of them, and values beyond one of each: fewer tell no variances */

/*
 * The means of d[0..n) by key, in the order in which the keys first appear; values of one key are
 * one cluster.  out has room for n and may be d.  Returns how many.
 * Shape: n >= 1.  Cost: O(n x clusters).
 */
size_t clusters_means(const double *d, const double *key, size_t n, double *out);

/* How many different keys there are. */
size_t clusters_count(const double *key, size_t n);

/*
 * Makes of *rank, of the d[0..n) that walsh was built from, one that holds over clusters: p is
 * exact given the sizes of the clusters' sums, whatever values of a cluster share, and never
 * smaller than it was; the interval is wider by the root of what the clusters' sums, at the
 * estimate, vary more than independent values would, and by Student's of so many clusters in place
 * of the normal quantile.  So few clusters that their signs cannot be sure enough: no finite
 * interval.
 *
 * Where each value, or all, have one key, nothing changes.
 * Errors: ERR_NOMEM; *rank is as it was.  Cost: O(n log n + n x clusters), and that of ways_tail().
 */
int clusters_signed_rank(const struct walsh *walsh, const double *d, const double *key,
			 struct signed_rank *rank, struct err *err);

#define CLUSTERS_APART 0.3
/*
 * The test, the estimate and the interval of the d[0..n) that walsh was just built from, by ranks
 * that suit the tails: narrowed ones (walsh_narrow()) where these are heavy, and over clusters
 * where key is not NULL.
 *
 * Which ranks, is seen from where it is asked (walsh_is_heavy()): for p from 0, for each end of
 * the interval from that end, for the estimate from the median.  So p is exact and the interval
 * holds as often as it says, although the sample itself chose.
 *
 * Where values are not symmetric about a centre the two kinds of ranks are of different things.
 * So where both estimates differ by more than CLUSTERS_APART of the half of the interval, both
 * kinds have to agree: the estimate is that of all ranks, p the larger one, and the interval holds
 * both.
 *
 * Errors: those of signed_rank_from(), ERR_NOMEM; *out is untouched; walsh may be narrowed.
 * Cost:   that of signed_rank_from() and clusters_signed_rank(), twice where tails are heavy.
 *
 * Source: J. A. Hausman, Econometrica 46 (1978) 1251-1271 (two estimates that agree unless what the
 *         sharper one takes for granted is wrong).
 */
int clusters_suited(struct walsh *walsh, const double *d, const double *key, double confidence,
		    struct signed_rank *out, struct err *err);

/* What scatters: unit of the sample, squared; NaN where it cannot be told. */
struct clusters_spread {
	size_t n;	/* clusters */
	double between; /* variance of what a cluster has in common, >= 0 */
	double within;	/* variance of the values of one cluster */
	double low;	/* 95 % interval of between, were all normal; 0 <= low <= between <= high */
	double high;
	double means; /* variance of the clusters' means, noise included; of clusters of one size
			 it has n - 1 degrees of freedom */
};

/*
 * Variance components by the method of moments (one-way, unequal clusters); NaN with fewer than
 * CLUSTERS_LEAST clusters, or fewer than that many values beyond one of each.
 * Shape: n >= 1, finite values.  Cost: O(n x clusters).
 */
void clusters_spread(const double *d, const double *key, size_t n, struct clusters_spread *out);

#endif
