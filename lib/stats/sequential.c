#include "lib/stats/sequential.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "lib/base/banned.h"

static const struct sequential_plan plans[] = {
	{ 0.05, .02774, 3, { 20, 25, 30 } },  { 0.05, .01874, 5, { 10, 15, 20, 25, 30 } },
	{ 0.05, .02067, 3, { 25, 50, 100 } }, { 0.05, .01300, 5, { 25, 50, 100, 200, 400 } },
	{ 0.01, .00501, 3, { 20, 25, 30 } },  { 0.01, .00336, 5, { 10, 15, 20, 25, 30 } },
	{ 0.01, .00404, 3, { 25, 50, 100 } }, { 0.01, .00235, 5, { 25, 50, 100, 200, 400 } },
};

static bool is_for(const struct sequential_plan *plan, double alpha, const unsigned *pairs,
		   size_t n_looks)
{
	return fabs(plan->alpha - alpha) < 1e-12 && plan->n_looks == n_looks &&
	       memcmp(plan->pairs, pairs, n_looks * sizeof(*pairs)) == 0;
}

int sequential_plan_find(double alpha, const unsigned *pairs, size_t n_looks,
			 struct sequential_plan *out, struct err *err)
{
	for (size_t i = 0; i < sizeof(plans) / sizeof(plans[0]); i++) {
		if (is_for(&plans[i], alpha, pairs, n_looks)) {
			*out = plans[i];
			return 0;
		}
	}
	return err_set(err, ERR_ABSENT, "no levels are known for these %zu look(s) at %g", n_looks,
		       alpha);
}

double sequential_p(double p_look, size_t n_looks)
{
	double p = p_look * (double)(n_looks ? n_looks : 1);

	return p > 1 ? 1 : p; /* not fmin(), which would turn a NaN into 1 */
}
