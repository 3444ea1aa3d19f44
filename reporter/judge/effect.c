#include "reporter/judge/effect.h"

#include <math.h>
#include <stddef.h>

#include "reporter/figures/cells.h"

#include "lib/base/banned.h"

static const double SAME_WORK = 0.001; /* what start-up and addresses of the stack may differ by */

static enum work work_class(double ratio)
{
	if (!(ratio > 0) || isinf(ratio))
		return WORK_UNKNOWN;
	if (fabs(ratio - 1) <= SAME_WORK)
		return WORK_SAME;
	return ratio > 1 ? WORK_MORE : WORK_LESS;
}

enum work work_of(const struct bench *b)
{
	const struct metric *m = bench_find_metric(b, "instructions");

	if (b->work.how && b->work.head > 0 && b->work.base > 0)
		return work_class(b->work.head / b->work.base);
	if (!b->paired || !m || !m->n || !m->has_delta)
		return WORK_UNKNOWN;
	if (!isfinite(m->delta.low) || !isfinite(m->delta.high))
		return WORK_UNKNOWN;
	if (m->delta.low > 1 || m->delta.high < 1)
		return work_class(m->delta.ratio);
	if (m->delta.low >= 1 / (1 + b->threshold) && m->delta.high <= 1 + b->threshold)
		return WORK_SAME;
	return WORK_UNKNOWN; /* too wide to say */
}

const char *effect_phrase(enum verdict verdict, enum work work)
{
	static const struct {
		enum verdict verdict;
		const char *less, *same, *more;
	} phrases[] = {
		{ VERDICT_REGRESSED, "less work, yet slower (layout, cache, memory)",
		  "same work, slower (layout, cache, memory)", "more work and slower" },
		{ VERDICT_IMPROVED, "less work and faster",
		  "same work, faster (layout, cache, memory)", "more work, yet faster" },
		{ VERDICT_UNCHANGED, "less work, not faster", NULL, "more work, not slower" },
		{ VERDICT_INCONCLUSIVE, "less work, time undecided", "same work, time undecided",
		  "more work, time undecided" },
	};
	size_t i;

	for (i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++) {
		if (phrases[i].verdict != verdict)
			continue;
		return work == WORK_LESS   ? phrases[i].less
		       : work == WORK_SAME ? phrases[i].same
		       : work == WORK_MORE ? phrases[i].more
					   : NULL;
	}
	return NULL;
}

const char *effect_of(const struct bench *b)
{
	const struct metric *gate = bench_find_metric(b, b->gate);

	if (!gate || !gate->has_delta || !b->paired || !cell_is_duration(gate))
		return NULL;
	return effect_phrase(bench_verdict(b), work_of(b));
}
