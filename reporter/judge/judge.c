#include "reporter/judge/judge.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/stats/describe.h"
#include "lib/stats/family.h"
#include "lib/stats/signedrank.h"
#include "lib/stats/verdict.h"
#include "reporter/judge/notes.h"
#include "reporter/judge/ratios.h"
#include "reporter/judge/stored.h"

#include "lib/base/banned.h"

/* ---- the classic figures ------------------------------------------------------------- */

/* Beyond it squares, and ratios of two of them, are no numbers any more. */
static const double LARGEST = 1e150;

static double largest(const double *x, size_t n)
{
	double most = 0;
	size_t i;

	for (i = 0; i < n; i++)
		if (fabs(x[i]) > fabs(most))
			most = x[i];
	return most;
}

/* A metric that cannot be reckoned with fails alone: it has no values, and says why. */
static int drop_if_too_large(struct metric *m, struct err *err)
{
	double head = largest(m->samples, m->n);
	double base = largest(m->baseline_samples, m->n_baseline);
	double most = fabs(base) > fabs(head) ? base : head;
	char why[80];

	if (fabs(most) <= LARGEST)
		return 0;
	snprintf(why, sizeof(why), "a value of %.3g is too large to be compared", most);
	m->n = m->n_baseline = 0;
	m->state = METRIC_ABSENT;
	return str_set(&m->reason, why, err);
}

static int describe_metric(struct metric *m, double confidence, struct err *err)
{
	struct description d;

	if (drop_if_too_large(m, err))
		return -1;
	if (!m->n)
		return 0;
	if (describe(m->samples, m->n, confidence, &d, err))
		return err_in(err, "%s", m->name);
	m->described = true;
	m->mean = d.mean;
	m->stddev = d.sd;
	m->min = d.min;
	m->max = d.max;
	m->median = d.median;
	m->p99 = d.p99;
	m->ci_low = d.ci_low;
	m->ci_high = d.ci_high;
	m->throughput_per_s = !strcmp(m->unit, "ns") && d.mean > 0 ? 1e9 / d.mean : (double)NAN;
	return 0;
}

/* ---- pairs ---------------------------------------------------------------------------- */

static enum verdict verdict_of(enum call call)
{
	switch (call) {
	case CALL_REGRESSED:
		return VERDICT_REGRESSED;
	case CALL_IMPROVED:
		return VERDICT_IMPROVED;
	case CALL_UNCHANGED:
		return VERDICT_UNCHANGED;
	case CALL_INCONCLUSIVE:
	default:
		return VERDICT_INCONCLUSIVE;
	}
}

/* From the log scale, where worse is positive, to ratios head / base. */
static void fill_ratio(const struct judgement *j, double sign, struct delta *out)
{
	double a = exp(sign * j->low), b = exp(sign * j->high);

	out->by_difference = false;
	out->ratio = exp(sign * j->theta);
	out->low = a < b ? a : b;
	out->high = a < b ? b : a;
	if (!isfinite(j->low) || !isfinite(j->high))
		out->low = out->high = (double)NAN; /* too few pairs for an interval */
	out->noise_floor = isfinite(j->noise_floor) ? expm1(j->noise_floor) : (double)NAN;
	/* What was found could be found. */
	if ((j->call == CALL_REGRESSED || j->call == CALL_IMPROVED) &&
	    expm1(fabs(j->theta)) < out->noise_floor)
		out->noise_floor = expm1(fabs(j->theta));
}

static void fill_difference(const struct judgement *j, double sign, struct delta *out)
{
	double a = sign * j->low, b = sign * j->high;

	out->ratio = out->low = out->high = out->noise_floor = (double)NAN;
	out->by_difference = true;
	out->difference = sign * j->theta + 0.0; /* never -0 */
	out->difference_low = fmin(a, b) + 0.0;
	out->difference_high = fmax(a, b) + 0.0;
	if (!isfinite(a) || !isfinite(b))
		out->difference_low = out->difference_high = (double)NAN;
}

/* The figures of one metric; what was judged is head against base on the scale of its changes. */
static void fill_delta(const struct judgement *j, enum better better, bool by_difference,
		       struct delta *out)
{
	double sign = better == BETTER_HIGHER ? -1 : 1;

	if (by_difference)
		fill_difference(j, sign, out);
	else
		fill_ratio(j, sign, out);
	out->confidence = j->confidence;
	out->p = j->p;
	out->p_adjusted = j->p_adjusted;
	out->pairs_needed = j->pairs_needed;
}

/* ---- one comparison ------------------------------------------------------------------- */

struct family {
	struct family_member *members;
	struct metric **metrics; /* the gate metric of each member, NULL for a failed one */
	struct bench **benches;
	bool *by_difference;
	size_t n;
};

static void family_release(struct family *f)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		free((double *)(uintptr_t)f->members[i].d);
	free(f->members);
	free(f->metrics);
	free(f->benches);
	free(f->by_difference);
}

static bool is_sequential(const struct bench *b)
{
	return b->looks.n && b->looks.level > 0;
}

/* The level of a look where there were looks: whichever of them it is that measuring ended at. */
static double alpha_of(const struct bench *b, const struct settings *s)
{
	return is_sequential(b) ? b->looks.level : 1 - s->confidence;
}

static int judge_one(const struct bench *b, const struct settings *s, const struct pair_changes *c,
		     struct judgement *out, struct err *err)
{
	return judge_pairs(c->d, c->n, alpha_of(b, s), is_sequential(b), c->threshold, out, err);
}

/* A metric that does not gate: its change is shown, without a verdict. */
static int judge_shown(const struct bench *b, struct metric *m, const struct settings *s,
		       struct err *err)
{
	struct pair_changes changes;
	struct judgement j;
	int result;

	if (pair_changes_of(b, m, s->confidence, &changes, err))
		return -1;
	if (!changes.d)
		return 0;
	result = judge_one(b, s, &changes, &j, err);
	if (!result) {
		fill_delta(&j, m->better, changes.by_difference, &m->delta);
		m->delta.verdict = VERDICT_NONE;
		m->delta.pairs_needed = (double)NAN;
		m->has_delta = true;
	}
	pair_changes_release(&changes);
	return result;
}

/* It ran beside its base and still there is nothing to judge: that must not look like no base. */
static int say_no_ratio(struct bench *b, const struct metric *m, struct err *err)
{
	struct buf text = BUF_INIT;
	int result = -1;

	buf_addf(&text, "the pairs of %s give no ratio: some are zero, or one side is missing",
		 m->name);
	if (!buf_check(&text, err))
		result = str_set(&b->detail, buf_str(&text), err);
	buf_release(&text);
	return result;
}

/*
 * The gate metric: joins the family.  What failed, or ran and gave no ratio, was run too, and
 * counts without a p value.
 */
static int join(struct family *f, struct bench *b, const struct settings *s, struct err *err)
{
	struct family_member *member = &f->members[f->n];
	struct metric *m = bench_find_metric(b, b->gate);
	bool failed = b->status == BENCH_FAILED || b->status == BENCH_TIMEOUT;
	struct pair_changes changes = { .threshold = log1p(b->threshold) };

	if (m && pair_changes_of(b, m, s->confidence, &changes, err))
		return -1;
	if (changes.by_totals && str_set(&m->delta.note,
					 "some slices cost more than the others: judged by "
					 "whole runs",
					 err)) {
		pair_changes_release(&changes);
		return -1;
	}
	if (!changes.d && !failed && (!m || !b->paired))
		return 0;
	member->d = changes.d;
	member->n = changes.n;
	member->alpha = alpha_of(b, s);
	member->delta_log = changes.threshold;
	member->n_looks = is_sequential(b) ? b->looks.n : 1;
	f->metrics[f->n] = changes.d ? m : NULL;
	f->benches[f->n] = b;
	f->by_difference[f->n] = changes.by_difference;
	f->n++;
	if (changes.d)
		return judge_one(b, s, &changes, &member->judged, err);
	return failed ? 0 : say_no_ratio(b, m, err);
}

static int judge_all_pairs(struct family *f, struct err *err)
{
	size_t i;

	if (!f->n)
		return 0;
	if (judge_family(f->members, f->n, FAMILY_FDR, true, err))
		return -1;
	for (i = 0; i < f->n; i++) {
		const struct judgement *j = &f->members[i].judged;
		struct metric *m = f->metrics[i];

		if (!m)
			continue;
		fill_delta(j, m->better, f->by_difference[i], &m->delta);
		m->delta.verdict = verdict_of(j->call);
		m->has_delta = true;
		f->benches[i]->n_disturbed = j->n_disturbed;
		if (judge_remarks(f->benches[i], m, err) || judge_doubts(f->benches[i], m, err))
			return -1;
	}
	return 0;
}

/*
 * A gate that could not be measured here must not look like "no change": that benchmark failed,
 * the others are judged.
 */
static int check_gate(struct bench *b, struct err *err)
{
	struct metric *m = bench_find_metric(b, b->gate);
	struct buf why = BUF_INIT;
	int result;

	if (b->status != BENCH_OK || bench_verdict(b) == VERDICT_IDENTICAL || (m && m->n))
		return 0;
	if (b->is_new && !b->n_metrics) /* nothing to hold it against: not measured */
		return 0;
	buf_addf(&why,
		 "it is gated by '%s', which could not be had: %s; set its metric to cpu or wall",
		 b->gate, m && m->reason ? m->reason : "it was not measured");
	b->status = BENCH_FAILED;
	result = buf_check(&why, err) || str_set(&b->detail, buf_str(&why), err) ? -1 : 0;
	buf_release(&why);
	return result;
}

int judge(struct summary *s, const struct history *history, struct err *err)
{
	struct family f = { NULL, NULL, NULL, NULL, 0 };
	size_t i, k, n = s->n_benchmarks ? s->n_benchmarks : 1;
	int result = -1;

	f.members = calloc(n, sizeof(*f.members));
	f.metrics = calloc(n, sizeof(struct metric *));
	f.benches = calloc(n, sizeof(struct bench *));
	f.by_difference = calloc(n, sizeof(*f.by_difference));
	if (!f.members || !f.metrics || !f.benches || !f.by_difference) {
		err_nomem(err);
		goto out;
	}
	for (i = 0; i < s->n_benchmarks; i++) {
		struct bench *b = &s->benchmarks[i];

		for (k = 0; k < b->n_metrics; k++)
			if (describe_metric(&b->metrics[k], s->settings.confidence, err) ||
			    ((!b->gate || strcmp(b->metrics[k].name, b->gate)) &&
			     judge_shown(b, &b->metrics[k], &s->settings, err)))
				goto out;
		if (check_gate(b, err))
			goto out;
		if (join(&f, b, &s->settings, err))
			goto out;
		if (!b->paired && judge_stored(s, b, history, err))
			goto out;
	}
	result = judge_all_pairs(&f, err);
out:
	family_release(&f);
	return result;
}

void tally_of(const struct summary *s, struct tally *out)
{
	size_t i;

	memset(out, 0, sizeof(*out));
	out->n_benchmarks = s->n_benchmarks;
	for (i = 0; i < s->n_benchmarks; i++) {
		const struct bench *b = &s->benchmarks[i];
		enum verdict verdict = bench_verdict(b);

		if (verdict == VERDICT_REGRESSED && b->accepted.commit)
			out->n_accepted++;
		else
			out->n[verdict]++;
		out->n_suspect += bench_delta(b) && bench_delta(b)->suspect;
	}
}

int judge_exit(const struct summary *s, bool strict)
{
	struct tally t;

	tally_of(s, &t);
	if (t.n[VERDICT_FAILED])
		return 4;
	if (t.n[VERDICT_REGRESSED])
		return 1;
	return strict && t.n[VERDICT_INCONCLUSIVE] ? 3 : 0;
}
