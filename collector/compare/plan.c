#include "collector/compare/plan.h"

#include <string.h>

#include "collector/compare/names.h"
#include "collector/pool/pool.h"
#include "lib/stats/clusters.h"
#include "lib/stats/points.h"

#include "lib/base/banned.h"

#define PLAN_APART (CLUSTERS_LEAST + 2) /* of two layouts each: enough for a variance */

void compare_plan_runs(const struct compare_request *rq, int *out_min, int *out_max)
{
	int fewest = rq->config->runs_min, most = rq->config->runs_max;

	if (rq->quick && most > POINTS_MOST_QUICK)
		most = POINTS_MOST_QUICK;
	*out_max = rq->pairs ? (int)rq->pairs : most;
	*out_min = rq->pairs ? (int)rq->pairs : fewest < most ? fewest : most;
}

uint64_t compare_plan_min_time_ns(const struct compare_request *rq)
{
	uint64_t configured = rq->config->min_time_ns;
	uint64_t most = rq->quick		     ? COMPARE_QUICK_NS
			: rq->config->min_time_given ? configured
						     : COMPARE_RUN_NS;

	return configured < most ? configured : most;
}

int compare_plan_identical(const struct compare_request *rq, const char *tree_id, struct plan *plan,
			   struct err *err)
{
	char id[DIGEST_HEX];
	size_t i;

	if (digest_of(tree_id, strlen(tree_id), id, err))
		return -1;
	for (i = 0; i < rq->config->n_benchmarks; i++) {
		const struct bench_config *config = &rq->config->benchmarks[i];
		struct unit *u;

		if (!plan_concerns(rq->only, config))
			continue;
		u = plan_add(plan, config, NULL, err);
		if (!u)
			return -1;
		u->identical = true;
		if (str_set(&u->head.binary_id, id, err) || str_set(&u->base.binary_id, id, err))
			return -1;
	}
	return compare_check_names(rq, plan, err);
}

/* How many benchmarks are held against their base, which is how many are judged together. */
static size_t n_together(const struct plan *plan)
{
	size_t n = 0, i;

	for (i = 0; i < plan->n; i++)
		n += plan->units[i].has_base && !plan->units[i].failure;
	return n;
}

/*
 * The first lot may take a share of the budget, else of what measuring takes at least: no verdict
 * comes before the first decision point.
 */
static uint64_t allowed_ns(const struct compare_request *rq, size_t together,
			   const struct settings *settings)
{
	uint64_t least = (uint64_t)settings->runs_min * 2 * together * settings->min_time_ns;

	if (rq->budget_ns)
		return rq->budget_ns / POOL_SHARE;
	return least / POOL_SHARE > POOL_LEAST_NS ? least / POOL_SHARE : POOL_LEAST_NS;
}

int compare_plan_layouts(const struct compare_request *rq, const struct plan *plan,
			 const struct settings *settings, struct pool **out, struct err *err)
{
	unsigned points[POINTS_MAX], asked = (unsigned)rq->config->layouts;
	size_t together = n_together(plan), n_points;
	struct pool_terms terms = { .most = LAYOUT_MOST, .seed = settings->seed, .talk = rq->talk };

	*out = NULL;
	if (rq->config->layouts == CONFIG_LAYOUTS_OFF || !together)
		return 0;
	n_points =
		points_between((unsigned)settings->runs_min, (unsigned)settings->runs_max, points);
	terms.apart = rq->layouts_apart;
	terms.first = terms.apart ? PLAN_APART : pool_needed(together, n_points);
	if (rq->config->layouts > 0)
		terms.first = terms.most = terms.apart ? asked / 2 : asked;
	if (terms.first > (unsigned)settings->runs_max)
		terms.first = (unsigned)settings->runs_max;
	terms.allowed_ns = allowed_ns(rq, together, settings);
	terms.has_budget = rq->budget_ns > 0;
	terms.is_asked = rq->config->layouts > 0;
	*out = pool_open(&terms, &pool_maker_links, err);
	return *out ? 0 : -1;
}

int compare_plan_note(const struct pool *pool, struct plan *plan, struct err *err)
{
	size_t i;

	for (i = 0; pool && i < plan->n; i++) {
		struct unit *u = &plan->units[i];

		if (u->has_base && str_set(&u->one_layout, pool_why(pool, &u->head, &u->base), err))
			return -1;
	}
	return 0;
}
