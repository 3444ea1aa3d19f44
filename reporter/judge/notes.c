#include "reporter/judge/notes.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/stats/groups.h"
#include "lib/stats/sample.h"
#include "reporter/figures/cells.h"
#include "reporter/figures/scale.h"
#include "lib/stats/verdict.h"
#include "reporter/judge/layout.h"
#include "reporter/judge/states.h"

#include "lib/base/banned.h"

/* Adds a text to the delta's note, behind "; " when there is one. */
static int add_note(struct delta *delta, const char *text, struct err *err)
{
	struct buf both = BUF_INIT;
	int result;

	buf_addf(&both, "%s%s%s", delta->note ? delta->note : "", delta->note ? "; " : "", text);
	result = buf_check(&both, err) || str_set(&delta->note, buf_str(&both), err) ? -1 : 0;
	buf_release(&both);
	return result;
}

static int note_tails(struct metric *m, struct err *err)
{
	struct delta *delta = &m->delta;
	double base, mean;

	if (!isfinite(delta->low) || !isfinite(delta->high)) /* too few pairs, or no ratio */
		return 0;
	base = sample_mean(m->baseline_samples, m->n_baseline);
	if (!(base > 0))
		return 0;
	mean = sample_mean(m->samples, m->n) / base;
	if (delta->note || (mean >= delta->low && mean <= delta->high))
		return 0;
	return add_note(delta, "the mean moved differently from the median: rare slow runs changed",
			err);
}

/* Groups closer than the threshold are no matter. */
static bool has_groups(const double *x, size_t n, double threshold, struct groups *out)
{
	return !groups_of(x, n, out, NULL) && out->found && out->low > 0 &&
	       out->high / out->low >= 1 + threshold;
}

static int note_groups(const struct bench *b, struct metric *m, struct err *err)
{
	struct groups head, base;
	const struct groups *shown;
	struct buf text = BUF_INIT;
	bool in_head, in_base;
	int result;

	if (!cell_is_duration(m))
		return 0;
	in_head = has_groups(m->samples, m->n, b->threshold, &head);
	in_base = has_groups(m->baseline_samples, m->n_baseline, b->threshold, &base);
	if (!in_head && !in_base)
		return 0;
	shown = in_head ? &head : &base;
	buf_addf(&text, "times %sfall into two groups, about ",
		 in_head && in_base ? "of both sides "
		 : in_head	    ? "of the head "
				    : "of the base ");
	scale_value(shown->low, m->unit, &text);
	buf_adds(&text, " and ");
	scale_value(shown->high, m->unit, &text);
	result = buf_check(&text, err) || add_note(&m->delta, buf_str(&text), err) ? -1 : 0;
	buf_release(&text);
	return result;
}

/* Of differences: the typical pair did not move. */
static int note_rare(struct metric *m, struct err *err)
{
	return add_note(&m->delta,
			"few pairs differ, by more than counts: the mean moves and the typical run "
			"does not",
			err);
}

static int note_states(const struct bench *b, struct metric *m, struct err *err)
{
	struct buf text = BUF_INIT;
	struct states s;
	int result;

	if (judge_states(b, m, &s, err))
		return -1;
	if (!s.differ)
		return 0;
	buf_addf(&text,
		 "the change depends on the state of the machine%s: %+.2g %% where a run takes ",
		 s.or_layout ? ", or on the layout" : "", 100 * (s.quick_ratio - 1));
	scale_value(s.quick, m->unit, &text);
	buf_addf(&text, ", %+.2g %% where it takes ", 100 * (s.slow_ratio - 1));
	scale_value(s.slow, m->unit, &text);
	result = buf_check(&text, err) || add_note(&m->delta, buf_str(&text), err) ? -1 : 0;
	buf_release(&text);
	return result;
}

int judge_remarks(const struct bench *b, struct metric *m, const struct judgement *judged,
		  struct err *err)
{
	if (judged->is_rare && m->delta.verdict == VERDICT_INCONCLUSIVE && judged->theta == 0 &&
	    note_rare(m, err))
		return -1;
	if (judged->sticks &&
	    add_note(&m->delta,
		     "one side stays slow or fast for many pairs at a time: something "
		     "other than the code differs, and may be all that does",
		     err))
		return -1;
	return note_tails(m, err) || note_groups(b, m, err) || note_states(b, m, err) ? -1 : 0;
}

/* |theta| < ln(1 + floor) was seen between two sides that are the same. */
static int doubt_floor(const struct bench *b, struct metric *m, struct err *err)
{
	const struct calibration *c = &b->calibration;
	struct delta *d = &m->delta;
	struct buf text = BUF_INIT;
	int result;

	if (c->n <= 0 || !(c->floor > 0) || !isfinite(c->floor) || d->by_difference)
		return 0;
	if (d->noise_floor < c->floor)
		d->noise_floor = c->floor;
	/* The rule left it open for that alone (lib/judge/widening.h). */
	if (d->verdict != VERDICT_INCONCLUSIVE || !(d->p_adjusted <= VERDICT_RATE) ||
	    fabs(log(d->ratio)) < log1p(b->threshold) || fabs(log(d->ratio)) >= log1p(c->floor))
		return 0;
	buf_adds(&text, "identical code differed by up to ");
	cell_floor(c->floor, &text);
	buf_adds(&text, " here");
	result = buf_check(&text, err) || add_note(d, buf_str(&text), err) ? -1 : 0;
	buf_release(&text);
	return result;
}

/*
 * Runs that fail or take too long are no fair draw from all runs: where many were repeated, what
 * is left says nothing about the benchmark.
 */
static int doubt_void(const struct bench *b, struct metric *m, struct err *err)
{
	char text[120];

	if (b->n_void * 10 <= b->n_void + m->n)
		return 0;
	m->delta.verdict = VERDICT_INCONCLUSIVE;
	snprintf(text, sizeof(text),
		 "%llu of %llu pairs failed and were repeated: too many to judge",
		 (unsigned long long)b->n_void, (unsigned long long)b->n_void + m->n);
	return str_set(&m->delta.note, text, err);
}

static int note_layout(const struct bench *b, struct metric *m, struct err *err)
{
	struct buf text = BUF_INIT;
	int result;

	judge_layout_note(b, m, &text);
	result = buf_check(&text, err) || (text.len && add_note(&m->delta, buf_str(&text), err))
			 ? -1
			 : 0;
	buf_release(&text);
	return result;
}

/* A change that reaches the threshold, and an interval that leaves 0 out. */
static bool is_change(const struct delta *d, double threshold)
{
	return isfinite(d->ratio) && !d->by_difference && d->ratio > 0 &&
	       fabs(log(d->ratio)) >= log1p(threshold) && (d->low > 1 || d->high < 1);
}

/* What another metric than the gate shows, and what follows from it. */
static int note_other(struct metric *m, const char *what, const struct metric *other,
		      const char *consequence, struct err *err)
{
	struct buf text = BUF_INIT;
	int result;

	buf_addf(&text, "%s differs by ", what);
	cell_delta(&other->delta, other->unit, &text);
	buf_addc(&text, ' ');
	cell_interval(&other->delta, other->unit, &text);
	buf_addf(&text, ": %s", consequence);
	result = buf_check(&text, err) || add_note(&m->delta, buf_str(&text), err) ? -1 : 0;
	buf_release(&text);
	return result;
}

/*
 * That it does not wait was seen before the pairs ran.  Who begins to wait later, as when a cache
 * is full, takes the user longer: no "unchanged", but where CPU time was asked for.
 */
static int doubt_waiting(const struct bench *b, struct metric *m, struct err *err)
{
	const struct metric *wall = bench_find_metric(b, "wall");

	if (strcmp(m->name, "cpu") || m->delta.verdict != VERDICT_UNCHANGED || !b->gate_why ||
	    strcmp(b->gate_why, BENCH_DOES_NOT_WAIT) || !wall || !wall->has_delta ||
	    !(wall->delta.p <= VERDICT_RATE) || !is_change(&wall->delta, b->threshold))
		return 0;
	m->delta.verdict = VERDICT_INCONCLUSIVE;
	m->delta.noise_floor = (double)NAN; /* more pairs would tell no more */
	return note_other(m, "wall time", wall,
			  "one side waits, which CPU time does not show; with 'metric = wall' that "
			  "decides, with 'metric = cpu' it does not count",
			  err);
}

int judge_doubts(const struct bench *b, struct metric *m, struct err *err)
{
	return doubt_floor(b, m, err) || note_layout(b, m, err) || doubt_void(b, m, err) ||
			       doubt_waiting(b, m, err)
		       ? -1
		       : 0;
}

int judge_hint(const struct bench *b, struct metric *m, struct err *err)
{
	const struct metric *cpu = bench_find_metric(b, "cpu");

	if (strcmp(m->name, "wall") || m->delta.verdict != VERDICT_INCONCLUSIVE || !cpu ||
	    !cpu->has_delta || !is_change(&cpu->delta, b->threshold))
		return 0;
	return note_other(m, "CPU time", cpu,
			  "with 'metric = cpu' it decides, and waiting goes unseen", err);
}
