#include "lib/stats/clusters.h"

#include <math.h>
#include <stdbool.h>

#include "lib/stats/sample.h"

#include "lib/base/banned.h"

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

void clusters_spread(const double *d, const double *key, size_t n, struct clusters_spread *out)
{
	double mean = sample_mean(d, n), between = 0, squares = 0, all = sample_squares(d, n),
	       usual;
	size_t count = 0, size;

	for (size_t i = 0; i < n; i++) {
		double of_cluster;

		if (!is_first(key, i))
			continue;
		of_cluster = mean_from(d, key, i, n, &size);
		between += (double)size * (of_cluster - mean) * (of_cluster - mean);
		squares += (double)size * (double)size;
		count++;
	}
	*out = (struct clusters_spread){ count, (double)NAN, (double)NAN };
	if (count < CLUSTERS_LEAST || n < count + CLUSTERS_LEAST)
		return;
	usual = ((double)n - squares / (double)n) / (double)(count - 1);
	out->within = fmax(0, all - between) / (double)(n - count);
	out->between = fmax(0, (between / (double)(count - 1) - out->within) / usual);
}
