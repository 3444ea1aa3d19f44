#include "collector/compare.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collector/build/sources.h"
#include "collector/build/trees.h"
#include "collector/child/child.h"
#include "collector/child/count.h"
#include "collector/code/cache.h"
#include "collector/code/stage.h"
#include "collector/compare/asked.h"
#include "collector/compare/beside.h"
#include "collector/compare/check.h"
#include "collector/compare/extent.h"
#include "collector/compare/given.h"
#include "collector/compare/inputs.h"
#include "collector/compare/names.h"
#include "collector/compare/opened.h"
#include "collector/compare/outside.h"
#include "collector/compare/plan.h"
#include "collector/compare/side.h"
#include "collector/compare/trial.h"
#include "collector/fill.h"
#include "collector/summary_frame.h"
#include "collector/machine/machine.h"
#include "collector/machine/notice.h"
#include "collector/pool/pool.h"
#include "collector/machine/runlock.h"
#include "collector/plan.h"
#include "collector/run/work_count.h"
#include "collector/schedule/join.h"
#include "collector/schedule/schedule.h"
#include "collector/stopped.h"
#include "collector/tag.h"
#include "lib/base/file.h"
#include "lib/base/when.h"
#include "lib/git/worktree/worktree.h"
#include "lib/process/stop.h"

#include "lib/base/banned.h"

struct comparison {
	const struct compare_request *rq;
	struct compare_side base, head;
	char *cache_dir;
	struct compare_inputs inputs;
	struct process_runner runner;
	struct child_count counters;
	struct stage stage;
	struct pool *pool;    /* of layouts; NULL: none are drawn */
	struct history names; /* what the base has, as if it had been collected */
	int lock_fd;
	uint64_t deadline_ns;  /* of measuring; 0: none */
	struct timespec built; /* CLOCK_REALTIME_COARSE: from then on benchmarks run */
	struct summary *out;
	struct environment_mark mark;
	struct machine_look look;
};

static void comparison_release(struct comparison *c)
{
	compare_side_release(&c->base);
	compare_side_release(&c->head);
	compare_inputs_release(&c->inputs);
	history_release(&c->names);
	stage_close(&c->stage);
	pool_close(c->pool);
	child_count_pause(&c->counters);
	machine_look_release(&c->look);
	free(c->cache_dir);
	file_close(&c->lock_fd);
}

/* ---- what is compared ----------------------------------------------------------------- */

/* Whether both sides are commands: no commit has a part in them. */
static bool is_of_commands(const struct comparison *c)
{
	return c->rq->head_way.command != NULL;
}

/* One command, with which nothing is compared. */
static bool is_alone(const struct comparison *c)
{
	return is_of_commands(c) && !c->rq->base_way.command;
}

static int find_sides(struct comparison *c, struct err *err)
{
	const struct compare_request *rq = c->rq;

	if (is_alone(c))
		return compare_side_find(rq, NULL, &c->head, err);
	if (compare_side_find(rq, rq->base, &c->base, err) ||
	    compare_side_find(rq, rq->working_tree ? "HEAD" : rq->head, &c->head, err))
		return -1;
	if (rq->working_tree && worktree_id(rq->repo, c->head.tree_id, err))
		return -1;
	compare_side_tell_same(rq, &c->base, &c->head);
	return compare_side_submodules(rq, &c->base, &c->head, err);
}

static int name_sides(const struct comparison *c, struct summary *out, struct err *err)
{
	struct buf base = BUF_INIT, head = BUF_INIT;
	int result;

	if (!compare_ways_are_given(&c->rq->base_way, &c->rq->head_way) || is_alone(c))
		return 0;
	compare_side_name(c->rq, &c->base, &c->head, &base);
	compare_side_name(c->rq, &c->head, &c->base, &head);
	result = buf_check(&base, err) || buf_check(&head, err) ||
				 str_set(&out->sides.base, buf_str(&base), err) ||
				 str_set(&out->sides.head, buf_str(&head), err)
			 ? -1
			 : 0;
	buf_release(&base);
	buf_release(&head);
	return result;
}

/* The branch and the dirty mark are of the commit that is compared, not of what is checked out. */
static int tag_head(const struct comparison *c, struct summary *out, struct err *err)
{
	out->settings.budget_ns = c->rq->budget_ns;
	out->settings.measured_identical = c->rq->measure_identical;
	if (is_of_commands(c))
		return 0;
	out->commit.dirty =
		c->rq->working_tree && strcmp(c->head.tree_id, c->head.commit.tree) != 0;
	return tag_named_branch(c->rq->repo, c->rq->head, c->rq->branch, out, err);
}

/* Others may build meanwhile, and wait for their turn to measure as we do. */
static int begin_measuring(struct comparison *c, struct err *err)
{
	uint64_t budget = c->rq->budget_ns, start = when_monotonic_ns();
	uint64_t most = c->rq->waiting_counts ? budget : runlock_most_ns(c->rq->wait_ns, budget);

	if (runlock_take(c->rq->talk, most, &c->lock_fd, err))
		return -1;
	if (!c->rq->waiting_counts)
		start = when_monotonic_ns();
	c->deadline_ns = budget ? start + budget : 0;
	c->out->started_us = when_now_us();
	environment_begin(&c->out->environment, &c->mark);
	machine_look_begin(&c->look);
	return 0;
}

/* ---- building and planning ------------------------------------------------------------ */

static int plan_commits(struct comparison *c, struct err *err)
{
	const char *base = c->base.tree.path, *head = c->head.tree.path;
	const struct compare_built built = { base, head, c->head.commit.id };
	bool same_runs = compare_way_same_runs(&c->rq->base_way, &c->rq->head_way);
	const uint64_t *seed = c->deadline_ns ? &c->out->settings.seed : NULL;
	const struct plan_request all = { .config = &c->inputs.config,
					  .only = c->rq->only,
					  .seed = seed };
	struct plan *plan = &c->head.plan;
	uint64_t quarter = c->rq->budget_ns / 4, end = c->deadline_ns;

	/* Both together may take half of a budget; of what the base left out the head has none. */
	if (end)
		c->base.until_ns = end - 3 * quarter;
	c->base.seed = c->head.seed = seed;
	if (compare_inputs_take(c->rq, &built, &c->inputs, err) ||
	    compare_side_plan(c->rq, &c->runner, &c->inputs.config, c->cache_dir, &c->base, err))
		return -1;
	c->head.most = c->base.plan.n_looked;
	if (compare_side_plan(c->rq, &c->runner, &c->inputs.config, c->cache_dir, &c->head, err) ||
	    compare_trial(&c->runner, end ? end - 2 * quarter : 0, &c->base.plan, plan, err) ||
	    compare_names_of(c->rq, c->base.commit.id, &c->base.plan, &c->names, err) ||
	    join_plans(plan, &c->base.plan, c->rq->measure_identical || !same_runs, err) ||
	    plan_rest(&all, plan, err) || compare_inputs_tell(c->rq, &built, plan, err) ||
	    compare_check_names(c->rq, plan, err))
		return -1;
	if (c->rq->measure_identical || !same_runs)
		return 0;
	return compare_refuse_outside(&c->runner, end ? end - quarter : 0, plan, base, head, err) ||
			       compare_refuse_overwritten(plan, err)
		       ? -1
		       : 0;
}

static int plan_both(struct comparison *c, struct err *err)
{
	if (!is_of_commands(c))
		return plan_commits(c, err);
	if (is_alone(c))
		return compare_side_plan(c->rq, &c->runner, c->rq->config, c->cache_dir, &c->head,
					 err);
	if (compare_side_plan(c->rq, &c->runner, c->rq->config, c->cache_dir, &c->base, err) ||
	    compare_side_plan(c->rq, &c->runner, c->rq->config, c->cache_dir, &c->head, err) ||
	    compare_names_of(c->rq, c->base.commit.id, &c->base.plan, &c->names, err))
		return -1;
	return compare_given_join(c->rq, &c->head.plan, &c->base.plan, err) ||
			       compare_check_names(c->rq, &c->head.plan, err)
		       ? -1
		       : 0;
}

/* The units of both commits; where a side does not build, the benchmarks failed. */
static int make_units(struct comparison *c, struct err *err)
{
	struct err base_why = ERR_INIT, head_why = ERR_INIT;

	if (is_of_commands(c))
		return begin_measuring(c, err) || plan_both(c, err) ? -1 : 0;
	if (compare_side_build(c->rq, &c->base, false, &base_why, err) ||
	    compare_side_build(c->rq, &c->head, false, &head_why, err))
		return -1;
	if (!head_why.code && !base_why.code &&
	    (begin_measuring(c, err) || compare_side_build(c->rq, &c->base, true, &base_why, err) ||
	     compare_side_build(c->rq, &c->head, true, &head_why, err)))
		return -1;
	if ((base_why.code && str_set(&c->out->unbuilt.base, c->base.commit.id, err)) ||
	    (head_why.code && str_set(&c->out->unbuilt.head, c->head.commit.id, err)))
		return -1;
	if (head_why.code && base_why.code)
		talk_warn(c->rq->talk, base_why.hint[0] ? base_why.hint : NULL, "%s",
			  base_why.text);
	if (head_why.code || base_why.code)
		return plan_fail(c->rq->config, head_why.code ? &head_why : &base_why,
				 &c->head.plan, err);
	clock_gettime(CLOCK_REALTIME_COARSE, &c->built);
	return plan_both(c, err);
}

/* ---- measuring ------------------------------------------------------------------------ */

static int measure(struct comparison *c, struct summary *s, struct err *err)
{
	struct runner runner = process_runner_sharing(&c->runner);
	int result;
	struct schedule schedule = { .runs_min = s->settings.runs_min,
				     .runs_max = s->settings.runs_max,
				     .runs_asked = c->rq->pairs || c->rq->config->runs_given,
				     .seed = s->settings.seed,
				     .talk = c->rq->talk,
				     .known = c->rq->known,
				     .comparisons = c->rq->comparisons,
				     .shows_only = is_alone(c),
				     .deadline_ns = c->deadline_ns };

	stage_begin(c->rq->state_dir, s->settings.seed, c->rq->talk, &c->stage);
	c->runner.stage = &c->stage;
	schedule.layouts = c->pool ? LAYOUT_MOST : 0;
	result = schedule_run(c->head.plan.units, c->head.plan.n, &schedule, &runner, err);
	if (result && c->rq->keeps_stopped)
		result = stopped_end(&c->head.plan, c->rq->talk, s, err);
	if (!result)
		result = compare_plan_note(c->pool, &c->head.plan, err);
	stage_tell(&c->stage, c->rq->talk);
	process_runner_end(&c->runner);
	file_close(&c->lock_fd);
	s->finished_us = when_now_us();
	return result;
}

/* After the timing, so that it disturbs nothing. */
static int count_work(struct comparison *c, struct err *err)
{
	return work_count_all(&c->runner, &c->head.plan,
			      c->stage.dir ? c->stage.dir : c->rq->state_dir, c->rq->talk, err);
}

/* Before a processor is picked: where nothing is left to measure, none is needed. */
static int find_unexecuted(struct comparison *c, struct err *err)
{
	uint64_t share = c->rq->budget_ns / EXTENT_SHARE;
	const struct extent_request rq = { .runner = &c->runner,
					   .machine = &c->out->machine,
					   .until_ns = share ? when_monotonic_ns() + share : 0,
					   .since = c->built,
					   .measure_identical = c->rq->measure_identical,
					   .explain = c->rq->explain,
					   .talk = c->rq->talk };
	const struct beside_request where = { rq.runner, rq.until_ns, rq.talk };

	return (is_of_commands(c) ? compare_asked : compare_opened)(&rq, &c->head.plan, err) ||
			       compare_beside(&where, &c->head.plan, err) ||
			       compare_extent(&rq, &c->head.plan, err)
		       ? -1
		       : 0;
}

static int run_units(struct comparison *c, struct summary *out, struct err *err)
{
	struct strv *kept = &c->head.plan.kept;

	child_count_init(&pawl_counter_system, &c->counters);
	c->runner = (struct process_runner){ .cpu = -1,
					     .min_time_ns = out->settings.min_time_ns,
					     .most_ns = runner_most_ns(c->rq->budget_ns),
					     .fits = true,
					     .epoch_ns = when_monotonic_ns(),
					     .counters = &c->counters };
	if (make_units(c, err))
		return -1;
	if (c->base.plan.kept.n && strv_add_all(kept, c->base.plan.kept.v, err))
		return -1;
	cache_trim(c->cache_dir, c->rq->config->cache_bytes, kept, NULL);
	if (!is_of_commands(c))
		trees_trim(c->rq->state_dir, c->rq->repo, c->rq->config->cache_bytes, NULL);
	c->runner.top = c->head.dir ? c->head.dir : "/";
	if (find_unexecuted(c, err))
		return -1;
	/* Looking for one takes longer than to say that all is identical. */
	if (schedule_has_work(c->head.plan.units, c->head.plan.n))
		c->runner.cpu = machine_pick_cpu(&c->look);
	else
		file_close(&c->lock_fd);
	if (compare_plan_layouts(c->rq, &c->head.plan, &out->settings, &c->pool, err))
		return -1;
	c->runner.pool = c->pool;
	if (measure(c, out, err) || (c->rq->count_work && !stop_signal && count_work(c, err)))
		return -1;
	if (is_of_commands(c) || stop_signal)
		return 0;
	return compare_tell_untracked(c->rq, c->base.tree.path, c->head.tree.path, &c->head.plan,
				      err);
}

static int run(struct comparison *c, struct summary *out, struct err *err)
{
	bool same = false, of_commands = is_of_commands(c);

	c->out = out;
	if (find_sides(c, err) ||
	    summary_frame_begin(c->rq->repo, c->rq->config, of_commands ? NULL : &c->head.commit,
				c->rq->partial, c->head.submodules, out, err) ||
	    tag_head(c, out, err) || name_sides(c, out, err) ||
	    (!compare_ways_are_given(&c->rq->base_way, &c->rq->head_way) &&
	     sources_are_same(c->rq->repo, c->rq->config, c->base.tree_id, c->head.tree_id,
			      c->rq->talk, &same, err)))
		return -1;
	same = same && !c->rq->measure_identical && !c->rq->build_anyway;
	compare_plan_runs(c->rq, &out->settings.runs_min, &out->settings.runs_max);
	out->settings.min_time_ns = compare_plan_min_time_ns(c->rq);
	out->started_us = when_now_us();
	environment_begin(&out->environment, &c->mark);
	if (same) {
		if (compare_plan_identical(c->rq, c->base.tree_id, &c->head.plan, err) ||
		    compare_names_of(c->rq, c->base.commit.id, &c->head.plan, &c->names, err))
			return -1;
		out->finished_us = when_now_us();
	} else if (run_units(c, out, err)) {
		return -1;
	}
	notice_runs(&c->head.plan, true, c->rq->talk);
	if (fill_summary(&c->head.plan, &c->names, out, err) ||
	    summary_frame_baseline(&c->names, out, err) ||
	    (of_commands && out->baseline.how && str_set(&out->baseline.how, "given", err)) ||
	    (same &&
	     str_set(&out->baseline.why, "the sources are the same: nothing was built", err)) ||
	    environment_end(&out->environment, &c->mark, &out->machine,
			    schedule_has_figures(c->head.plan.units, c->head.plan.n), err))
		return -1;
	if (c->rq->known)
		calibrations_apply(c->rq->known, out);
	if (c->head.is_configured_anew &&
	    !compare_ways_are_given(&c->rq->base_way, &c->rq->head_way) &&
	    sources_warn_build(c->rq->repo, c->base.commit.id, c->head.commit.id,
			       &out->environment.warnings, err))
		return -1;
	return notice_switches(&c->head.plan, &out->environment, err);
}

int compare(const struct compare_request *rq, struct summary *out, struct err *err)
{
	struct comparison c;
	int result = -1;

	memset(&c, 0, sizeof(c));
	c.rq = rq;
	c.lock_fd = -1;
	c.stage = (struct stage)STAGE_INIT;
	c.inputs = (struct compare_inputs)COMPARE_INPUTS_INIT;
	c.look = (struct machine_look)MACHINE_LOOK_INIT;
	compare_side_init("base", &rq->base_way, &c.base);
	compare_side_init("head", &rq->head_way, &c.head);
	summary_init(out);
	child_adopt_orphans();
	if (compare_check(rq, err))
		goto out;
	c.cache_dir = path_join(rq->state_dir, "cache", err);
	result = c.cache_dir ? run(&c, out, err) : -1;
	out->settings.lacks_parts = c.base.tree.lacks_parts || c.head.tree.lacks_parts;
out:
	comparison_release(&c);
	if (result)
		summary_release(out);
	return result;
}
