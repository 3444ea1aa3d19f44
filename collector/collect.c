#include "collector/collect.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/anchors.h"
#include "collector/baseline.h"
#include "collector/build/build.h"
#include "collector/build/sources.h"
#include "collector/build/submodules.h"
#include "collector/build/trees.h"
#include "collector/child/child.h"
#include "collector/child/count.h"
#include "collector/code/cache.h"
#include "collector/compare/beside.h"
#include "collector/edits.h"
#include "collector/fill.h"
#include "collector/summary_frame.h"
#include "collector/machine/machine.h"
#include "collector/machine/notice.h"
#include "collector/machine/runlock.h"
#include "collector/plan.h"
#include "collector/run/shared.h"
#include "collector/schedule/schedule.h"
#include "collector/schedule/shard.h"
#include "collector/stopped.h"
#include "collector/unconfigured.h"
#include "lib/base/file.h"
#include "lib/base/when.h"
#include "lib/stats/verdict.h"

#include "lib/base/banned.h"

/* What one collection works with. */
struct work {
	const struct collect_request *rq;
	struct git_commit commit;
	char *cache_dir, *log_path;
	struct process_runner runner;
	struct machine_look look;
	struct child_count counters;
	struct plan plan;
	struct anchors anchors;
	struct stage stage;
	int lock_fd;
	uint64_t deadline_ns; /* of measuring; 0: none */
};

static void work_release(struct work *w)
{
	git_commit_release(&w->commit);
	free(w->cache_dir);
	free(w->log_path);
	plan_release(&w->plan);
	anchors_release(&w->anchors);
	stage_close(&w->stage);
	machine_look_release(&w->look);
	child_count_pause(&w->counters);
	if (w->lock_fd >= 0)
		close(w->lock_fd);
}

/* <state>/cache and <state>/log/build.log, the folders made. */
static int set_paths(struct work *w, struct err *err)
{
	struct buf path = BUF_INIT;
	int result = -1;

	if (!w->rq->state_dir)
		return 0;
	buf_addf(&path, "%s/log", w->rq->state_dir);
	if (buf_check(&path, err) || file_make_dirs(buf_str(&path), 0700, err))
		goto out;
	buf_adds(&path, "/build.log");
	w->log_path = buf_detach(&path);
	buf_addf(&path, "%s/cache", w->rq->state_dir);
	w->cache_dir = buf_detach(&path);
	result = w->log_path && w->cache_dir ? 0 : err_nomem(err);
out:
	buf_release(&path);
	return result;
}

static const char *top_of(const struct collect_request *rq)
{
	return repo_top(rq->repo) ? repo_top(rq->repo) : repo_git_dir(rq->repo);
}

/* A build that fails is a result: every benchmark failed, and later commits can see it. */
static int build(struct work *w, bool *out_built, struct err *err)
{
	const struct config *c = w->rq->config;
	struct err fault = ERR_INIT;

	*out_built = !w->rq->build || !c->build ||
		     !build_run(c->build, top_of(w->rq), w->log_path ? w->log_path : "/dev/null",
				c->build_timeout_ns, w->rq->talk, &fault);
	if (*out_built)
		return 0;
	if (fault.code == ERR_CHILD || fault.code == ERR_TIMEOUT)
		return plan_fail(c, &fault, &w->plan, err);
	*err = fault;
	return -1;
}

/* Runs so short that they share processes last what is asked for, and not up to twice that. */
static struct process_runner make_runner(struct work *w, uint64_t min_time_ns)
{
	return (struct process_runner){ .top = top_of(w->rq),
					.cpu = -1,
					.min_time_ns = min_time_ns,
					.fits = shared_most((double)min_time_ns) > 1,
					.epoch_ns = when_monotonic_ns(),
					.counters = &w->counters };
}

/* Without a stage everything runs from the cache, in one placing for all runs. */
static int measure(struct work *w, struct summary *out, struct err *err)
{
	uint64_t seed = out->settings.seed;
	const struct config *c = w->rq->config;
	struct both_runners both = { .anchors = &w->anchors };
	struct runner runner = both_runner(&both);
	struct schedule s = { .runs_min = c->runs_min,
			      .runs_max = c->runs_max,
			      .runs_asked = c->runs_given,
			      .seed = seed,
			      .known = w->rq->known,
			      .deadline_ns = w->deadline_ns,
			      .talk = w->rq->talk };
	int result;

	if (anchors_make(&w->anchors, w->cache_dir, err))
		return -1;
	both.units = process_runner_sharing(&w->runner);
	stage_begin(w->rq->state_dir, seed, w->rq->talk, &w->stage);
	w->runner.stage = &w->stage;
	if (schedule_has_work(w->plan.units, w->plan.n))
		w->runner.cpu = w->anchors.runner.cpu = machine_pick_cpu(&w->look);
	s.anchors = w->anchors.n ? w->anchors.v : NULL;
	result = schedule_run(w->plan.units, w->plan.n, &s, &runner, err);
	if (result)
		result = stopped_end(&w->plan, w->rq->talk, out, err);
	stage_tell(&w->stage, w->rq->talk);
	process_runner_end(&w->runner);
	return result;
}

static int find_history(const struct work *w, const struct summary *s, struct history *out,
			char **out_why, struct err *err)
{
	if (!w->rq->store)
		return str_set(out_why, "there is no store of earlier results", err);
	return baseline_find(&(struct baseline_request){ .repo = w->rq->repo,
							 .store = w->rq->store,
							 .project = s->project,
							 .machine = s->machine.id,
							 .commit = &w->commit,
							 .dirty = s->commit.dirty,
							 .max = COLLECT_HISTORY },
			     out, out_why, err);
}

static int make_plan(struct work *w, const struct history *history, const uint64_t *seed,
		     struct err *err)
{
	const struct config *c = w->rq->config;
	char way[TREES_KEY];
	const struct plan_request plan = {
		.config = c,
		.runner = &w->runner,
		.top = top_of(w->rq),
		.cache_dir = w->cache_dir,
		.history = history,
		.way = w->rq->build && c->build ? way : NULL,
		.talk = w->rq->talk,
		.until_ns = w->deadline_ns ? w->deadline_ns - w->rq->budget_ns / 2 : 0,
		.seed = w->deadline_ns ? seed : NULL
	};

	if ((plan.way && sources_way(w->rq->repo, w->rq->state_dir, c->build, way, err)) ||
	    plan_make(&plan, &w->plan, err) || plan_rest(&plan, &w->plan, err))
		return -1;
	if (w->cache_dir)
		cache_trim(w->cache_dir, c->cache_bytes, &w->plan.kept, NULL);
	return 0;
}

/* Of several jobs that measure one suite, each keeps its part of what it planned. */
static int take_part(struct work *w, struct summary *out, struct err *err)
{
	const struct shard *asked = w->rq->shard;
	struct shard *told = &out->settings.shard;
	struct shard_split split = SHARD_SPLIT_INIT;
	int result = -1;

	if (!asked)
		return 0;
	told->index = asked->index;
	told->count = asked->count;
	told->n_all = (int)w->plan.n;
	if (shard_find(w->rq->repo, w->rq->store, out->project, w->commit.id, asked->count, &split,
		       err) ||
	    shard_keep(&split, asked->index, &w->plan, err) ||
	    str_set(&told->group, asked->group, err) ||
	    str_set(&told->split, *split.id ? split.id : NULL, err))
		goto out;
	talk_note(w->rq->talk, "part %d of %d: %zu of %d benchmarks, dealt out by %s", told->index,
		  told->count, w->plan.n, told->n_all,
		  split.n ? "the times of earlier commits" : "name");
	result = 0;
out:
	shard_split_release(&split);
	return result;
}

/* What looks for files beside itself runs where it was built. */
static int find_beside(struct work *w, struct err *err)
{
	const struct beside_request rq = { &w->runner, w->deadline_ns, w->rq->talk };

	return compare_beside(&rq, &w->plan, err);
}

static int run(struct work *w, struct summary *out, struct history *history, struct err *err)
{
	const struct collect_request *rq = w->rq;
	struct environment_mark mark;
	struct edits edits;
	bool built;

	if (repo_commit(rq->repo, "HEAD", &w->commit, err) || set_paths(w, err) ||
	    summary_frame_begin(rq->repo, rq->config, &w->commit, rq->partial || rq->shard,
				submodules_are_here(rq->repo), out, err) ||
	    submodules_work_is_dirty(rq->repo, &out->commit.dirty, err) ||
	    find_history(w, out, history, &out->baseline.why, err) || build(w, &built, err))
		return -1;
	edits = (struct edits){ rq->repo,     rq->config, rq->state_dir,
				w->commit.id, rq->talk,	  rq->build && rq->config->build,
				false };
	if (edits_after_build(&edits, out, err) ||
	    runlock_take(rq->talk, runlock_most_ns(rq->wait_ns, rq->budget_ns), &w->lock_fd, err))
		return -1;
	w->deadline_ns = rq->budget_ns ? when_monotonic_ns() + rq->budget_ns : 0;
	out->started_us = when_now_us();
	out->settings.budget_ns = rq->budget_ns;
	environment_begin(&out->environment, &mark);
	machine_look_begin(&w->look);
	child_count_init(&pawl_counter_system, &w->counters);
	w->runner = make_runner(w, rq->config->min_time_ns);
	anchors_run_as(&w->anchors, &w->runner);
	w->runner.most_ns = runner_most_ns(rq->budget_ns);
	if ((built && make_plan(w, history, &out->settings.seed, err)) || take_part(w, out, err) ||
	    (built && (find_beside(w, err) || measure(w, out, err))))
		return -1;
	file_close(&w->lock_fd);
	out->finished_us = when_now_us();
	notice_runs(&w->plan, false, rq->talk);
	if (fill_summary(&w->plan, history, out, err) ||
	    summary_frame_baseline(history, out, err) || edits_after_runs(&edits, out, err) ||
	    anchors_note(&w->anchors, &out->machine, err) ||
	    environment_end(&out->environment, &mark, &out->machine,
			    schedule_has_figures(w->plan.units, w->plan.n), err))
		return -1;
	if (!edits.built && !rq->built && !out->commit.dirty &&
	    notice_age(rq->repo, w->commit.id, top_of(rq), rq->config, &out->environment, err))
		return -1;
	if (rq->known)
		calibrations_apply(rq->known, out);
	return notice_switches(&w->plan, &out->environment, err);
}

int collect(const struct collect_request *rq, struct summary *out, struct history *out_history,
	    struct err *err)
{
	struct work w;
	int result;

	memset(&w, 0, sizeof(w));
	w.rq = rq;
	w.lock_fd = -1;
	w.stage = (struct stage)STAGE_INIT;
	w.look = (struct machine_look)MACHINE_LOOK_INIT;
	summary_init(out);
	*out_history = (struct history)HISTORY_INIT;
	if (!rq->config->n_benchmarks)
		return unconfigured(rq->repo, "name a command: 'pawl collect -- COMMAND'", err);
	child_adopt_orphans();
	result = run(&w, out, out_history, err);
	work_release(&w);
	if (result) {
		summary_release(out);
		history_release(out_history);
	}
	return result;
}
