#include "lib/stats/clusters.h"

#include <math.h>
#include <stdbool.h>

#include "lib/stats/sample.h"

#include "lib/base/banned.h"

static const double Z = 1.959963984540054; /* 95 of 100 lie within */

static bool is_first(const double *key, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (key[k] == key[i])
			return false;
	return true;
}

/* The mean of those with the key of i, the first of them; *out_n: how many. */
static double mean_from(const double *d, const double *key, size_t i, size_t n, size_t *out_n)
{
	long double sum = 0;
	size_t count = 0;

	for (size_t k = i; k < n; k++) {
		if (key[k] != key[i])
			continue;
		sum += (long double)d[k];
		count++;
	}
	*out_n = count;
	return (double)(sum / (long double)count);
}

size_t clusters_count(const double *key, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += is_first(key, i);
	return count;
}

/* What is written lies at or before what was read: no later mean needs it. */
size_t clusters_means(const double *d, const double *key, size_t n, double *out)
{
	size_t count = 0, size;

	for (size_t i = 0; i < n; i++)
		if (is_first(key, i))
			out[count++] = mean_from(d, key, i, n, &size);
	return count;
}

/* A chi-squared variable of df degrees of freedom, over df, at the standard normal's z. */
static double chi_squared_share(double df, double z)
{
	double part = 2 / (9 * df);

	return pow(1 - part + z * sqrt(part), 3);
}

/* The interval of (a - b) / usual, of two independent mean squares. */
static void interval_between(double a, double a_df, double b, double b_df, double usual,
			     struct clusters_spread *out)
{
	double a_low = a / chi_squared_share(a_df, Z), a_high = a / chi_squared_share(a_df, -Z);
	double b_low = b / chi_squared_share(b_df, Z), b_high = b / chi_squared_share(b_df, -Z);

	out->low = fmax(0, (a - b - hypot(a - a_low, b_high - b)) / usual);
	out->high = fmax(0, (a - b + hypot(a_high - a, b - b_low)) / usual);
}

/* Sum of squares of the clusters' means around the mean of all, and of the clusters' sizes. */
static size_t sum_clusters(const double *d, const double *key, size_t n, double *out_between,
			   double *out_squares)
{
	double mean = sample_mean(d, n);
	size_t count = 0, size;

	*out_between = *out_squares = 0;
	for (size_t i = 0; i < n; i++) {
		double of_cluster;

		if (!is_first(key, i))
			continue;
		of_cluster = mean_from(d, key, i, n, &size);
		*out_between += (double)size * (of_cluster - mean) * (of_cluster - mean);
		*out_squares += (double)size * (double)size;
		count++;
	}
	return count;
}

void clusters_spread(const double *d, const double *key, size_t n, struct clusters_spread *out)
{
	double between, squares, all = sample_squares(d, n), usual, a_df, b_df;
	size_t count = sum_clusters(d, key, n, &between, &squares);

	*out = (struct clusters_spread){ count,	      (double)NAN, (double)NAN,
					 (double)NAN, (double)NAN, (double)NAN };
	if (count < CLUSTERS_LEAST || n < count + CLUSTERS_LEAST)
		return;
	a_df = (double)(count - 1);
	b_df = (double)(n - count);
	usual = ((double)n - squares / (double)n) / a_df;
	out->within = fmax(0, all - between) / b_df;
	out->between = fmax(0, (between / a_df - out->within) / usual);
	out->means = between / a_df / usual;
	interval_between(between / a_df, a_df, out->within, b_df, usual, out);
}
