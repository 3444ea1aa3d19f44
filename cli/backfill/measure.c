#include "cli/backfill/measure.h"

#include <stdlib.h>
#include <string.h>

#include "cli/backfill/parts.h"
#include "cli/document.h"
#include "collector/accept.h"
#include "collector/compare.h"
#include "collector/machine/machine.h"
#include "lib/base/file.h"
#include "lib/base/when.h"
#include "reporter/figures/cells.h"
#include "reporter/judge/judge.h"

#include "lib/base/banned.h"

void backfill_work_release(struct backfill_work *w)
{
	strv_release(&w->ids);
	backfill_branches_release(&w->branches);
	backfill_known_release(&w->known);
	gaps_release(&w->gaps);
	calibrations_release(&w->machine);
	accepted_release(&w->accepted);
	free(w->dropped_why);
}

/* A result that others are to join: as a file, besides.  base NULL: that head failed. */
static int write_file(const struct backfill_work *w, const struct summary *s, const char *base,
		      const char *head, struct err *err)
{
	struct buf name = BUF_INIT, text = BUF_INIT;
	int result = 0;

	if (!w->files)
		return 0;
	if (backfill_file_name(w->files, base, head, &name, err) ||
	    summary_encode(s, 0, &text, err) || buf_check(&text, err) ||
	    file_write_whole(buf_str(&name), text.data, text.len, 0644, err))
		result = -1;
	buf_release(&name);
	buf_release(&text);
	return result;
}

/* Whether it would be joined: as backfill_join() has it, of one that has not failed. */
static bool is_result_of(const struct backfill_work *w, const struct summary *s, size_t from,
			 size_t to)
{
	return s->commit.id && !strcmp(s->commit.id, w->ids.v[to]) && !s->commit.dirty &&
	       s->baseline.commit && !strcmp(s->baseline.commit, w->ids.v[from]) &&
	       !strcmp(s->project, w->c->project) && !backfill_has_failed(s) &&
	       backfill_is_whole(&w->asked, s);
}

/* An earlier start of this part may have got so far, on a machine that counts as this one. */
static enum gap found_in_file(const struct backfill_work *w, size_t from, size_t to)
{
	struct buf name = BUF_INIT;
	struct summary s, here;
	struct err ignored = ERR_INIT;
	enum gap found = GAP_UNKNOWN;

	summary_init(&here);
	if (w->files &&
	    !backfill_file_name(w->files, w->ids.v[from], w->ids.v[to], &name, &ignored) &&
	    file_exists(buf_str(&name)) && !machine_describe(&here.machine, &ignored) &&
	    !document_read(buf_str(&name), &s, &ignored)) {
		if (s.machine.id && !strcmp(s.machine.id, here.machine.id) &&
		    is_result_of(w, &s, from, to))
			found = backfill_found(&s);
		summary_release(&s);
	}
	err_clear(&ignored);
	summary_release(&here);
	buf_release(&name);
	return found;
}

/* What became of a gap, in one line: the change that is furthest, and how many moved. */
static void tell_gap(const struct backfill_work *w, const struct summary *s)
{
	struct buf moved = BUF_INIT;
	size_t n = 0, n_undecided = 0, i;

	for (i = 0; i < s->n_benchmarks; i++) {
		const struct bench *b = &s->benchmarks[i];
		enum verdict v = bench_verdict(b);
		const struct metric *gate = b->gate ? bench_find_metric(b, b->gate) : NULL;

		n_undecided += v == VERDICT_INCONCLUSIVE;
		if (v != VERDICT_REGRESSED && v != VERDICT_IMPROVED)
			continue;
		if (n++)
			continue;
		buf_addf(&moved, "%s %s ", b->name, verdict_name(v));
		cell_delta(bench_delta(b), gate ? gate->unit : NULL, &moved);
		if (b->accepted.commit)
			buf_adds(&moved, " (accepted)");
	}
	if (n > 1)
		buf_addf(&moved, " and %zu more", n - 1);
	talk_note(w->c->talk, "%.10s..%.10s: %s", s->baseline.commit, s->commit.id,
		  n				  ? buf_str(&moved)
		  : backfill_found(s) == GAP_SAME ? "identical code"
		  : n_undecided			  ? "undecided"
						  : "nothing moved");
	buf_release(&moved);
}

/* A reason that is told for one commit need not be told for those after it. */
static int tell_dropped(struct backfill_work *w, const char *id, const char *why, struct err *err)
{
	char *line = NULL;
	int result = backfill_failed_line(why, &line, err);

	if (!result && w->dropped_why && !strcmp(w->dropped_why, line))
		talk_note(w->c->talk, "%.10s is left out for the same reason", id);
	else if (!result)
		talk_warn(w->c->talk, NULL, "%.10s is left out: %s", id, why);
	free(w->dropped_why);
	w->dropped_why = line;
	return result;
}

/*
 * Where all failed, the commit that does not build, or cannot be run, is left out.  Once it is not
 * tried again, a head keeps that as its result.
 */
static int drop(struct backfill_work *w, const struct summary *s, size_t from, size_t to,
		struct err *err)
{
	bool is_base = backfill_is_of_base(s);
	size_t place = is_base ? from : to;
	const char *id = w->ids.v[place];
	struct backfill_failed *failed = &w->known.failed;

	gaps_drop(&w->gaps, place);
	w->n_dropped++;
	if (tell_dropped(w, id, s->benchmarks[0].detail ? s->benchmarks[0].detail : "it failed",
			 err) ||
	    backfill_failed_note(w->store, id, s, failed, err))
		return -1;
	return (!is_base && backfill_failed_why(failed, id) &&
		store_add(w->store, s, false, NULL, err)) ||
			       write_file(w, s, NULL, id, err)
		       ? -1
		       : 0;
}

/* What failed before, and is measured now, is to be tried again. */
static int forget(struct backfill_work *w, size_t from, size_t to, struct err *err)
{
	struct backfill_failed *failed = &w->known.failed;

	return backfill_failed_forget(w->store, w->ids.v[from], failed, err) ||
			       backfill_failed_forget(w->store, w->ids.v[to], failed, err)
		       ? -1
		       : 0;
}

static bool is_late(const struct backfill_work *w)
{
	return w->deadline_ns && when_monotonic_ns() >= w->deadline_ns;
}

/* What was cut off is neither taken nor stored: the next call measures it whole. */
static bool is_cut(const struct backfill_work *w, const struct summary *s)
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

static int measure_gap(struct backfill_work *w, size_t from, size_t to, struct err *err)
{
	const struct options *o = w->o;
	uint64_t now = when_monotonic_ns();
	struct compare_request rq = { .repo = w->c->repo,
				      .config = &w->c->config,
				      .state_dir = w->c->state_dir,
				      .base = w->ids.v[from],
				      .head = w->ids.v[to],
				      .branch = backfill_branch_of(&w->branches, w->ids.v[to]),
				      .submodules = w->asked.submodules,
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
	if (compare(&rq, &s, err)) {
		/* Another pawl measured for all of the time. */
		if (err->code == ERR_BUSY && is_late(w)) {
			err_clear(err);
			return 0;
		}
		return err_in(err, "%.10s..%.10s", rq.base, rq.head);
	}
	/* A section may have more than what was asked for. */
	s.settings.partial = s.settings.partial || o->benchmarks.n;
	if ((o->benchmarks.n && strv_add_all(&s.settings.asked, o->benchmarks.v, err)) ||
	    judge(&s, &none, err))
		goto out;
	if (is_cut(w, &s)) {
		result = 0;
		goto out;
	}
	if (backfill_has_failed(&s)) {
		result = drop(w, &s, from, to, err);
		goto out;
	}
	if (apply_accepted(w->c->repo, &w->accepted, &s, err))
		goto out;
	tell_gap(w, &s);
	gaps_found(&w->gaps, from, backfill_found(&s));
	w->n_measured++;
	result = store_add(w->store, &s, false, NULL, err) || forget(w, from, to, err) ||
				 write_file(w, &s, w->ids.v[from], w->ids.v[to], err)
			 ? -1
			 : 0;
out:
	summary_release(&s);
	return result;
}

/* What earlier calls, or collections, found out is not measured again. */
static bool take_known(struct backfill_work *w, size_t from, size_t to)
{
	bool is_base = backfill_known_failure(&w->known, w->ids.v[from]) != NULL;
	enum gap found;

	if (is_base || backfill_known_failure(&w->known, w->ids.v[to])) {
		gaps_drop(&w->gaps, is_base ? from : to);
		w->n_dropped++;
		return true;
	}
	found = backfill_known_gap(&w->known, w->ids.v[from], w->ids.v[to]);
	if (found == GAP_UNKNOWN)
		found = found_in_file(w, from, to);
	if (found != GAP_UNKNOWN)
		gaps_found(&w->gaps, from, found);
	return found != GAP_UNKNOWN;
}

int backfill_measure(struct backfill_work *w, bool *out_done, struct err *err)
{
	size_t from, to;

	backfill_branches_release(&w->branches);
	if (backfill_branches_load(w->c->repo, w->ids.v[0], w->to, &w->branches, err))
		return -1;
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

int backfill_answer(const struct backfill_work *w, bool done, struct err *err)
{
	struct buf text = BUF_INIT;
	size_t widest, same = gaps_count_of(&w->gaps, GAP_SAME);
	size_t n = gaps_count(&w->gaps, &widest) - same; /* as a history counts them */
	int result;

	buf_addf(&text, "%zu commits, %zu step%s measured side by side", w->ids.n, n,
		 n == 1 ? "" : "s");
	if (same)
		buf_addf(&text, ", %zu of identical code", same);
	buf_addf(&text, ", %zu comparison%s now", w->n_measured, w->n_measured == 1 ? "" : "s");
	if (w->n_dropped)
		buf_addf(&text, ", %zu commit%s left out", w->n_dropped,
			 w->n_dropped == 1 ? "" : "s");
	if (widest > 1) /* as a history says of such a step */
		buf_addf(&text, "; up to %zu commits measured in one step", widest);
	buf_addc(&text, '\n');
	backfill_tell_failures(&w->known, &w->ids, &text);
	if (done && !n && !same)
		buf_adds(&text, "no two of these commits could be compared: begin with a later "
				"one, which builds the benchmarks\n");
	else if (done)
		buf_adds(&text, "to see what moved: pawl history\n");
	else
		buf_adds(&text, "out of time: the same command goes on where it stopped\n");
	result = buf_check(&text, err) || print_answer(w->o, &text, err) ? -1 : 0;
	buf_release(&text);
	return result;
}
