/*
 * fieller - interval of the ratio of two means measured in pairs.
 *
 * Source: E. C. Fieller, J. R. Statist. Soc. B 16 (1954) 175-185.
 */
#ifndef PAWL_STATS_FIELLER_H
#define PAWL_STATS_FIELLER_H

#include <stddef.h>

#include "lib/base/err.h"

struct mean_ratio {
	double ratio;	   /* mean(head) / mean(base) */
	double low, high;  /* at `confidence`; low <= ratio <= high */
	double confidence; /* as asked */
};

/*
 * mean(head) / mean(base) of n pairs.
 *
 * Shape:  n >= 2; pair i is base[i], head[i].
 * Errors: ERR_RANGE when n < 2, a value is not finite, mean(base) is 0, or confidence is not
 *         inside (0, 1); *out is untouched.
 * Where mean(base) does not differ from 0 at this confidence no finite interval exists: it is
 * (-inf, +inf) then.
 * Cost:   O(n), no allocation.
 */
int fieller(const double *base, const double *head, size_t n, double confidence,
	    struct mean_ratio *out, struct err *err);

#endif
