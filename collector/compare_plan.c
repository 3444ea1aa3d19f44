#include "collector/compare_plan.h"

#include <stdlib.h>
#include <string.h>

#include "lib/stats/sequential.h"

#include "lib/base/banned.h"

static const unsigned looks_libpawl[] = { 20, 25, 30 };
static const unsigned looks_command[] = { 25, 50, 100 };
static const unsigned looks_quick[] = { 10, 15, 20, 25, 30 };
static const unsigned looks_long[] = { 25, 50, 100, 200, 400 };

struct schedule_of_looks {
	const unsigned *pairs;
	size_t n;
};

#define LOOKS(name) \
	(struct schedule_of_looks) \
	{ \
		name, sizeof(name) / sizeof(name[0]) \
	}

static struct schedule_of_looks looks_of(const struct compare_request *rq, enum bench_format format)
{
	if (rq->depth == COMPARE_QUICK)
		return LOOKS(looks_quick);
	if (rq->depth == COMPARE_UNTIL_DECIDED)
		return LOOKS(looks_long);
	return format == FORMAT_PAWL ? LOOKS(looks_libpawl) : LOOKS(looks_command);
}

/* The configured number of runs is kept to, and the default one when nothing else is asked. */
static bool keeps_to_runs(const struct compare_request *rq)
{
	return rq->pairs || (rq->config->runs_given && rq->depth == COMPARE_NORMAL);
}

void compare_plan_runs(const struct compare_request *rq, int *out_min, int *out_max)
{
	struct schedule_of_looks libpawl = looks_of(rq, FORMAT_PAWL);
	struct schedule_of_looks command = looks_of(rq, FORMAT_COMMAND);
	unsigned last = command.pairs[command.n - 1];

	*out_min = rq->pairs ? (int)rq->pairs : rq->config->runs_min;
	*out_max = rq->pairs ? (int)rq->pairs : rq->config->runs_max;
	if (keeps_to_runs(rq))
		return;
	*out_min = (int)(libpawl.pairs[0] < command.pairs[0] ? libpawl.pairs[0] : command.pairs[0]);
	if (libpawl.pairs[libpawl.n - 1] > last)
		last = libpawl.pairs[libpawl.n - 1];
	*out_max = (int)last;
}

uint64_t compare_plan_min_time_ns(const struct compare_request *rq)
{
	uint64_t configured = rq->config->min_time_ns;
	uint64_t most = rq->depth == COMPARE_QUICK   ? COMPARE_QUICK_NS
			: rq->config->min_time_given ? configured
						     : COMPARE_RUN_NS;

	return configured < most ? configured : most;
}

static int set_looks(struct unit *u, struct schedule_of_looks at, double alpha, struct err *err)
{
	struct sequential_plan plan;
	size_t i;

	if (sequential_plan_find(alpha, at.pairs, at.n, &plan, err))
		return -1;
	u->looks.n = plan.n_looks;
	u->looks.level = plan.level;
	for (i = 0; i < plan.n_looks; i++)
		u->looks.pairs[i] = plan.pairs[i];
	return 0;
}

/* Looks at the fewest, the middle and the most configured runs, where such a plan is known. */
static void set_looks_of_runs(const struct config *config, struct unit *u, double alpha)
{
	unsigned few = (unsigned)config->runs_min, many = (unsigned)config->runs_max;
	unsigned pairs[3] = { few, (few + many) / 2, many };

	if (few < many)
		set_looks(u, (struct schedule_of_looks){ pairs, 3 }, alpha, NULL);
}

int compare_plan_looks(const struct compare_request *rq, struct plan *plan, struct err *err)
{
	double alpha = 1 - rq->config->confidence;
	size_t i;

	for (i = 0; i < plan->n; i++) {
		struct unit *u = &plan->units[i];

		if (!u->has_base || rq->pairs)
			continue;
		if (keeps_to_runs(rq))
			set_looks_of_runs(rq->config, u, alpha);
		else if (set_looks(u, looks_of(rq, u->format), alpha, NULL)) {
			err_set(err, ERR_CONFIG, "no comparison is planned for a confidence of %g",
				rq->config->confidence);
			return err_hint(err, "use 0.95 or 0.99, or --pairs");
		} else if (rq->depth != COMPARE_UNTIL_DECIDED && !rq->asks_again) {
			u->confirm_at = UNIT_CONFIRMS * u->looks.pairs[u->looks.n - 1];
		}
	}
	return 0;
}
