#include "reporter/judge/layout.h"

#include <math.h>
#include <string.h>

#include "lib/base/banned.h"

#define CODE_DIGITS 64 /* of an identity: what stands behind them is of arguments and inputs */

/* Of the same code both sides have the same layout, unless others were drawn. */
static bool is_of_one_layout(const struct bench *b)
{
	return b->paired && !b->layouts.n && b->binary_id && b->base_binary_id &&
	       strncmp(b->binary_id, b->base_binary_id, CODE_DIGITS) != 0;
}

void judge_layout_widen(const struct bench *b, const struct pair_changes *how,
			struct judgement *judged)
{
	const struct layout_calibration *l = &b->calibration.layouts;

	if (l->n > 1 && is_of_one_layout(b) && !how->by_difference)
		judge_widen(judged, l->scatter * l->scatter, l->n - 1);
}

static bool is_called(const struct delta *d)
{
	return d->verdict == VERDICT_REGRESSED || d->verdict == VERDICT_IMPROVED;
}

void judge_layout_note(const struct bench *b, const struct metric *m, struct buf *out)
{
	const struct layout_calibration *l = &b->calibration.layouts;
	const struct delta *d = &m->delta;

	if (!is_of_one_layout(b) || d->by_difference)
		return;
	if (l->n > 1 && fabs(log(d->ratio)) >= log1p(b->threshold))
		buf_adds(out, "one layout of each side: widened by what layouts do here");
	else if (l->n <= 1 && is_called(d))
		buf_adds(out, "one layout of each side: part of it may be where the linker put "
			      "things");
}
