#include "lib/stats/groups.h"

#include <math.h>
#include <stdlib.h>

#include "lib/stats/describe.h"
#include "lib/stats/sample.h"

#include "lib/base/banned.h"

/* The number of values below the widest gap; `least` stay on either side. */
static size_t widest_gap(const double *sorted, size_t n, size_t least, double *out_gap)
{
	size_t at = least;

	for (size_t i = least; i + least <= n; i++)
		if (sorted[i] - sorted[i - 1] > sorted[at] - sorted[at - 1])
			at = i;
	*out_gap = sorted[at] - sorted[at - 1];
	return at;
}

static void compare_groups(const double *sorted, size_t n, struct groups *out)
{
	size_t least = (n + 3) / 4;
	double gap, s_low, s_high, widest;

	out->n_low = widest_gap(sorted, n, least, &gap);
	if (!(gap > 0))
		return;
	s_low = mad_sorted(sorted, out->n_low);
	s_high = mad_sorted(sorted + out->n_low, n - out->n_low);
	out->low = sample_median_sorted(sorted, out->n_low);
	out->high = sample_median_sorted(sorted + out->n_low, n - out->n_low);
	widest = fmax(s_low, s_high);
	out->gap = gap / widest;
	out->d = (out->high - out->low) / hypot(s_low, s_high) * sqrt(2);
	out->found = out->gap > GROUPS_GAP && out->d > GROUPS_D;
}

int groups_of(const double *x, size_t n, struct groups *out, struct err *err)
{
	struct groups made = { false, 0, (double)NAN, (double)NAN, (double)NAN, (double)NAN };
	double *sorted;

	if (sample_check(x, n, 1, err))
		return -1;
	sorted = sample_sorted(x, n, err);
	if (!sorted)
		return -1;
	if (n >= GROUPS_LEAST)
		compare_groups(sorted, n, &made);
	free(sorted);
	*out = made;
	return 0;
}
