#include "lib/stats/anytime.h"

#include <math.h>

#include "lib/stats/ttest.h"

#include "lib/base/banned.h"

double anytime_log_e(double t, size_t n, double c)
{
	double count = (double)n, v = count - 1, g = c / (c + count);

	if (isinf(t))
		return 0.5 * log(g) - 0.5 * count * log(g);
	return 0.5 * log(g) + 0.5 * count * (log1p(t * t / v) - log1p(g * t * t / v));
}

int anytime_p(const double *d, size_t n, double c, double *out, struct err *err)
{
	struct t_test test;
	double p;

	if (!(c > 0) || isinf(c))
		return err_set(err, ERR_RANGE, "weight %g is not above 0", c);
	if (paired_t(d, n, 0.95, &test, err))
		return -1;
	p = exp(-anytime_log_e(test.t, n, c));
	*out = p < 1 ? p : 1;
	return 0;
}
