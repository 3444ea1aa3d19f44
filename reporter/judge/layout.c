#include "reporter/judge/layout.h"

#include <math.h>

#include "lib/judge/widening.h"

#include "lib/base/banned.h"

static bool is_called(const struct delta *d)
{
	return d->verdict == VERDICT_REGRESSED || d->verdict == VERDICT_IMPROVED;
}

void judge_layout_note(const struct bench *b, const struct metric *m, struct buf *out)
{
	const struct layout_calibration *l = &b->calibration.layouts;
	const struct delta *d = &m->delta;

	if (!widening_is_due(b) || d->by_difference)
		return;
	if (l->n > 1 && fabs(log(d->ratio)) >= log1p(b->threshold))
		buf_addf(out, "one layout of each side: widened by what layouts do here%s",
			 is_called(d) ? "" : ", which more pairs do not narrow");
	else if (l->n <= 1 && is_called(d))
		buf_adds(out, "one layout of each side: part of it may be where the linker put "
			      "things");
}
