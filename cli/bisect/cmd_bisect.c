#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bisect/job.h"
#include "cli/measure/calibration.h"
#include "cli/range.h"
#include "cli/option/typed.h"
#include "collector/build/submodules.h"
#include "collector/unconfigured.h"
#include "lib/base/number.h"
#include "lib/base/when.h"
#include "lib/git/history/merge.h"
#include "lib/git/history/walk.h"

#include "lib/base/banned.h"

static void job_release(struct bisect_job *j)
{
	git_commit_release(&j->good);
	git_commit_release(&j->bad);
	strv_release(&j->only);
	free(j->path);
	bisect_log_release(&j->log);
	shown_release(&j->shown);
}

/* ---- what the search asks for ------------------------------------------------------------ */

static int cuts(void *ctx, const struct strv *good, const char *bad, bool on_path, struct strv *out,
		struct err *err)
{
	return walk_bisect(((struct bisect_job *)ctx)->c->repo, good, bad, on_path, out, err);
}

static int sides(void *ctx, const char *from, const char *commit, char out_parent[OID_TEXT],
		 struct strv *out_sides, struct err *err)
{
	return merge_sides(((struct bisect_job *)ctx)->c->repo, from, commit, out_parent, out_sides,
			   err);
}

static int parent(void *ctx, const char *commit, char out[OID_TEXT], struct err *err)
{
	return repo_first_parent(((struct bisect_job *)ctx)->c->repo, commit, out, err);
}

static int keep(void *ctx, const struct bisect_log *log, struct err *err)
{
	struct bisect_job *j = ctx;

	return bisect_log_save(log, j->path, err);
}

static void tell(void *ctx, const struct bisect_step *step)
{
	struct bisect_job *j = ctx;
	struct buf line = BUF_INIT;

	if (shown_add(&j->shown, step, &j->fault) || j->o->json)
		return;
	if (!show_step(&j->shown, &line, &j->fault)) {
		print_answer(j->o, &line, NULL);
		fflush(stdout);
	}
	buf_release(&line);
}

/* ---- the command ----------------------------------------------------------------------- */

static int find_ends(const struct options *o, struct bisect_job *j, struct err *err)
{
	struct range range = RANGE_INIT;
	char base[OID_TEXT];
	bool is_below, is_swapped;
	int result = -1;

	if (o->args.n > 1 ? str_set(&range.from, o->args.v[0], err) ||
				    str_set(&range.to, o->args.v[1], err)
			  : range_parse(j->c->repo, o->args.v[0], &range, err))
		goto out;
	if (repo_commit(j->c->repo, range.from, &j->good, err) ||
	    repo_commit(j->c->repo, range.to, &j->bad, err) ||
	    walk_is_ancestor(j->c->repo, j->good.id, j->bad.id, &is_below, err))
		goto out;
	result = 0;
	if (!is_below) {
		result = err_set(err, ERR_USAGE, "GOOD (%.12s) is no ancestor of BAD (%.12s)",
				 j->good.id, j->bad.id);
		if (!walk_is_ancestor(j->c->repo, j->bad.id, j->good.id, &is_swapped, NULL) &&
		    is_swapped)
			err_hint(err,
				 "the older one goes first, swap them: pawl bisect %.12s %.12s",
				 j->bad.id, j->good.id);
		else if (!walk_merge_base(j->c->repo, j->good.id, j->bad.id, base, NULL))
			err_hint(err, "from their merge base: pawl bisect %.12s %.12s", base,
				 j->bad.id);
	}
out:
	range_release(&range);
	return result;
}

static int check_usage(const struct options *o, struct err *err)
{
	uint64_t ns;

	if (o->list || (o->reset && !o->args.n))
		return o->args.n ? err_set(err, ERR_USAGE, "'--list' takes no commits") : 0;
	if (options_budget(o, &ns, err))
		return -1;
	if (!o->args.n || o->args.n > 2 || (o->args.n == 1 && !strstr(o->args.v[0], "..")))
		err_set(err, ERR_USAGE, "'pawl bisect' takes GOOD BAD, or GOOD..BAD");
	else if (!o->benchmark)
		err_set(err, ERR_USAGE, "it is not said which benchmark");
	else
		return 0;
	return err_hint(err, "pawl bisect GOOD BAD --benchmark NAME");
}

static int status_of(const struct bisect_answer *a, bool strict)
{
	switch (a->outcome) {
	case BISECT_NOTHING:
		return EXIT_FAILED;
	case BISECT_RANGE:
	case BISECT_INCONCLUSIVE:
	case BISECT_UNFINISHED:
		return strict ? EXIT_INCONCLUSIVE : EXIT_OK;
	case BISECT_FOUND:
	case BISECT_NO_CHANGE:
	default:
		return EXIT_OK;
	}
}

static int add_word(struct strv *words, const char *word, struct err *err)
{
	return word ? strv_add(words, word, err) : 0;
}

/* The command that goes on where this one ended, for a shell; revisions may move, ids do not. */
static int say_again(const struct bisect_job *j, struct buf *out, struct err *err)
{
	const struct options *o = j->o;
	struct strv words = STRV_INIT;
	struct buf name = BUF_INIT;
	int result = -1;
	size_t i;

	if (strv_add(&words, "bisect", err) || strv_add(&words, j->good.id, err) ||
	    strv_add(&words, j->bad.id, err) || strv_add(&words, "--benchmark", err) ||
	    strv_add(&words, o->benchmark, err) ||
	    add_word(&words, o->steps ? "--steps" : NULL, err) ||
	    add_word(&words, o->metric ? "--metric" : NULL, err) ||
	    add_word(&words, o->metric, err) ||
	    add_word(&words, o->quick ? "--quick" : NULL, err) ||
	    add_word(&words, o->submodules ? "--submodules" : NULL, err) ||
	    add_word(&words, o->strict ? "--strict" : NULL, err) ||
	    add_word(&words, o->budget ? "--budget" : NULL, err) ||
	    add_word(&words, o->budget, err))
		goto out;
	for (i = 0; i + 1 < o->settings.n; i += 2) {
		buf_reset(&name);
		buf_addf(&name, "--%s", option_of_setting(o->settings.v[i]));
		if (buf_check(&name, err) || strv_add(&words, buf_str(&name), err) ||
		    strv_add(&words, o->settings.v[i + 1], err))
			goto out;
	}
	if (o->command.n &&
	    (strv_add(&words, "--", err) || strv_add_all(&words, o->command.v, err)))
		goto out;
	buf_adds(out, "pawl ");
	words_quote(words.v, out);
	result = buf_check(out, err);
out:
	strv_release(&words);
	buf_release(&name);
	return result;
}

static int status_of_steps(const struct bisect_steps *steps, bool strict)
{
	if (steps->n_commits && steps->n_skipped == steps->n_commits)
		return EXIT_FAILED;
	return strict && (steps->timed || steps->n_unclear) ? EXIT_INCONCLUSIVE : EXIT_OK;
}

/* Every commit that moved it; *out gets the answer.  Returns the exit status or -1. */
static int run_steps(const struct options *o, struct bisect_job *j, const struct bisect_request *rq,
		     struct buf *out, struct err *err)
{
	struct bisect_steps steps;
	int status = -1;

	if (bisect_steps(rq, &j->log, &steps, err))
		return -1;
	if (!(o->json ? show_moved_json : show_moved)(&j->shown, &steps, out, err))
		status = status_of_steps(&steps, o->strict);
	bisect_steps_release(&steps);
	return status;
}

/* The commit that made the change, likewise. */
static int run_search(const struct options *o, struct bisect_job *j,
		      const struct bisect_request *rq, struct buf *out, struct err *err)
{
	struct bisect_answer a = BISECT_ANSWER_INIT;
	int status = -1;

	if (!bisect(rq, &j->log, &a, err) &&
	    !(o->json ? show_json : show_answer)(&j->shown, &a, out, err))
		status = status_of(&a, o->strict);
	bisect_answer_release(&a);
	return status;
}

static int run(const struct options *o, struct bisect_job *j, struct err *err)
{
	struct bisect_request rq = { .good = j->good.id,
				     .bad = j->bad.id,
				     .ctx = j,
				     .measure = bisect_job_measure,
				     .cuts = cuts,
				     .sides = sides,
				     .parent = parent,
				     .keep = keep,
				     .tell = tell };
	struct buf out = BUF_INIT, again = BUF_INIT, typed = BUF_INIT;
	uint64_t budget;
	int status = -1;

	if (o->budget && !options_budget(o, &budget, NULL))
		j->deadline_ns = when_monotonic_ns() + budget;
	j->shown.repo = j->c->repo;
	j->shown.benchmark = o->benchmark;
	j->shown.good = j->good.id;
	j->shown.bad = j->bad.id;
	j->shown.utf8 = terminal_render_options(o).utf8;
	if (j->submodules)
		buf_adds(&typed, " --submodules");
	typed_add(o, &typed);
	if (say_again(j, &again, err) || buf_check(&typed, err))
		goto out;
	j->shown.again = buf_str(&again);
	j->shown.typed = buf_str(&typed);
	status = (o->steps ? run_steps : run_search)(o, j, &rq, &out, err);
	if (status < 0 && err->code == ERR_STOPPED)
		err_hint(err, "the same command goes on from here");
	if (j->fault.code) {
		*err = j->fault;
		status = -1;
	}
	if (status >= 0 && print_answer(o, &out, err))
		status = -1;
out:
	j->shown.again = NULL;
	j->shown.typed = NULL;
	buf_release(&again);
	buf_release(&typed);
	buf_release(&out);
	return status;
}

static int bisect_with(const struct options *o, struct context *c, struct err *err)
{
	struct bisect_job j = { .o = o, .c = c, .submodules = o->submodules };
	const struct submodules_request modules = { c->repo, &c->config, c->talk };
	int status = -1;

	if (!c->config.n_benchmarks)
		return unconfigured(c->repo,
				    "name a program: "
				    "'pawl bisect GOOD BAD --benchmark NAME -- PROGRAM'",
				    err);
	j.log = (struct bisect_log)BISECT_LOG_INIT;
	if ((o->metric && config_set_metric(&c->config, o->metric, err)) || find_ends(o, &j, err) ||
	    strv_add(&j.only, o->benchmark, err) ||
	    submodules_of_range(&modules, j.good.id, j.bad.id, &j.submodules, err) ||
	    bisect_job_open(&j, err))
		goto out;
	status = run(o, &j, err);
out:
	job_release(&j);
	return status;
}

int cmd_bisect(const struct options *o)
{
	struct err err = ERR_INIT;
	struct context c;
	struct buf text = BUF_INIT;
	int status;

	if (check_usage(o, &err) || context_open(o, &c, &err))
		return complain(&err);
	if (o->list || !o->args.n) {
		status =
			bisect_job_states(&c, !o->list, &text, &err) || print_answer(o, &text, &err)
				? -1
				: EXIT_OK;
	} else {
		calibration_open(&c, &c.known);
		status = bisect_with(o, &c, &err);
	}
	context_close(&c);
	buf_release(&text);
	return status < 0 ? complain(&err) : status;
}
