/* SPDX-License-Identifier: MIT */
#include "harness/engine/count.h"

#include "harness/counter/passes.h"
#include "harness/engine/run.h"
#include "harness/engine/team.h"

struct counted {
	const struct count_how *how;
	const struct pawl_bench *bench;
	uint64_t n;
};

/* Whether the calls that were timed and the one that was counted differ in pawl_start(). */
static bool is_mixed(const struct counted *c, const struct pawl_run *r)
{
	bool by_hand = c->how->timed == TIMED_BY_HAND;
	if (pawl_run_is_mixed(r))
		return true;
	return c->how->timed != TIMED_UNKNOWN && !r->failed && r->region.started != by_hand;
}

/* Runs the operations between two readings.  Returns what keeps them from counting, or NULL. */
static const char *run_counted(const struct counted *c, struct counter_group *g, struct pawl_run *r)
{
	struct team *team;
	if (pawl_team_open(&team, NULL, c->bench))
		return "its threads could not be started again";
	/* A benchmark with manual timing overwrites what is begun here, and says so. */
	pawl_group_begin(g);
	if (team)
		pawl_team_chunk(team, c->n, r, NULL);
	else
		c->bench->run(c->bench->ctx, c->n, r);
	if (team || !r->region.manual || r->region.open)
		pawl_group_end(g);
	r->region.pairs += r->region.open;
	if (!team)
		pawl_run_end(r);
	pawl_team_close(team);
	if (is_mixed(c, r))
		return RUN_MIXED;
	if (team && r->region.manual)
		return "threads that time by hand cannot be counted";
	if (pawl_run_is_spoiled(r, c->n))
		return "operations failed while it was counted";
	return NULL;
}

/* Over one call of run with n iterations; fewer where some of them failed. */
static const char *work(void *arg, struct counter_group *g, uint64_t *out_n)
{
	const struct counted *c = arg;
	struct pawl_run r;
	const char *fault;
	pawl_run_init(&r, c->bench, 0);
	r.group = g;
	fault = run_counted(c, g, &r);
	*out_n = c->n - r.thrown;
	return fault;
}

void pawl_count_bench(const struct counter_calls *calls, const struct count_how *how,
		      const struct pawl_bench *bench, uint64_t n, struct counter *out)
{
	struct counted c = { how, bench, n };
	const struct counter_how opened = { .inherit = how->inherit,
					    .self = how->self,
					    .memory = how->memory };
	const struct counter_work counted = { work, &c };
	pawl_counters_measure(calls, &opened, &counted, out);
}
