#include "cli/bisect/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/bisect/ask.h"
#include "lib/base/strv.h"
#include "lib/base/when.h"
#include "lib/git/history/walk.h"
#include "reporter/figures/cells.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

#define SUBJECT_COLUMNS 50
#define SUSPECTS_SHOWN 20

void shown_release(struct shown *s)
{
	free(s->steps);
	s->steps = NULL;
	s->n_steps = 0;
}

int shown_add(struct shown *s, const struct bisect_step *step, struct err *err)
{
	struct shown_step *steps = realloc(s->steps, (s->n_steps + 1) * sizeof(*steps)), *to;

	if (!steps)
		return err_nomem(err);
	s->steps = steps;
	to = &steps[s->n_steps++];
	*to = (struct shown_step){ .kind = step->kind,
				   .mark = step->mark,
				   .evidence = step->evidence,
				   .low = step->low,
				   .high = step->high,
				   .confidence = step->confidence,
				   .by_difference = step->by_difference,
				   .before = step->before,
				   .same_code = step->same_code,
				   .n_left = step->n_left };
	memcpy(to->base, step->base, strlen(step->base) + 1);
	memcpy(to->commit, step->commit, strlen(step->commit) + 1);
	return 0;
}

/* ---- text ------------------------------------------------------------------------------ */

static void add_visible(struct buf *out, const struct shown *s, const char *text)
{
	text_visible(text, s->utf8, out);
}

static double percent(double log_ratio)
{
	return 100 * expm1(log_ratio);
}

static void add_difference(const struct shown *s, const struct bisect_evidence *e, double low,
			   double high, struct buf *out)
{
	const struct delta d = { .by_difference = true,
				 .difference = e->difference,
				 .difference_low = low,
				 .difference_high = high };
	struct buf raw = BUF_INIT;

	cell_delta(&d, e->unit, &raw);
	buf_addc(&raw, ' ');
	if (isfinite(low) && isfinite(high))
		cell_interval(&d, e->unit, &raw);
	else
		buf_adds(&raw, "[?, ?]");
	add_visible(out, s, buf_str(&raw));
	out->failed |= raw.failed;
	buf_release(&raw);
}

void show_change(const struct shown *s, const struct bisect_evidence *e, bool by_difference,
		 double low, double high, struct buf *out)
{
	if (e->state == BISECT_IDENTICAL)
		buf_adds(out, "same code");
	else if (by_difference && isfinite(e->difference))
		add_difference(s, e, low, high, out);
	else if (!isfinite(e->theta))
		buf_adds(out, "-");
	else if (!isfinite(low) || !isfinite(high))
		buf_addf(out, "%+.2f %% [?, ?]", percent(e->theta));
	else
		buf_addf(out, "%+.2f %% [%+.2f, %+.2f]", percent(e->theta), percent(low),
			 percent(high));
}

void show_sum(const struct shown *s, const struct bisect_evidence *e, bool by_difference,
	      struct buf *out)
{
	const struct delta d = { .by_difference = true, .difference = e->difference };
	struct buf raw = BUF_INIT;

	if (by_difference)
		cell_delta(&d, e->unit, &raw);
	else
		buf_addf(&raw, "%+.2f %%", percent(e->theta));
	add_visible(out, s, buf_str(&raw));
	out->failed |= raw.failed;
	buf_release(&raw);
}

static void add_subject(struct buf *out, const struct shown *s, const char *id, int columns)
{
	struct git_commit c = GIT_COMMIT_INIT;
	struct buf text = BUF_INIT;

	if (!repo_commit(s->repo, id, &c, NULL)) {
		text_visible(c.subject, s->utf8, &text);
		if (columns)
			text_cut(buf_str(&text), columns, s->utf8, out);
		else
			buf_adds(out, buf_str(&text));
	}
	out->failed |= text.failed;
	buf_release(&text);
	git_commit_release(&c);
}

static const char *word_of(const struct shown_step *step)
{
	static const char *const cut[] = { "good", "bad", "skip", "unclear" };
	static const char *const steps[] = { "-", "moved", "skip", "unclear" };
	static const char *const whole[] = { "no change", "changed", "cannot be measured",
					     "inconclusive" };
	static const char *const last[] = { "not confirmed", "confirmed", "cannot be measured",
					    "not confirmed" };

	return step->kind == BISECT_STEP    ? steps[step->mark]
	       : step->kind == BISECT_CUT   ? cut[step->mark]
	       : step->kind == BISECT_WHOLE ? whole[step->mark]
					    : last[step->mark];
}

int show_step(const struct shown *s, struct buf *out, struct err *err)
{
	const struct shown_step *step = &s->steps[s->n_steps - 1];
	struct buf change = BUF_INIT;
	int result;

	show_change(s, step->evidence, step->by_difference, step->low, step->high, &change);
	if (step->kind == BISECT_CUT || step->kind == BISECT_STEP)
		buf_addf(out, "%.12s  %-7s  %-26s  ", step->commit, word_of(step),
			 buf_str(&change));
	else
		buf_addf(out, "%.12s..%.12s  %s  %s", step->base, step->commit, buf_str(&change),
			 word_of(step));
	if (step->kind == BISECT_WHOLE && step->mark == BISECT_BAD)
		buf_addf(out, "; %zu commits", step->n_left);
	else if (step->kind == BISECT_CUT || step->kind == BISECT_STEP)
		add_subject(out, s, step->commit, SUBJECT_COLUMNS);
	if (step->same_code && step->evidence->state == BISECT_MEASURED)
		buf_adds(out, " (same code as one above)");
	buf_addc(out, '\n');
	if (step->mark == BISECT_SKIP && step->evidence->why) {
		buf_adds(out, "    ");
		add_visible(out, s, step->evidence->why);
		buf_addc(out, '\n');
	}
	out->failed |= change.failed;
	buf_release(&change);
	result = buf_check(out, err);
	return result;
}

static int add_commit(struct buf *out, const struct shown *s, const char *id, struct err *err)
{
	struct git_commit c = GIT_COMMIT_INIT;
	char *author = NULL, when[WHEN_ISO];
	int result = -1;

	if (repo_commit(s->repo, id, &c, err) || walk_author(s->repo, id, &author, err))
		goto out;
	buf_addf(out, "commit %s\nAuthor: ", id);
	add_visible(out, s, author);
	buf_addf(out, "\nDate:   %s\n\n    ", when_iso(c.author_time_us, false, when));
	add_visible(out, s, c.subject);
	buf_adds(out, "\n\n");
	result = 0;
out:
	git_commit_release(&c);
	free(author);
	return result;
}

/* What to do next, to be copied: names are quoted for a shell. */
static void add_why(struct buf *out, const struct shown *s, const struct bisect_answer *a)
{
	char *words[] = { (char *)(size_t)s->benchmark, NULL };

	buf_addf(out, "look further: pawl why %.12s..%.12s --benchmark ", a->parent, a->commit);
	words_quote(words, out);
	buf_adds(out, s->typed);
	buf_addc(out, '\n');
}

static void add_suspects(struct buf *out, const struct shown *s, const struct bisect_answer *a)
{
	size_t i;

	for (i = 0; i < a->suspects.n && i < SUSPECTS_SHOWN; i++) {
		buf_addf(out, "    %.12s  ", a->suspects.v[i]);
		add_subject(out, s, a->suspects.v[i], SUBJECT_COLUMNS);
		buf_addc(out, '\n');
	}
	if (i < a->suspects.n)
		buf_addf(out, "    and %zu more\n", a->suspects.n - i);
}

static void add_whole(const struct shown *s, const struct bisect_answer *a, struct buf *out)
{
	struct bisect_change c = bisect_change_of(a->whole, a->by_difference);

	show_change(s, a->whole, a->by_difference, c.low, c.high, out);
}

/*
 * What is left for the other commits, where that is no chance.  It is of two comparisons, between
 * which the machine may have changed.
 */
static void add_rest(struct buf *out, const struct shown *s, const struct bisect_answer *a)
{
	struct bisect_change whole = bisect_change_of(a->whole, a->by_difference);
	struct bisect_evidence rest = { .state = BISECT_MEASURED, .unit = a->whole->unit };
	double left = whole.theta - bisect_change_of(a->delta, a->by_difference).theta;
	double arm = hypot(whole.high - whole.low, a->high - a->low) / 2;

	if (fabs(left) <= arm)
		return;
	rest.theta = rest.difference = left;
	buf_adds(out, "what is left, ");
	show_sum(s, &rest, a->by_difference, out);
	buf_adds(out, ", is of the other commits, or of the machine between the two "
		      "comparisons: --steps compares each commit\n");
}

static int add_range(struct buf *out, const struct shown *s, const struct bisect_answer *a,
		     struct err *err)
{
	add_visible(out, s, s->benchmark);
	buf_addf(out,
		 " moved in one or more of these %zu commits; no single one can be named: %s\n",
		 a->suspects.n, a->why ? a->why : "");
	add_suspects(out, s, a);
	if (a->n_unclear)
		buf_adds(out, "--steps compares each commit of the range\n");
	if (!a->commit[0])
		return 0;
	buf_adds(out, "\nThis one carries it past half of the change, by itself ");
	if (a->delta)
		show_change(s, a->delta, a->by_difference, a->low, a->high, out);
	buf_adds(out, ":\n\n");
	if (add_commit(out, s, a->commit, err))
		return -1;
	add_why(out, s, a);
	return 0;
}

static int add_found(struct buf *out, const struct shown *s, const struct bisect_answer *a,
		     struct err *err)
{
	if (add_commit(out, s, a->commit, err))
		return -1;
	add_visible(out, s, s->benchmark);
	buf_addf(out, " %s with it: ",
		 bisect_change_of(a->delta, a->by_difference).theta > 0 ? "went up" : "went down");
	show_change(s, a->delta, a->by_difference, a->low, a->high, out);
	buf_adds(out, " against its parent");
	/* One interval, the one of the commit: that of both ends together was printed first. */
	if (a->n_commits > 1 &&
	    isfinite(a->by_difference ? a->whole->difference : a->whole->theta)) {
		buf_adds(out, ", of ");
		show_sum(s, a->whole, a->by_difference, out);
		buf_adds(out, " between GOOD and BAD");
	}
	buf_addc(out, '\n');
	add_rest(out, s, a);
	add_why(out, s, a);
	return 0;
}

/* What goes up and comes down again between the ends leaves nothing to search for. */
static void add_not_looked_at(struct buf *out, const struct bisect_answer *a)
{
	if (a->n_commits > 1 && a->whole->state != BISECT_SKIPPED)
		buf_addf(out,
			 "%zu commit%s between %s not looked at, and changes may cancel out: "
			 "--steps compares each\n",
			 a->n_commits - 1, a->n_commits == 2 ? "" : "s",
			 a->n_commits == 2 ? "was" : "were");
}

void show_too_short(size_t n, size_t n_before, struct buf *out)
{
	if (n == n_before)
		buf_adds(out, "no comparison ended in this time: if this is shown again, give a "
			      "longer --budget\n");
}

int show_answer(const struct shown *s, const struct bisect_answer *a, struct buf *out,
		struct err *err)
{
	buf_addc(out, '\n');
	if (a->outcome == BISECT_FOUND) {
		if (add_found(out, s, a, err))
			return -1;
	} else if (a->outcome == BISECT_RANGE) {
		if (add_range(out, s, a, err))
			return -1;
	} else if (a->outcome == BISECT_UNFINISHED) {
		buf_addf(out,
			 "the time is over; %zu commits are left: the same command goes on\n"
			 "go on: %s\n",
			 a->suspects.n, s->again);
		show_too_short(a->n_comparisons, a->n_before, out);
	} else if (a->outcome == BISECT_NOTHING) {
		buf_adds(out, "nothing to bisect: an end cannot be measured; choose another GOOD "
			      "or BAD\n");
	} else {
		add_visible(out, s, s->benchmark);
		buf_adds(out, a->outcome == BISECT_NO_CHANGE ? ": no change between GOOD and BAD: "
							     : ": the data cannot tell whether it "
							       "changed between GOOD and BAD: ");
		add_whole(s, a, out);
		buf_addc(out, '\n');
		add_not_looked_at(out, a);
	}
	buf_addf(out, "%zu step%s, %zu comparison%s", a->n_steps, a->n_steps == 1 ? "" : "s",
		 a->n_comparisons, a->n_comparisons == 1 ? "" : "s");
	if (a->n_before)
		buf_addf(out, " (%zu from before; --reset measures anew)", a->n_before);
	buf_addc(out, '\n');
	return buf_check(out, err);
}
