#include "reporter/judge/apart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/judge/pairs.h"
#include "lib/stats/sample.h"
#include "lib/stats/ttest.h"
#include "reporter/figures/rows.h"

#include "lib/base/banned.h"

#define CONFIDENCE 0.95
#define MOST_NAMES 8	 /* of benchmarks in one line */
#define MOST_DETAIL 1024 /* bytes of why one failed */

static int take_samples(const struct metric *from, struct metric *to, struct err *err)
{
	size_t i;

	free(to->baseline_samples);
	to->baseline_samples = NULL;
	to->n_baseline = 0;
	for (i = 0; i < from->n; i++)
		if (samples_add(&to->baseline_samples, &to->n_baseline, from->samples[i], err))
			return -1;
	return 0;
}

/* False: a value has no log. */
static bool take_logs(const double *x, size_t n, double *out)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (!(x[i] > 0) || !isfinite(x[i]))
			return false;
		out[i] = log(x[i]);
	}
	return true;
}

static void fill(const struct t_test *t, double threshold, struct delta *d)
{
	d->ratio = exp(t->shift);
	d->low = exp(t->low);
	d->high = exp(t->high);
	d->p = d->p_adjusted = t->p;
	d->confidence = t->confidence;
	d->noise_floor = fmax(expm1((t->high - t->low) / 2), threshold);
}

/* Without a spread to judge by, the plain ratio. */
static void fill_plain(const double *base, size_t n_base, const double *head, size_t n_head,
		       struct delta *d)
{
	d->ratio = exp(sample_mean(head, n_head) - sample_mean(base, n_base));
	d->low = d->high = d->p = d->p_adjusted = d->confidence = d->noise_floor = (double)NAN;
}

/* Of values without logs: head - base in the metric's unit.  False: they are not finite. */
static bool fill_difference(const double *base, size_t n_base, const double *head, size_t n_head,
			    struct delta *d)
{
	struct t_test t = { .low = (double)NAN, .high = (double)NAN, .p = (double)NAN };
	double difference = sample_mean(head, n_head) - sample_mean(base, n_base);
	bool is_judged = n_base > 1 && n_head > 1 &&
			 !pooled_t(base, n_base, head, n_head, CONFIDENCE, &t, NULL);

	if (!isfinite(difference))
		return false;
	d->by_difference = true;
	d->ratio = d->low = d->high = d->noise_floor = (double)NAN;
	d->difference = difference + 0.0; /* never -0 */
	d->difference_low = t.low + 0.0;
	d->difference_high = t.high + 0.0;
	d->p = d->p_adjusted = t.p;
	d->confidence = is_judged ? t.confidence : (double)NAN;
	return true;
}

static void begin_delta(struct metric *m)
{
	m->has_delta = true;
	m->delta.by_difference = false;
	m->delta.suspect = false;
	m->delta.verdict = VERDICT_NONE;
}

/* A side without samples: nothing says how far its figure can be trusted. */
static int judge_figures(const struct metric *from, struct metric *m, struct err *err)
{
	double none, base, head;

	if (row_sides(from, &none, &base, err) || row_sides(m, &none, &head, err))
		return -1;
	if (!isfinite(base) || !isfinite(head))
		return 0;
	begin_delta(m);
	if (base > 0 && head > 0) {
		fill_plain(NULL, 0, NULL, 0, &m->delta);
		m->delta.ratio = head / base;
	} else {
		m->has_delta = fill_difference(&base, 1, &head, 1, &m->delta);
	}
	return 0;
}

static int judge_samples(struct metric *m, double threshold, struct err *err)
{
	double *logs = calloc(m->n + m->n_baseline + 1, sizeof(*logs));
	struct t_test t;

	if (!logs)
		return err_nomem(err);
	if (take_logs(m->baseline_samples, m->n_baseline, logs) &&
	    take_logs(m->samples, m->n, logs + m->n_baseline)) {
		begin_delta(m);
		if (m->n > 1 && m->n_baseline > 1 &&
		    !pooled_t(logs, m->n_baseline, logs + m->n_baseline, m->n, CONFIDENCE, &t,
			      NULL))
			fill(&t, threshold, &m->delta);
		else
			fill_plain(logs, m->n_baseline, logs + m->n_baseline, m->n, &m->delta);
	} else {
		begin_delta(m);
		m->has_delta = fill_difference(m->baseline_samples, m->n_baseline, m->samples, m->n,
					       &m->delta);
	}
	free(logs);
	return 0;
}

static int judge_metric(const struct metric *from, double threshold, struct metric *m,
			struct err *err)
{
	if (take_samples(from, m, err))
		return -1;
	return m->n && m->n_baseline ? judge_samples(m, threshold, err)
				     : judge_figures(from, m, err);
}

static const char *why_undecided(const struct metric *m, bool is_one_machine)
{
	if (!is_one_machine)
		return "measured on two machines: what differs may be the machine";
	if (!m->n || !m->n_baseline)
		return "summed-up figures: there are no samples to judge by";
	return isfinite(m->delta.p) ? "measured one after the other: a hint, never a verdict"
				    : "one value a side: nothing says how much of it is noise";
}

/* More than counts: by the ratio, or by a share of what the base has. */
static bool is_worse(const struct bench *b, const struct metric *m)
{
	const struct delta *d = &m->delta;
	double sign = m->better == BETTER_HIGHER ? -1 : 1, size;

	if (!d->by_difference)
		return sign * log(d->ratio) >= log1p(b->threshold);
	size = fabs(sample_mean(m->baseline_samples, m->n_baseline));
	return sign * d->difference >= pairs_least_difference(b->threshold, size);
}

/* A hint, where it is worse, larger than counts and no luck. */
static int judge_gate(const struct bench *b, struct metric *m, bool is_one_machine, struct err *err)
{
	struct delta *d = &m->delta;

	d->verdict = VERDICT_INCONCLUSIVE;
	d->suspect = is_one_machine && d->p <= 1 - CONFIDENCE && is_worse(b, m);
	return str_set(&d->note, why_undecided(m, is_one_machine), err);
}

static int judge_bench(const struct bench *base, struct bench *b, bool is_one_machine,
		       struct err *err)
{
	struct metric *gate = bench_find_metric(b, b->gate);
	size_t i;

	for (i = 0; i < b->n_metrics; i++) {
		const struct metric *from = bench_find_metric(base, b->metrics[i].name);

		b->metrics[i].has_delta = false;
		if (from && !strcmp(from->unit, b->metrics[i].unit) &&
		    judge_metric(from, b->threshold, &b->metrics[i], err))
			return -1;
	}
	b->paired = false;
	b->is_new = false;
	return gate && gate->has_delta ? judge_gate(b, gate, is_one_machine, err) : 0;
}

/*
 * What was cut off the name of a go benchmark: with how many processors it ran, or a part of the
 * name that all of its file had.  Another one is another benchmark.
 */
static const char *suffix_of(const struct bench *b)
{
	return facts_find(&b->facts, "gomaxprocs");
}

static int tell_apart(const struct bench *base, struct bench *b, struct err *err)
{
	const char *old = suffix_of(base), *new = suffix_of(b);
	struct buf text = BUF_INIT;
	int result;

	buf_addf(&text, "not compared: it is '%s%s%s' here and '%s%s%s' in the base", b->name,
		 new ? "-" : "", new ? new : "", b->name, old ? "-" : "", old ? old : "");
	result = buf_check(&text, err) ? -1 : str_set(&b->detail, buf_str(&text), err);
	buf_release(&text);
	return result;
}

/* Why what the base has of it is no base: the first line of that. */
static int tell_base_status(const struct bench *base, struct bench *b, struct err *err)
{
	static const char *const what[BENCH_STATUS_N] = { [BENCH_FAILED] = "failed",
							  [BENCH_TIMEOUT] = "did not end in time",
							  [BENCH_SKIPPED] = "was skipped" };
	const char *why = base->detail ? base->detail : "";
	size_t n = strcspn(why, "\n");
	struct buf text = BUF_INIT;
	int result;

	for (n = n < MOST_DETAIL ? n : MOST_DETAIL; n && (why[n] & 0xc0) == 0x80; n--)
		; /* no character is cut */
	buf_addf(&text, "not compared: it %s in the base%s", what[base->status], n ? ": " : "");
	buf_add(&text, why, n);
	result = buf_check(&text, err) ? -1 : str_set(&b->detail, buf_str(&text), err);
	buf_release(&text);
	return result;
}

static int judge_both(const struct bench *base, struct bench *b, bool is_one_machine,
		      struct err *err)
{
	if (b->status != BENCH_OK)
		return 0;
	if (base->status != BENCH_OK)
		return tell_base_status(base, b, err);
	return str_same(suffix_of(base), suffix_of(b)) ? judge_bench(base, b, is_one_machine, err)
						       : tell_apart(base, b, err);
}

static bool is_in_base_alone(const struct bench *base, const struct summary *head)
{
	return base->status != BENCH_REMOVED && !summary_find(head, base->name);
}

static int add_removed(const struct summary *base, struct summary *head, struct err *err)
{
	size_t i;

	for (i = 0; i < base->n_benchmarks; i++) {
		struct bench *b;

		if (!is_in_base_alone(&base->benchmarks[i], head))
			continue;
		b = summary_add_bench(head, base->benchmarks[i].name, err);
		if (!b)
			return -1;
		b->status = BENCH_REMOVED;
	}
	return 0;
}

/* Where the head is of a part alone, nobody knows whether they were removed. */
static int tell_base_alone(const struct summary *base, struct summary *head, struct err *err)
{
	struct buf names = BUF_INIT;
	size_t i, n = 0;
	int result = 0;

	for (i = 0; i < base->n_benchmarks; i++)
		if (is_in_base_alone(&base->benchmarks[i], head) && ++n <= MOST_NAMES)
			buf_addf(&names, "%s%s", n > 1 ? ", " : "", base->benchmarks[i].name);
	if (n)
		result = buf_check(&names, err) ||
					 strv_addf(&head->environment.warnings, err,
						   "%zu benchmark%s of the base %s not in the "
						   "head: %s%s",
						   n, n == 1 ? "" : "s", n == 1 ? "is" : "are",
						   buf_str(&names), n > MOST_NAMES ? ", ..." : "")
				 ? -1
				 : 0;
	buf_release(&names);
	return result;
}

static const char *cpu_of(const struct machine *m)
{
	return m->cpu ? m->cpu : "unknown processor";
}

static int tell_machines(const struct machine *base, struct summary *head, struct err *err)
{
	return strv_addf(&head->environment.warnings, err,
			 "measured on two machines: the base on %s (%s), the head on %s (%s)",
			 base->id, cpu_of(base), head->machine.id, cpu_of(&head->machine));
}

int judge_apart(const struct summary *base, struct summary *head, struct err *err)
{
	bool is_one_machine = str_same(base->machine.id, head->machine.id);
	size_t i;

	if (str_set(&head->baseline.commit, base->commit.id, err) ||
	    str_set(&head->baseline.how, "stored", err) ||
	    str_set(&head->baseline.why, NULL, err) ||
	    (!is_one_machine && tell_machines(&base->machine, head, err)))
		return -1;
	for (i = 0; i < head->n_benchmarks; i++) {
		struct bench *b = &head->benchmarks[i];
		const struct bench *old = summary_find(base, b->name);

		if (!old || old->status == BENCH_REMOVED)
			b->is_new = !base->settings.partial;
		else if (judge_both(old, b, is_one_machine, err))
			return -1;
	}
	return head->settings.partial ? tell_base_alone(base, head, err)
				      : add_removed(base, head, err);
}
