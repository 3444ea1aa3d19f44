#include <string.h>
#include <unistd.h>

#include "cli/measure/calibration.h"
#include "cli/command.h"
#include "cli/kept/kept.h"
#include "cli/measure/point_on.h"
#include "cli/range.h"
#include "cli/kept/receipt.h"
#include "cli/ways/ways.h"
#include "collector/accept.h"
#include "collector/compare.h"
#include "lib/base/number.h"
#include "lib/config/accepted.h"
#include "lib/process/stop.h"
#include "lib/stats/verdict.h"
#include "reporter/judge/judge.h"

#include "lib/base/banned.h"

#define PAIRS_LEAST 6 /* below, nothing at all could be said */
#define PAIRS_MOST 1000

/* Whether some benchmark was held against something; else the commit could not be tested. */
static bool is_tested(const struct summary *s)
{
	struct tally t;

	tally_of(s, &t);
	return !t.n[VERDICT_ADDED] && !t.n[VERDICT_REMOVED] && !t.n[VERDICT_NO_BASELINE];
}

/*
 * Whether nothing at all was compared though it could have been expected: of the command given, or
 * for want of a file.  A suite that the base did not have yet is no failure.
 */
static bool is_in_vain(const struct options *o, const struct summary *s)
{
	bool expected = o->command.n > 0;
	size_t i;

	for (i = 0; i < s->n_benchmarks; i++) {
		const struct bench *b = &s->benchmarks[i];
		enum verdict v = bench_verdict(b);

		if (v != VERDICT_ADDED && v != VERDICT_REMOVED)
			return false;
		expected = expected || (v == VERDICT_ADDED && b->detail);
	}
	return expected && s->n_benchmarks > 0;
}

/* How `git bisect run` reads an exit status: 0 good, 1 bad, 125 skip, 128 stop. */
static int bisect_status(int status)
{
	switch (status) {
	case EXIT_OK:
	case EXIT_REGRESSED:
		return status;
	case EXIT_INCONCLUSIVE:
	case EXIT_FAILED:
		return 125;
	default:
		return status > 128 ? status : 128;
	}
}

static int set_range(const struct options *o, struct compare_request *rq, struct range *range,
		     struct err *err)
{
	bool one_commit = compare_ways_are_given(&rq->base_way, &rq->head_way);
	const char *what = o->args.n ? o->args.v[0] : NULL;

	rq->base = o->working_tree || one_commit ? "HEAD" : "HEAD~1";
	rq->head = "HEAD";
	if (!what)
		return 0;
	if (o->args.n > 2 || (o->args.n == 2 && o->working_tree))
		return err_set(err, ERR_USAGE,
			       "'pawl compare' takes BASE, BASE..HEAD or BASE HEAD");
	if (o->args.n == 2) {
		rq->base = what;
		rq->head = o->args.v[1];
		return 0;
	}
	if (range_parse(rq->repo, what, range, err))
		return -1;
	if (range->to && o->working_tree) {
		err_set(err, ERR_USAGE, "--working-tree takes the base alone, not '%s'", what);
		return err_hint(err, "the head is the uncommitted work");
	}
	rq->base = range->from;
	rq->head = range->to ? range->to : one_commit ? range->from : "HEAD";
	return 0;
}

/* What can be done in a repository with one commit, with the command that was typed. */
static void hint_first(const struct options *o, struct err *err)
{
	struct buf cure = BUF_INIT;

	buf_adds(&cure, "commit again, or measure this commit alone: pawl collect");
	if (o->command.n) {
		buf_adds(&cure, " -- ");
		words_quote(o->command.v, &cure);
	}
	err_hint(err, "%s", buf_str(&cure));
	buf_release(&cure);
}

/* A word that is no revision, and a program: the command goes after "--". */
static void hint_program(const struct options *o, struct err *err)
{
	size_t i;

	for (i = 0; err->code == ERR_ABSENT && !err->hint[0] && i < o->args.n; i++)
		if (str_starts(err->text, "unknown revision") && strstr(err->text, o->args.v[i]) &&
		    !access(o->args.v[i], X_OK)) {
			err_hint(err, "to run '%s', write: pawl compare -- %s", o->args.v[i],
				 o->args.v[i]);
			return;
		}
}

static int check_talk(const struct options *o, struct err *err)
{
	if (!o->quiet || !o->explain_build)
		return 0;
	err_set(err, ERR_USAGE, "--quiet and --explain-build exclude each other");
	return err_hint(err, "why a commit is built is said on stderr, where --quiet leaves "
			     "warnings and errors alone");
}

/* The options that say how much is measured. */
static int set_amount(const struct options *o, struct compare_request *rq, struct err *err)
{
	uint64_t n = 0;

	if (o->quick && o->pairs)
		return err_set(err, ERR_USAGE, "--quick and --pairs exclude each other");
	if (o->pairs && options_setting(o, "runs"))
		return err_set(err, ERR_USAGE, "--pairs and --runs exclude each other");
	rq->quick = o->quick;
	if (o->pairs) {
		if (!number_u64(o->pairs, &n) || n < PAIRS_LEAST || n > PAIRS_MOST)
			return err_set(err, ERR_USAGE,
				       "--pairs takes a number from %d to %d, "
				       "not '%s'",
				       PAIRS_LEAST, PAIRS_MOST, o->pairs);
		rq->pairs = (unsigned)n;
	}
	if (options_budget(o, &rq->budget_ns, err))
		return -1;
	return options_wait(o, &rq->wait_ns, err);
}

/*
 * Who edits and is told that nothing differs may take that for his edits: they are in no commit
 * yet. Where only a filter of git could tell, none is run for that, and nothing is said.
 */
static void tell_uncommitted(const struct context *c, const struct compare_request *rq,
			     const struct summary *s)
{
	bool is_dirty = false, has_filters = false;

	if (rq->working_tree || !str_same(rq->head, "HEAD") || str_same(rq->base, "HEAD") ||
	    !s->n_benchmarks || !summary_is_identical(s))
		return;
	if (!repo_seems_dirty(c->repo, &is_dirty, &has_filters, NULL) && is_dirty && !has_filters)
		talk_warn(c->talk, "to compare them with the last commit, add --working-tree",
			  "the work tree has uncommitted changes, which are not compared");
}

/* Where the verdict stands, and what may be done about it. */
static int conclude(const struct options *o, struct context *c, const struct ways *ways,
		    const struct summary *s, struct err *err)
{
	int status = -1;

	if (!o->bisect)
		kept_add(c, s);
	if (!print_summary(o, c, s, err))
		status = judge_exit(s, o->strict || o->bisect);
	if (status >= 0 && stop_signal)
		return 128 + stop_signal;
	if ((status == EXIT_REGRESSED || status == EXIT_FAILED) && !o->bisect &&
	    !ways_are_given(ways)) {
		point_on(o, c, s);
		point_on_base(o, c, s);
	}
	if (status == EXIT_FAILED && !o->bisect && !ways_are_commands(ways))
		point_on_arguments(o, s);
	if (status == EXIT_OK && o->bisect && !is_tested(s))
		status = EXIT_INCONCLUSIVE;
	if (status == EXIT_OK && is_in_vain(o, s))
		status = EXIT_FAILED;
	return status;
}

/* What a benchmark was calibrated to is of a repository; a matrix names them anew at its end. */
static bool knows_units(const struct ways *ways)
{
	return !ways_are_commands(ways) && !ways->matrix.n;
}

/* A decision that was kept, too, is judged by what is known now. */
static int judge_all(struct context *c, const struct ways *ways, struct summary *s, struct err *err)
{
	struct history none = HISTORY_INIT;

	if (!ways_are_commands(ways))
		calibrations_apply(&c->known, s);
	return judge(s, &none, err);
}

/* The work tree's, as it may be about to be committed, or what the head itself has. */
static int load_accepted(const struct options *o, const struct context *c,
			 const struct compare_request *rq, struct accepted *out, struct err *err)
{
	return o->committed && !rq->working_tree
		       ? accepted_load_committed(c->repo, rq->head, out, err)
		       : accepted_load(c->repo, out, err);
}

static int compare_with(const struct options *o, struct context *c, const struct ways *ways,
			struct err *err)
{
	struct compare_request rq = { .repo = c->repo,
				      .config = &c->config,
				      .state_dir = c->state_dir,
				      .base_way = ways->base,
				      .head_way = ways->head,
				      .working_tree = o->working_tree,
				      .measure_identical = o->measure_identical,
				      .count_work = o->work,
				      .rebuild = o->rebuild,
				      .submodules = o->submodules,
				      .explain = o->explain,
				      .explain_build = o->explain_build,
				      .partial = o->command.n > 0,
				      .keeps_stopped = !o->bisect && !ways->matrix.n,
				      .only = &o->benchmarks,
				      .known = knows_units(ways) ? &c->known : NULL,
				      .talk = c->talk };
	bool is_named = !ways_are_given(ways);
	struct accepted accepted = ACCEPTED_INIT;
	struct receipt receipt = RECEIPT_OF(o, c, &rq);
	struct err ended = ERR_INIT;
	struct summary s;
	struct range range = RANGE_INIT;
	int status = -1;

	if (o->bisect && !c->config.n_benchmarks) {
		err_set(err, ERR_CONFIG, "no benchmark is configured at this commit");
		return err_hint(err, "use 'git config benchmark.NAME.command ...', which every "
				     "commit sees, or 'pawl compare --bisect ... -- COMMAND'");
	}
	/* `git bisect` asks what is so, not what is wanted. */
	if ((!ways_are_commands(ways) && set_range(o, &rq, &range, err)) ||
	    (is_named && !o->bisect && load_accepted(o, c, &rq, &accepted, err)) ||
	    check_talk(o, err) || set_amount(o, &rq, err))
		goto out;
	summary_init(&s);
	if (is_named && receipt_find(&receipt, &s, err))
		goto out;
	if (!s.commit.id && (ways->matrix.n ? matrix_compare(&ways->matrix, &rq, &s, &ended, err)
					    : compare(&rq, &s, err)))
		goto out;
	if (!(o->branch && s.commit.id && str_set(&s.commit.branch, o->branch, err)) &&
	    !judge_all(c, ways, &s, err) &&
	    (!is_named ||
	     ((s.settings.lacks_parts || stop_signal || !receipt_keep(&receipt, &s, err)) &&
	      !apply_accepted(c->repo, &accepted, &s, err))))
		status = conclude(o, c, ways, &s, err);
	if (status == EXIT_OK && is_named && !o->bisect)
		tell_uncommitted(c, &rq, &s);
	if (status >= 0 && ended.code)
		status = complain(&ended);
	summary_release(&s);
out:
	if (status < 0 && !o->args.n && str_same(rq.base, "HEAD~1") &&
	    range_tell_first(c->repo, err))
		hint_first(o, err);
	if (status < 0)
		hint_program(o, err);
	receipt_release(&receipt);
	accepted_release(&accepted);
	range_release(&range);
	return status;
}

/* The command of two that are given is the head's, under the name that both share. */
static int open_for(const struct options *o, const struct ways *ways, struct options *own,
		    struct context *c, struct err *err)
{
	*own = *o;
	own->committed = o->committed && !ways_are_given(ways);
	if (!ways_are_commands(ways))
		return context_open(o, c, err);
	own->command = ways->name;
	return context_open_anywhere(own, c, err);
}

static int run(const struct options *o, const struct ways *ways, struct err *err)
{
	struct options own;
	struct context c;
	int status = -1;

	if (open_for(o, ways, &own, &c, err))
		return -1;
	context_sweep(&c);
	if (!ways_are_commands(ways))
		calibration_open(&c, &c.known);
	if (!own.metric || !config_set_metric(&c.config, own.metric, err))
		status = compare_with(&own, &c, ways, err);
	context_close(&c);
	return status;
}

int cmd_compare(const struct options *o)
{
	struct ways ways = WAYS_INIT;
	struct err err = ERR_INIT;
	bool is_of_builds;
	int status = -1;

	if (!check_outputs(o, &err) && !ways_of(o, &ways, &err))
		status = run(o, &ways, &err);
	is_of_builds = ways_are_given(&ways) && !ways_are_commands(&ways);
	ways_release(&ways);
	if (status < 0 && err.code == ERR_ABSENT && is_of_builds &&
	    str_starts(err.text, "no git repository")) {
		err.hint[0] = '\0';
		err_hint(&err, "two commands need none: --base-cmd 'NAME=VALUE PROGRAM' --head-cmd "
			       "PROGRAM --shell sh");
	}
	if (status < 0)
		status = complain(&err);
	return o->bisect ? bisect_status(status) : status;
}
