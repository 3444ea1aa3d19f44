#include <math.h>
#include <string.h>

#include "cli/bisect/job.h"
#include "cli/tries.h"
#include "collector/compare.h"
#include "lib/base/when.h"
#include "lib/judge/pairs.h"
#include "reporter/judge/judge.h"

#include "lib/base/banned.h"

/* 0: as many as decide it. */
static const unsigned pairs_of[BISECT_EFFORTS] = { 10, 40, [BISECT_LOOKS] = 0, 100, 400 };

/*
 * The benchmark in a summary.  Where nothing was run, a program's benchmarks are not known by their
 * own names: "deflate" then stands for "deflate/6".
 */
static const struct bench *find(const struct summary *s, const char *name)
{
	const struct bench *b = summary_find(s, name);
	size_t i;

	for (i = 0; !b && i < s->n_benchmarks; i++)
		if (str_below(name, s->benchmarks[i].name))
			b = &s->benchmarks[i];
	return b;
}

static int say_skip(struct bisect_evidence *out, const char *why, struct err *err)
{
	out->state = BISECT_SKIPPED;
	out->passing = why && !tries_of(why);
	if (str_set(&out->why, why ? why : "the benchmark is not there", err))
		return -1;
	if (strchr(out->why, '\n'))
		*strchr(out->why, '\n') = '\0';
	return 0;
}

static const struct metric *gate_of(const struct bench *b)
{
	return b ? bench_find_metric(b, b->gate) : NULL;
}

/* Beside a ratio too: an end that is 0 has none, and all commits are compared on one scale. */
static int read_difference(const struct bench *b, struct bisect_evidence *out, struct err *err)
{
	const struct metric *m = gate_of(b);
	struct delta d;

	if (pairs_difference(b, m, &d, err))
		return -1;
	out->difference = d.difference;
	out->difference_low = d.difference_low;
	out->difference_high = d.difference_high;
	return str_set(&out->unit, m->unit, err);
}

/* It was measured although its code is the same: something else makes what it does. */
static bool is_more_than_code(const struct bench *b, enum verdict verdict)
{
	return verdict != VERDICT_IDENTICAL && b->binary_id && b->base_binary_id &&
	       !strcmp(b->binary_id, b->base_binary_id);
}

static int read_delta(const struct bench *b, struct bisect_evidence *out, struct err *err)
{
	const struct delta *delta = b ? bench_delta(b) : NULL;
	enum verdict verdict = b ? bench_verdict(b) : VERDICT_REMOVED;

	out->verdict = verdict;
	if (b && !is_more_than_code(b, verdict) && str_set(&out->code, b->binary_id, err))
		return -1;
	if (verdict == VERDICT_IDENTICAL) {
		out->state = BISECT_IDENTICAL;
		return 0;
	}
	if (b && b->status == BENCH_SKIPPED) /* its turn did not come */
		return 0;
	if (!b || b->status != BENCH_OK || !b->paired || verdict == VERDICT_FAILED)
		return say_skip(out, b && verdict == VERDICT_FAILED ? b->detail : NULL, err);
	out->state = BISECT_MEASURED;
	if (!delta)
		return 0; /* it ran and gave no figure: more pairs may */
	if (!delta->by_difference) {
		out->theta = log(delta->ratio);
		out->low = log(delta->low);
		out->high = log(delta->high);
	}
	out->confidence = delta->confidence;
	return read_difference(b, out, err);
}

static bool is_over(const struct bisect_job *j)
{
	return j->deadline_ns && when_monotonic_ns() >= j->deadline_ns;
}

/* Once: where it goes on, it has to begin again. */
static void tell_lacking(struct bisect_job *j, bool lacks_parts)
{
	if (lacks_parts && !j->is_lacking)
		talk_note(j->c->talk, "comparisons without submodules or files of LFS that are not "
				      "here are not kept for the next call");
	j->is_lacking = j->is_lacking || lacks_parts;
}

int bisect_job_measure(void *ctx, const char *base, const char *head, int effort,
		       struct bisect_evidence *out, struct err *err)
{
	struct bisect_job *j = ctx;
	struct history none = HISTORY_INIT;
	struct compare_request rq = { .repo = j->c->repo,
				      .config = &j->c->config,
				      .state_dir = j->c->state_dir,
				      .base = base,
				      .head = head,
				      .submodules = j->submodules,
				      .partial = j->o->command.n > 0,
				      .only = &j->only,
				      .quick = j->o->quick,
				      .pairs = pairs_of[effort],
				      .known = &j->c->known,
				      .waiting_counts = true,
				      .talk = j->c->talk };
	uint64_t now = when_monotonic_ns();
	const struct bench *b;
	struct summary s;
	int result = -1;

	if (j->deadline_ns) {
		if (now >= j->deadline_ns)
			return 0; /* *out says no time, as it was given */
		rq.budget_ns = j->deadline_ns - now;
	}
	if (compare(&rq, &s, err)) {
		/* Another pawl measured for all of it. */
		if (err->code != ERR_BUSY || !is_over(j))
			return -1;
		err_clear(err);
		return 0;
	}
	b = find(&s, j->o->benchmark);
	if (judge(&s, &none, err) || read_delta(b, out, err))
		goto out;
	out->pairs = gate_of(b) ? gate_of(b)->n : 0;
	out->passing = out->passing || s.settings.lacks_parts;
	tell_lacking(j, s.settings.lacks_parts);
	/* What was cut short says less than its effort promises: it is not kept. */
	if (is_over(j) && out->state == BISECT_MEASURED)
		out->state = BISECT_NO_TIME;
	result = 0;
out:
	summary_release(&s);
	return result;
}
