#include "cli/measure/rebuild.h"

#include <math.h>
#include <string.h>

#include "collector/build/sources.h"
#include "collector/build/submodules.h"
#include "collector/compare.h"
#include "lib/judge/pairs.h"
#include "lib/judge/widening.h"
#include "reporter/figures/rows.h"
#include "reporter/judge/judge.h"

#include "lib/base/banned.h"

/* Of a counter that is 0 at times, which has no ratio to stored samples: by its typical value. */
static bool looks_worse(const struct bench *b, const struct metric *m)
{
	double head, base, least = 1 + b->threshold;

	if (!m || !m->n || !m->n_baseline || row_median(m->samples, m->n, &head, NULL) ||
	    row_median(m->baseline_samples, m->n_baseline, &base, NULL))
		return false;
	return m->better == BETTER_LOWER ? head > base * least : base > head * least;
}

/*
 * What only building the base can decide: it stands out against stored samples; or looks worse than
 * them where too few results are there to tell drift from change, or where there is no ratio; or
 * moved so far that its runs have another length and cannot be held against them at all.
 */
static bool is_open(const struct bench *b)
{
	const struct metric *m = bench_find_metric(b, b->gate);
	const struct delta *d = m && m->has_delta ? &m->delta : NULL;

	if (b->status != BENCH_OK || b->paired)
		return false;
	if (d && d->verdict == VERDICT_INCONCLUSIVE && d->ratio > 0)
		return d->suspect ||
		       (m->better == BETTER_LOWER ? d->ratio : 1 / d->ratio) >= 1 + b->threshold;
	return bench_verdict(b) == VERDICT_NO_BASELINE && (b->base_binary_id || looks_worse(b, m));
}

/* Against the base's own program. */
static bool ran_beside(const struct bench *b)
{
	return b->paired && !b->baseline_commit;
}

/*
 * What the work tree was built with may have changed since without the commit (what git ignores,
 * headers elsewhere, objects left over), and both ran in one layout.
 */
static bool is_called(const struct bench *b)
{
	enum verdict v = bench_verdict(b);

	return ran_beside(b) && (v == VERDICT_REGRESSED || v == VERDICT_IMPROVED);
}

/*
 * Would be called, were it not for what layouts do here: pairs of builds that each have many
 * layouts tell the two apart.
 */
static int is_held_back(const struct bench *b, size_t together, bool *out, struct err *err)
{
	const struct metric *m = bench_find_metric(b, b->gate);
	struct bench of_one_layout = *b;
	struct judgement judged;
	struct pair_changes how;

	*out = false;
	if (!ran_beside(b) || bench_verdict(b) != VERDICT_INCONCLUSIVE || !m ||
	    !widening_is_due(b) || b->calibration.layouts.n < 2)
		return 0;
	of_one_layout.calibration.layouts.n = 0;
	if (pairs_judge(&of_one_layout, m, together, &judged, &how, err))
		return -1;
	*out = judged.call == CALL_REGRESSED || judged.call == CALL_IMPROVED;
	return 0;
}

/* Of a commit that changes its build command, both would be built with the new one. */
static bool can_check(const struct context *c, const struct summary *s)
{
	return s->baseline.commit && s->commit.id &&
	       !sources_have_two_builds(c->repo, s->baseline.commit, s->commit.id);
}

static int find_suspects(const struct context *c, const struct summary *s, struct strv *out,
			 struct err *err)
{
	bool asked = false, can = false, is_one;
	size_t i;

	for (i = 0; i < s->n_benchmarks; i++) {
		const struct bench *b = &s->benchmarks[i];

		if (is_held_back(b, s->n_benchmarks, &is_one, err))
			return -1;
		is_one = is_one || is_called(b);
		if (is_one && !asked) {
			can = can_check(c, s);
			asked = true;
		}
		if ((is_open(b) || (can && is_one)) && strv_add(out, b->name, err))
			return -1;
	}
	return 0;
}

/* Whether a build of the head gave what was measured; not known: it may have. */
static bool is_what_was_measured(const struct bench *built, const struct bench *measured)
{
	return !built->binary_id || !measured->binary_id ||
	       !strcmp(built->binary_id, measured->binary_id);
}

/*
 * Moves what was run side by side into the summary; *out_n of them.  Of two programs that are the
 * same and not what was measured nothing follows: a part that the work tree has was missing, or is
 * what differs.  Where that was called, its name goes to unlike.
 */
static int take_over(struct summary *from, struct summary *to, struct strv *unlike, size_t *out_n,
		     struct err *err)
{
	size_t i;

	*out_n = 0;
	for (i = 0; i < from->n_benchmarks; i++) {
		struct bench *b = &from->benchmarks[i];
		const struct bench *old = summary_find(to, b->name);
		bool identical = bench_verdict(b) == VERDICT_IDENTICAL;
		bool settled = b->paired || (identical && old && is_what_was_measured(b, old));

		if (b->status == BENCH_OK && identical && !settled && old && is_called(old) &&
		    strv_add(unlike, b->name, err))
			return -1;
		if (b->status != BENCH_OK || !settled || !old)
			continue;
		if (str_set(&b->baseline_how, b->paired ? "rebuilt" : "identical", err))
			return -1;
		summary_replace(to, b);
		(*out_n)++;
	}
	return 0;
}

/* After it was judged: the difference is real, and nobody can say that it is the commit's. */
static int leave_open(const struct strv *unlike, struct summary *s, struct err *err)
{
	size_t i;

	for (i = 0; i < unlike->n; i++) {
		struct bench *b = summary_find(s, unlike->v[i]);
		struct metric *m = b ? bench_find_metric(b, b->gate) : NULL;

		if (!m || !m->has_delta)
			continue;
		m->delta.verdict = VERDICT_INCONCLUSIVE;
		m->delta.noise_floor = (double)NAN; /* more pairs would tell no more */
		/* Nor may a history judge these pairs as the step of this commit. */
		if (str_set(&b->baseline_how, "unlike", err) ||
		    str_set(&m->delta.note,
			    "of fresh checkouts both builds are the same code: what differs is in "
			    "the work tree, in files that git does not track or what an earlier "
			    "build left",
			    err))
			return -1;
	}
	return 0;
}

static int warn(const struct context *c, const struct err *why)
{
	talk_warn(c->talk, why->hint[0] ? why->hint : NULL,
		  "what was found could not be checked by building its base: %s", why->text);
	return 0;
}

int rebuild_suspects(const struct context *c, uint64_t wait_ns, struct summary *s,
		     const struct history *history, struct err *err)
{
	struct strv names = STRV_INIT, unlike = STRV_INIT;
	struct compare_request rq = { .repo = c->repo,
				      .config = &c->config,
				      .state_dir = c->state_dir,
				      .base = s->baseline.commit,
				      .head = s->commit.id,
				      .working_tree = s->commit.dirty,
				      /* what the work tree has of them was in what was measured */
				      .submodules = submodules_are_here(c->repo),
				      .only = &names,
				      /* two programs were run: the sources are not all there is */
				      .build_anyway = true,
				      .budget_ns = s->settings.budget_ns,
				      .wait_ns = wait_ns,
				      .known = &c->known,
				      .talk = c->talk };
	struct err fault = ERR_INIT;
	struct summary built;
	size_t n = 0;
	int result = -1;

	if (c->config.build && find_suspects(c, s, &names, err))
		goto out;
	/* Without a build what was measured came from elsewhere: a fresh checkout would not have
	 * it. */
	if (!names.n || !rq.base || !rq.head) {
		result = 0;
		goto out;
	}
	/* It is judged together with the others, and has to go on until that is decided. */
	rq.comparisons = (unsigned)((s->n_benchmarks + names.n - 1) / names.n);
	talk_note(
		c->talk,
		"%zu to be checked: building %.12s and this commit alike, to run both side by side",
		names.n, rq.base);
	if (compare(&rq, &built, &fault)) {
		/* What was collected is kept when the check is stopped. */
		if (err_is_fatal(&fault) && fault.code != ERR_STOPPED)
			*err = fault;
		else
			result = warn(c, &fault);
		goto out;
	}
	result = take_over(&built, s, &unlike, &n, err);
	if (!result && n + unlike.n < names.n) {
		err_set(&fault, ERR_CHILD, "%zu of %zu could not be run on both sides",
			names.n - n - unlike.n, names.n);
		err_hint(&fault, "`pawl compare` shows why");
		warn(c, &fault);
	}
	if (!result && n && !s->baseline.how)
		result = str_set(&s->baseline.how, "rebuilt", err);
	if (!result && n)
		result = judge(s, history, err);
	result = result || leave_open(&unlike, s, err) ? -1 : 0;
	summary_release(&built);
out:
	strv_release(&names);
	strv_release(&unlike);
	return result;
}
