#include "lib/stats/multiple.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/banned.h"

struct place {
	double p;
	size_t at;
};

static int by_p(const void *left, const void *right)
{
	double a = ((const struct place *)left)->p, b = ((const struct place *)right)->p;

	return (a > b) - (a < b);
}

static struct place *sorted_places(const double *p, size_t m, struct err *err)
{
	struct place *made;

	if (m < 1) {
		err_set(err, ERR_RANGE, "no p values to adjust");
		return NULL;
	}
	for (size_t i = 0; i < m; i++) {
		if (!(p[i] >= 0 && p[i] <= 1)) {
			err_set(err, ERR_RANGE, "p value %zu (%g) is not between 0 and 1", i + 1,
				p[i]);
			return NULL;
		}
	}
	made = calloc(m, sizeof(*made));
	if (!made) {
		err_nomem(err);
		return NULL;
	}
	for (size_t i = 0; i < m; i++)
		made[i] = (struct place){ p[i], i };
	qsort(made, m, sizeof(*made), by_p);
	return made;
}

int adjust_bh(const double *p, size_t m, double *out, struct err *err)
{
	struct place *place = sorted_places(p, m, err);
	double least = 1;

	if (!place)
		return -1;
	for (size_t rank = m; rank > 0; rank--) {
		least = fmin(least, place[rank - 1].p * ((double)m / (double)rank));
		out[place[rank - 1].at] = least;
	}
	free(place);
	return 0;
}
