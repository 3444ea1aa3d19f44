#include "lib/stats/sequential.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "lib/base/banned.h"

#define SAME2(a) \
	{ \
		a, a \
	}
#define SAME3(a) \
	{ \
		a, a, a \
	}
#define SAME4(a) \
	{ \
		a, a, a, a \
	}
#define SAME5(a) \
	{ \
		a, a, a, a, a \
	}

static const struct sequential_plan plans[] = {
	{ SEQUENTIAL_POCOCK, 0.05, 2, { 20, 30 }, SAME2(.03270) },
	{ SEQUENTIAL_POCOCK, 0.05, 3, { 20, 25, 30 }, SAME3(.02774) },
	{ SEQUENTIAL_POCOCK, 0.05, 4, { 15, 20, 25, 30 }, SAME4(.02191) },
	{ SEQUENTIAL_POCOCK, 0.05, 5, { 10, 15, 20, 25, 30 }, SAME5(.01874) },
	{ SEQUENTIAL_POCOCK, 0.05, 3, { 20, 30, 60 }, SAME3(.02194) },
	{ SEQUENTIAL_POCOCK, 0.05, 3, { 25, 50, 100 }, SAME3(.02067) },
	{ SEQUENTIAL_POCOCK, 0.05, 5, { 25, 50, 100, 200, 400 }, SAME5(.01300) },
	{ SEQUENTIAL_POCOCK, 0.01, 3, { 20, 25, 30 }, SAME3(.00501) },
	{ SEQUENTIAL_POCOCK, 0.01, 5, { 10, 15, 20, 25, 30 }, SAME5(.00336) },
	{ SEQUENTIAL_POCOCK, 0.01, 3, { 20, 30, 60 }, SAME3(.00412) },
	{ SEQUENTIAL_POCOCK, 0.01, 3, { 25, 50, 100 }, SAME3(.00404) },
	{ SEQUENTIAL_POCOCK, 0.01, 5, { 25, 50, 100, 200, 400 }, SAME5(.00235) },
	{ SEQUENTIAL_OBRIEN_FLEMING, 0.05, 3, { 20, 25, 30 }, { .01210, .02482, .04049 } },
};

static bool is_for(const struct sequential_plan *plan, enum sequential_kind kind, double alpha,
		   const unsigned *pairs, size_t n_looks)
{
	return plan->kind == kind && fabs(plan->alpha - alpha) < 1e-12 &&
	       plan->n_looks == n_looks &&
	       memcmp(plan->pairs, pairs, n_looks * sizeof(*pairs)) == 0;
}

int sequential_plan_find(enum sequential_kind kind, double alpha, const unsigned *pairs,
			 size_t n_looks, struct sequential_plan *out, struct err *err)
{
	for (size_t i = 0; i < sizeof(plans) / sizeof(plans[0]); i++) {
		if (is_for(&plans[i], kind, alpha, pairs, n_looks)) {
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
