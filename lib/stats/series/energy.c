#include "lib/stats/series/energy.h"

#include <math.h>
#include <stdlib.h>

#include "lib/stats/sample.h"

#include "lib/base/banned.h"

static double weigh(double s_xy, double s_x, double s_y, double n, double m)
{
	double q = 2 / (m + n) * s_xy;

	if (n > 1)
		q -= 2 * m / ((m + n) * (n - 1)) * s_x;
	if (m > 1)
		q -= 2 * n / ((m + n) * (m - 1)) * s_y;
	return q;
}

/* sum[i * (n + 1) + j]: |x_a - x_b| over all a < i, b < j.  NULL when memory ran out. */
static double *distances_new(const double *x, size_t n, struct err *err)
{
	size_t width = n + 1;
	double *sum = calloc(width * width, sizeof(*sum));

	if (!sum) {
		err_nomem(err);
		return NULL;
	}
	for (size_t i = 1; i <= n; i++) {
		double row = 0;

		for (size_t j = 1; j <= n; j++) {
			row += fabs(x[i - 1] - x[j - 1]);
			sum[i * width + j] = sum[(i - 1) * width + j] + row;
		}
	}
	return sum;
}

static double energy_from(const double *sum, size_t n, size_t tau, size_t kappa)
{
	size_t width = n + 1;
	double before = sum[tau * width + tau], both = sum[tau * width + kappa];
	double all = sum[kappa * width + kappa];

	return weigh(both - before, before / 2, (all - 2 * both + before) / 2, (double)tau,
		     (double)(kappa - tau));
}

int energy_candidate(const double *x, size_t n, size_t least, size_t *out_tau, size_t *out_kappa,
		     double *out_q, struct err *err)
{
	size_t best_tau, best_kappa = n;
	double best = -HUGE_VAL, *sum;

	if (least < 1 || n < 2 * least || n > ENERGY_POINTS_MAX)
		return err_set(err, ERR_RANGE, "%zu points with %zu a side: out of range", n,
			       least);
	if (sample_check(x, n, 2, err))
		return -1;
	sum = distances_new(x, n, err);
	if (!sum)
		return -1;
	best_tau = least;
	for (size_t tau = least; tau + least <= n; tau++) {
		for (size_t kappa = tau + least; kappa <= n; kappa++) {
			double q = energy_from(sum, n, tau, kappa);

			if (q > best) {
				best = q;
				best_tau = tau;
				best_kappa = kappa;
			}
		}
	}
	free(sum);
	*out_tau = best_tau;
	*out_kappa = best_kappa;
	*out_q = best;
	return 0;
}
