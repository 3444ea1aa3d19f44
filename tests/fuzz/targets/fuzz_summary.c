/* A summary from anybody: refused, or read so that it can be written and read again. */
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

#include "lib/record/summary.h"

#include "lib/base/banned.h"

static bool same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static void hold_numbers(const double *a, size_t n_a, const double *b, size_t n_b)
{
	size_t i;

	must(n_a == n_b);
	for (i = 0; i < n_a; i++)
		must(isfinite(a[i]) && a[i] == b[i]);
}

static void hold_delta(const struct delta *a, const struct delta *b)
{
	must(same(a->ratio, b->ratio) && same(a->low, b->low) && same(a->high, b->high));
	must(!(a->low > a->high));
	must(same(a->confidence, b->confidence));
	must(same(a->p, b->p) && same(a->p_adjusted, b->p_adjusted));
	must(same(a->noise_floor, b->noise_floor));
	must(a->suspect == b->suspect && a->verdict == b->verdict);
	must(same_text(a->note, b->note));
}

static void hold_metric(const struct metric *a, const struct metric *b)
{
	must(same_text(a->name, b->name) && same_text(a->unit, b->unit));
	must(a->better == b->better && a->state == b->state && same_text(a->reason, b->reason));
	hold_numbers(a->samples, a->n, b->samples, b->n);
	hold_numbers(a->baseline_samples, a->n_baseline, b->baseline_samples, b->n_baseline);
	must(a->described == b->described && a->has_delta == b->has_delta);
	if (a->described)
		must(same(a->mean, b->mean) && same(a->median, b->median) &&
		     same(a->stddev, b->stddev) && same(a->min, b->min) && same(a->max, b->max) &&
		     same(a->p99, b->p99) && same(a->throughput_per_s, b->throughput_per_s));
	if (a->has_delta)
		hold_delta(&a->delta, &b->delta);
}

static void hold_bench(const struct bench *a, const struct bench *b)
{
	size_t i;

	must(same_text(a->name, b->name) && same_text(a->command, b->command));
	must(same_text(a->detail, b->detail) && same_text(a->gate, b->gate));
	must(a->status == b->status && a->is_new == b->is_new && a->paired == b->paired);
	must(a->iterations == b->iterations && a->n_void == b->n_void);
	must(same(a->threshold, b->threshold) && bench_verdict(a) == bench_verdict(b));
	must(a->n_metrics == b->n_metrics && a->n_tracks == b->n_tracks);
	for (i = 0; i < a->n_metrics; i++)
		hold_metric(&a->metrics[i], &b->metrics[i]);
	for (i = 0; i < a->n_tracks; i++) {
		hold_numbers(a->tracks[i].head, a->tracks[i].n_head, b->tracks[i].head,
			     b->tracks[i].n_head);
		hold_numbers(a->tracks[i].base, a->tracks[i].n_base, b->tracks[i].base,
			     b->tracks[i].n_base);
	}
}

static void hold_same(const struct summary *a, const struct summary *b)
{
	size_t i;

	must(same_text(a->id, b->id) && same_text(a->project, b->project));
	must(same_text(a->commit.id, b->commit.id) && a->commit.dirty == b->commit.dirty);
	must(same_text(a->commit.subject, b->commit.subject));
	must(same_text(a->machine.id, b->machine.id) && a->machine.more.n == b->machine.more.n);
	must(same(a->environment.load, b->environment.load));
	must(a->environment.warnings.n == b->environment.warnings.n);
	must(a->settings.seed == b->settings.seed && a->settings.runs_max == b->settings.runs_max);
	must(same_text(a->baseline.commit, b->baseline.commit));
	must(a->n_benchmarks == b->n_benchmarks);
	for (i = 0; i < a->n_benchmarks; i++)
		hold_bench(&a->benchmarks[i], &b->benchmarks[i]);
}

static void hold_metrics(const struct bench *brief, const struct bench *whole)
{
	size_t i;

	must(bench_verdict(brief) == bench_verdict(whole));
	must(brief->n_metrics == whole->n_metrics);
	for (i = 0; i < brief->n_metrics; i++) {
		const struct metric *x = &brief->metrics[i], *y = &whole->metrics[i];

		must(!strcmp(x->name, y->name) && !strcmp(x->unit, y->unit));
		must(x->n == y->n && x->n_baseline == y->n_baseline);
		must(!x->n || !memcmp(x->samples, y->samples, x->n * sizeof(*x->samples)));
	}
}

/* Whoever keeps less of it takes and refuses the same, and judges it alike. */
static void hold_brief(const uint8_t *data, size_t n, const struct summary *whole,
		       const struct err *fault)
{
	struct err err = ERR_INIT;
	struct summary s;
	int result = summary_decode_brief((const char *)data, n, &s, &err);
	size_t i;

	must(result == (fault->code ? -1 : 0) && err.code == fault->code);
	must(!fault->code || !strcmp(err.text, fault->text));
	must(fault->code || s.n_benchmarks == whole->n_benchmarks);
	for (i = 0; !fault->code && i < s.n_benchmarks; i++)
		hold_metrics(&s.benchmarks[i], &whole->benchmarks[i]);
	summary_release(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct buf first = BUF_INIT, second = BUF_INIT;
	struct err err = ERR_INIT;
	struct summary a, b;

	if (summary_decode((const char *)data, n, &a, &err)) {
		must(err.code != ERR_NONE && *err.text && fuzz_is_line(err.text));
		hold_brief(data, n, NULL, &err);
		return 0;
	}
	fuzz_accept();
	hold_brief(data, n, &a, &err);
	must(!summary_encode(&a, 0, &first, &err));
	must(!summary_decode(buf_str(&first), first.len, &b, &err));
	hold_same(&a, &b);
	must(!summary_encode(&b, 0, &second, &err));
	must(!strcmp(buf_str(&first), buf_str(&second)));
	summary_release(&a);
	summary_release(&b);
	buf_release(&first);
	buf_release(&second);
	return 0;
}
