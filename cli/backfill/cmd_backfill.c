#include <string.h>

#include "cli/backfill/measure.h"
#include "cli/backfill/parts.h"
#include "cli/backfill/plan.h"
#include "cli/measure/calibration.h"
#include "cli/range.h"
#include "collector/build/submodules.h"
#include "collector/unconfigured.h"
#include "lib/base/file.h"
#include "lib/base/number.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

/* ---- which commits --------------------------------------------------------------------- */

static int choose(struct backfill_work *w, const struct range *range, struct err *err)
{
	const struct options *o = w->o;
	uint64_t points = 0;

	if (o->points && o->tags)
		return err_set(err, ERR_USAGE, "--points and --tags exclude each other");
	if (o->points && (!number_u64(o->points, &points) || points < 2 || points > BACKFILL_MOST))
		return err_set(err, ERR_USAGE, "--points takes a number from 2 to %d, not '%s'",
			       BACKFILL_MOST, o->points);
	if (backfill_line(w->c->repo, range->from, range->to, &w->ids, err) ||
	    (o->tags && backfill_keep_tags(w->c->repo, &w->ids, err)) ||
	    (o->points && backfill_keep_some(&w->ids, (size_t)points, err)))
		return -1;
	if (w->ids.n < 2) {
		err_set(err, ERR_USAGE, "there is no commit between '%s' and '%s'", range->from,
			range->to);
		return err_hint(err, "the older one comes first: pawl backfill v1.0..HEAD");
	}
	return 0;
}

static int check(const struct options *o, const struct context *c, struct err *err)
{
	bool is_part = o->part != NULL, is_plan = backfill_is_plan(o);

	if (is_part && (o->args.n || o->points || o->tags || is_plan))
		return err_set(err, ERR_USAGE, "--part names its commits: it takes no range");
	if (!is_part && o->args.n != 1) {
		err_set(err, ERR_USAGE, "'pawl backfill' takes one range, A..B");
		return err_hint(err, "for example: pawl backfill v1.0..HEAD --points 50");
	}
	if (o->parts_dir && !is_part && !is_plan)
		return err_set(err, ERR_USAGE,
			       "--files is for --part, --join, --matrix and --slurm");
	if ((o->constraint || o->sbatch) && !o->slurm)
		return err_set(err, ERR_USAGE, "--constraint and --sbatch are for --slurm");
	if (c->config.n_benchmarks)
		return 0;
	return unconfigured(c->repo, "name a command: 'pawl backfill A..B -- COMMAND'", err);
}

/* ---- the ways of measuring ------------------------------------------------------------------ */

static int start(struct backfill_work *w, struct err *err)
{
	uint64_t budget_ns = 0;

	if (options_budget(w->o, &budget_ns, err))
		return -1;
	if (accepted_load(w->c->repo, &w->accepted, err))
		return -1;
	calibration_open(w->c, &w->machine);
	w->deadline_ns = budget_ns ? when_monotonic_ns() + budget_ns : 0;
	return 0;
}

/* What measure_range() and measure_part() return: EXIT_FAILED where no two could be compared. */
static int status_of(const struct backfill_work *w, bool done)
{
	size_t widest;

	return done && !gaps_count(&w->gaps, &widest) ? EXIT_FAILED : EXIT_OK;
}

static int measure_range(struct backfill_work *w, struct err *err)
{
	bool done = false;
	size_t n;

	if (backfill_known_load(w->store, w->c->project, NULL, &w->ids, &w->asked, &w->known, err))
		return -1;
	n = backfill_known_otherwise(&w->known);
	if (n)
		talk_note(w->c->talk,
			  "%zu result%s of another build, or another command: measured again", n,
			  n == 1 ? " is" : "s are");
	if (w->o->again)
		backfill_failed_reset(&w->ids, &w->known.failed);
	if (gaps_init(w->ids.n, &w->gaps, err) || start(w, err) ||
	    backfill_measure(w, &done, err) || backfill_answer(w, done, err))
		return -1;
	return status_of(w, done);
}

/* Once for all commits of a call, for pairs with and without them do not fit together. */
static int decide(struct backfill_work *w, bool *submodules, struct err *err)
{
	const struct submodules_request modules = { w->c->repo, &w->c->config, w->c->talk };

	return submodules_of_range(&modules, w->ids.v[0], w->ids.v[w->ids.n - 1], submodules, err);
}

static int decide_range(struct backfill_work *w, struct err *err)
{
	bool submodules = w->o->submodules;

	return decide(w, &submodules, err) || backfill_ask(w->o, w->c, submodules, &w->asked, err)
		       ? -1
		       : 0;
}

/* Of a part: what it says, else whether one of its chains needs them.  *at: its first chain. */
static int decide_part(struct backfill_work *w, const char **at, struct err *err)
{
	bool submodules = backfill_part_submodules(at) || w->o->submodules;
	const char *p = *at;

	do {
		strv_release(&w->ids);
		if (backfill_part_chain(w->c->repo, &p, &w->ids, err) ||
		    decide(w, &submodules, err))
			return -1;
	} while (*p);
	return backfill_ask(w->o, w->c, submodules, &w->asked, err);
}

/* The chains of a part, each as a line of neighbours. */
static int measure_part(struct backfill_work *w, struct err *err)
{
	struct buf dir = BUF_INIT;
	const char *at = w->o->part;
	int result = -1, status = EXIT_FAILED;
	bool done = true;

	if (decide_part(w, &at, err) || start(w, err) ||
	    (w->o->parts_dir &&
	     (backfill_folder(w->o, w->c, &dir, err) || file_make_dirs(buf_str(&dir), 0755, err))))
		goto out;
	w->files = w->o->parts_dir ? buf_str(&dir) : NULL;
	while (*at && done) {
		strv_release(&w->ids);
		gaps_release(&w->gaps);
		w->n_measured = w->n_dropped = 0;
		if (backfill_part_chain(w->c->repo, &at, &w->ids, err) ||
		    gaps_init_all(w->ids.n, &w->gaps, err) || backfill_measure(w, &done, err) ||
		    backfill_answer(w, done, err))
			goto out;
		if (status_of(w, done) == EXIT_OK)
			status = EXIT_OK;
	}
	result = status;
out:
	buf_release(&dir);
	return result;
}

static int measure_elsewhere(struct backfill_work *w, struct err *err)
{
	size_t left = 0;

	if (backfill_plan(w, &left, err))
		return -1;
	return w->o->join && left ? EXIT_FAILED : EXIT_OK;
}

static int backfill(const struct options *o, const struct context *c, struct store *store,
		    struct err *err)
{
	struct backfill_work w = { .o = o, .c = c, .store = store };
	struct range range = RANGE_INIT;
	int status = -1;

	if (check(o, c, err))
		goto out;
	if (o->part) {
		status = measure_part(&w, err);
		goto out;
	}
	if (range_parse(c->repo, o->args.v[0], &range, err))
		goto out;
	if (!range.to) {
		err_set(err, ERR_USAGE, "'pawl backfill' takes a range, not '%s'", o->args.v[0]);
		err_hint(err, "for example: pawl backfill %s..HEAD", o->args.v[0]);
	} else if (!choose(&w, &range, err) && !decide_range(&w, err)) {
		w.to = range.to;
		status = backfill_is_plan(o) ? measure_elsewhere(&w, err) : measure_range(&w, err);
	}
out:
	range_release(&range);
	backfill_work_release(&w);
	return status;
}

int cmd_backfill(const struct options *o)
{
	return run_with_store(o, STORE_WRITE, backfill);
}
