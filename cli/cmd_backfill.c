#include <stdlib.h>
#include <string.h>

#include "cli/backfill.h"
#include "cli/calibration.h"
#include "cli/command.h"
#include "cli/range.h"
#include "collector/bisect/gaps.h"
#include "collector/compare.h"
#include "lib/base/number.h"
#include "lib/base/when.h"
#include "reporter/figures/cells.h"
#include "reporter/judge/judge.h"

#include "lib/base/banned.h"

/* One call at work. */
struct work {
	const struct options *o;
	const struct context *c;
	struct store *store;
	struct strv ids; /* of the commits, oldest first */
	struct backfill_known known;
	struct calibrations machine; /* what is known of the benchmarks on it */
	struct gaps gaps;
	uint64_t deadline_ns; /* 0: none */
	size_t n_measured, n_dropped;
};

static void work_release(struct work *w)
{
	strv_release(&w->ids);
	backfill_known_release(&w->known);
	gaps_release(&w->gaps);
	calibrations_release(&w->machine);
}

/* What became of a gap, in one line: the change that is furthest, and how many moved. */
static void tell_gap(const struct work *w, const struct summary *s)
{
	struct buf moved = BUF_INIT;
	size_t n = 0, i;

	for (i = 0; i < s->n_benchmarks; i++) {
		const struct bench *b = &s->benchmarks[i];
		enum verdict v = bench_verdict(b);
		const struct metric *gate = b->gate ? bench_find_metric(b, b->gate) : NULL;

		if (v != VERDICT_REGRESSED && v != VERDICT_IMPROVED)
			continue;
		if (n++)
			continue;
		buf_addf(&moved, "%s %s ", b->name, verdict_name(v));
		cell_delta(bench_delta(b), gate ? gate->unit : NULL, &moved);
	}
	if (n > 1)
		buf_addf(&moved, " and %zu more", n - 1);
	talk_note(w->c->talk, "%.10s..%.10s: %s", s->baseline.commit, s->commit.id,
		  n				  ? buf_str(&moved)
		  : backfill_found(s) == GAP_SAME ? "identical code"
						  : "nothing moved");
	buf_release(&moved);
}

/*
 * Where all failed, the commit that does not build, or cannot be run, is left out.  One that is the
 * head keeps that as its result, so that it is not tried again.
 */
static int drop(struct work *w, const struct summary *s, size_t from, size_t to, struct err *err)
{
	bool is_base = backfill_is_of_base(s);

	talk_warn(w->c->talk, NULL, "%.10s is left out: %s", w->ids.v[is_base ? from : to],
		  s->benchmarks[0].detail ? s->benchmarks[0].detail : "it failed");
	gaps_drop(&w->gaps, is_base ? from : to);
	w->n_dropped++;
	return is_base ? 0 : store_add(w->store, s, false, NULL, err);
}

static bool is_late(const struct work *w)
{
	return w->deadline_ns && when_monotonic_ns() >= w->deadline_ns;
}

/* What was cut off is neither taken nor stored: the next call measures it whole. */
static bool is_cut(const struct work *w, const struct summary *s)
{
	size_t i;

	for (i = 0; is_late(w) && i < s->n_benchmarks; i++) {
		enum verdict v = bench_verdict(&s->benchmarks[i]);

		if (v == VERDICT_INCONCLUSIVE || v == VERDICT_FAILED ||
		    s->benchmarks[i].status == BENCH_SKIPPED)
			return true;
	}
	return false;
}

static int measure_gap(struct work *w, size_t from, size_t to, struct err *err)
{
	const struct options *o = w->o;
	uint64_t now = when_monotonic_ns();
	struct compare_request rq = { .repo = w->c->repo,
				      .config = &w->c->config,
				      .state_dir = w->c->state_dir,
				      .base = w->ids.v[from],
				      .head = w->ids.v[to],
				      .submodules = o->submodules,
				      .partial = o->command.n > 0,
				      .only = &o->benchmarks,
				      .quick = o->quick,
				      .known = &w->machine,
				      .waiting_counts = true,
				      .talk = w->c->talk };
	struct history none = HISTORY_INIT;
	struct summary s;
	int result = -1;

	if (w->deadline_ns)
		rq.budget_ns = w->deadline_ns > now ? w->deadline_ns - now : 1;
	if (compare(&rq, &s, err))
		return err_in(err, "%.10s..%.10s", rq.base, rq.head);
	if (judge(&s, &none, err))
		goto out;
	if (is_cut(w, &s)) {
		result = 0;
		goto out;
	}
	if (backfill_has_failed(&s)) {
		result = drop(w, &s, from, to, err);
		goto out;
	}
	tell_gap(w, &s);
	gaps_found(&w->gaps, from, backfill_found(&s));
	w->n_measured++;
	result = store_add(w->store, &s, false, NULL, err);
out:
	summary_release(&s);
	return result;
}

/* What earlier calls, or collections, found out is not measured again. */
static bool take_known(struct work *w, size_t from, size_t to)
{
	enum gap found;

	if (backfill_known_failure(&w->known, w->ids.v[to])) {
		gaps_drop(&w->gaps, to);
		w->n_dropped++;
		return true;
	}
	found = backfill_known_gap(&w->known, w->ids.v[from], w->ids.v[to]);
	if (found != GAP_UNKNOWN)
		gaps_found(&w->gaps, from, found);
	return found != GAP_UNKNOWN;
}

static int measure_all(struct work *w, bool *out_done, struct err *err)
{
	size_t from, to;

	while ((*out_done = !gaps_next(&w->gaps, &from, &to)) == false) {
		if (take_known(w, from, to))
			continue;
		if (is_late(w))
			return 0;
		if (measure_gap(w, from, to, err))
			return -1;
	}
	return 0;
}

/* ---- which commits --------------------------------------------------------------------- */

static int choose(struct work *w, const struct range *range, struct err *err)
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
	return gaps_init(w->ids.n, &w->gaps, err);
}

static int answer(const struct work *w, bool done, struct err *err)
{
	struct buf text = BUF_INIT;
	size_t widest, n = gaps_count(&w->gaps, &widest);
	int result;

	buf_addf(&text, "%zu commits, %zu gap%s measured, %zu comparison%s now", w->ids.n, n,
		 n == 1 ? "" : "s", w->n_measured, w->n_measured == 1 ? "" : "s");
	if (w->n_dropped)
		buf_addf(&text, ", %zu commit%s left out", w->n_dropped,
			 w->n_dropped == 1 ? "" : "s");
	if (widest > 1)
		buf_addf(&text, "; the widest has %zu commit%s in it", widest - 1,
			 widest == 2 ? "" : "s");
	buf_addc(&text, '\n');
	if (done)
		buf_adds(&text, "to see what moved: pawl history\n");
	else
		buf_adds(&text, "out of time: the same command goes on where it stopped\n");
	result = buf_check(&text, err) || print_answer(w->o, &text, err) ? -1 : 0;
	buf_release(&text);
	return result;
}

static int check(const struct options *o, const struct context *c, struct err *err)
{
	if (o->args.n != 1) {
		err_set(err, ERR_USAGE, "'pawl backfill' takes one range, A..B");
		return err_hint(err, "for example: pawl backfill v1.0..HEAD --points 50");
	}
	if (c->config.n_benchmarks)
		return 0;
	err_set(err, ERR_CONFIG, "no benchmark is configured");
	return err_hint(err, "run 'pawl init', or name a command: -- build/bench");
}

static int backfill(const struct options *o, const struct context *c, struct store *store,
		    struct err *err)
{
	struct work w = { .o = o, .c = c, .store = store };
	struct range range = RANGE_INIT;
	uint64_t budget_ns = 0;
	bool done = false;
	size_t widest;
	int status = -1;

	if (check(o, c, err) || options_budget(o, &budget_ns, err) ||
	    range_parse(c->repo, o->args.v[0], &range, err))
		goto out;
	calibration_open(c, &w.machine);
	if (!range.to) {
		err_set(err, ERR_USAGE, "'pawl backfill' takes a range, not '%s'", o->args.v[0]);
		err_hint(err, "for example: pawl backfill %s..HEAD", o->args.v[0]);
		goto out;
	}
	if (choose(&w, &range, err) || backfill_known_load(store, c->project, &w.ids, &c->config,
							   &w.o->benchmarks, &w.known, err))
		goto out;
	w.deadline_ns = budget_ns ? when_monotonic_ns() + budget_ns : 0;
	if (!measure_all(&w, &done, err) && !answer(&w, done, err))
		status = done && !gaps_count(&w.gaps, &widest) ? EXIT_FAILED : EXIT_OK;
out:
	range_release(&range);
	work_release(&w);
	return status;
}

int cmd_backfill(const struct options *o)
{
	return run_with_store(o, STORE_WRITE, backfill);
}
