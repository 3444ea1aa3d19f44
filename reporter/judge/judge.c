#include "reporter/judge/judge.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/judge/pairs.h"
#include "lib/stats/describe.h"
#include "reporter/judge/notes.h"
#include "reporter/judge/stored.h"

#include "lib/base/banned.h"

/* ---- the classic figures ------------------------------------------------------------- */

/* Beyond it squares, and ratios of two of them, are no numbers any more. */
static const double LARGEST = 1e150;

enum { MOST_NAMED = 4 };

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
	m->described = false;
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

/* A metric that does not gate: its change is shown, without a verdict. */
static int judge_shown(const struct bench *b, struct metric *m, struct err *err)
{
	struct pair_changes how;
	struct judgement j;

	if (pairs_judge(b, m, 1, &j, &how, err))
		return -1;
	if (!j.n)
		return 0;
	pairs_delta(&j, m->better, how.by_difference, &m->delta);
	m->delta.verdict = VERDICT_NONE;
	m->has_delta = true;
	return 0;
}

/* ---- one comparison ------------------------------------------------------------------- */

/* What failed, or ran and gave no ratio, was run too, and counts without a p value. */
struct family {
	struct bench **benches;
	struct judgement *judged;
	size_t n;
};

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

static int judge_gate(const struct family *f, struct bench *b, struct judgement *out,
		      struct err *err)
{
	struct metric *m = bench_find_metric(b, b->gate);
	struct pair_changes how;

	if (!m)
		return 0;
	if (pairs_judge(b, m, f->n, out, &how, err))
		return -1;
	if (pairs_layouts(b, m, &b->layouts, err))
		return -1;
	if (!out->n)
		return bench_has_failed(b) ? 0 : say_no_ratio(b, m, err);
	m->has_delta = true;
	m->delta.by_difference = how.by_difference;
	return str_set(&m->delta.note,
		       how.by_totals ? "some slices cost more than the others: judged by whole runs"
				     : NULL,
		       err);
}

static int judge_all_pairs(const struct family *f, struct err *err)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		if (judge_gate(f, f->benches[i], &f->judged[i], err))
			return -1;
	if (f->n && judge_family(f->judged, f->n, err))
		return -1;
	for (i = 0; i < f->n; i++) {
		const struct judgement *j = &f->judged[i];
		struct bench *b = f->benches[i];
		struct metric *m = bench_find_metric(b, b->gate);

		if (!j->n)
			continue;
		pairs_delta(j, m->better, m->delta.by_difference, &m->delta);
		b->n_disturbed = j->n_disturbed;
		if (judge_remarks(b, m, j, err) || judge_doubts(b, m, err) || judge_hint(b, m, err))
			return -1;
	}
	return 0;
}

/* "; set its metric to one that it has: wall, allocs": few of them. */
static void add_had(const struct bench *b, struct buf *out)
{
	size_t i, n = 0;

	for (i = 0; i < b->n_metrics && n < MOST_NAMED; i++) {
		const struct metric *m = &b->metrics[i];

		if (m->n || m->described)
			buf_addf(out, "%s%s",
				 n++ ? ", " : "; set its metric to one that it has: ", m->name);
	}
}

/*
 * A gate that could not be measured here must not look like "no change": that benchmark failed,
 * the others are judged.
 */
static int check_gate(struct bench *b, bool is_imported, struct err *err)
{
	struct metric *m = bench_find_metric(b, b->gate);
	struct buf why = BUF_INIT;
	int result;

	if (b->status != BENCH_OK || bench_verdict(b) == VERDICT_IDENTICAL ||
	    (m && (m->n || m->described)))
		return 0;
	if (!b->gate) /* nothing was to be judged by */
		return 0;
	if (b->is_new && !b->n_metrics) /* nothing to hold it against: not measured */
		return 0;
	buf_addf(&why, "it is gated by '%s', which could not be had: %s", b->gate,
		 m && m->reason ? m->reason : "it was not measured");
	if (!is_imported && strcmp(b->gate, "cpu") && strcmp(b->gate, "wall"))
		add_had(b, &why);
	b->status = BENCH_FAILED;
	result = buf_check(&why, err) || str_set(&b->detail, buf_str(&why), err) ? -1 : 0;
	buf_release(&why);
	return result;
}

int judge(struct summary *s, const struct history *history, struct err *err)
{
	size_t i, k, n = s->n_benchmarks ? s->n_benchmarks : 1;
	struct family f = { calloc(n, sizeof(struct bench *)), calloc(n, sizeof(*f.judged)), 0 };
	int result = -1;

	if (!f.benches || !f.judged) {
		err_nomem(err);
		goto out;
	}
	for (i = 0; i < s->n_benchmarks; i++) {
		struct bench *b = &s->benchmarks[i];

		for (k = 0; k < b->n_metrics; k++)
			if (describe_metric(&b->metrics[k], s->settings.confidence, err) ||
			    ((!b->gate || strcmp(b->metrics[k].name, b->gate)) &&
			     judge_shown(b, &b->metrics[k], err)))
				goto out;
		if (check_gate(b, s->imported.n > 0, err))
			goto out;
		if (bench_has_failed(b) || (b->paired && bench_find_metric(b, b->gate)))
			f.benches[f.n++] = b;
		if (!b->paired && judge_stored(s, b, history, err))
			goto out;
	}
	result = judge_all_pairs(&f, err);
out:
	free(f.benches);
	free(f.judged);
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
		out->n_unmeasured += s->settings.budget_ns && b->status == BENCH_SKIPPED;
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
	return strict && (t.n[VERDICT_INCONCLUSIVE] || t.n_unmeasured) ? 3 : 0;
}
