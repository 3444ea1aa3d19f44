#include "lib/judge/widening.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "lib/base/banned.h"

#define CODE_DIGITS 64 /* of an identity: what is behind them is of arguments and inputs */

static bool drew_layouts(const struct bench *b)
{
	size_t i;

	for (i = 0; i < b->n_tracks; i++)
		if (!strcmp(b->tracks[i].name, SUMMARY_LAYOUTS))
			return true;
	return b->layouts.n > 0;
}

/* The same code has the same layout on both sides, unless others were drawn. */
bool widening_is_due(const struct bench *b)
{
	return b->paired && b->binary_id && b->base_binary_id &&
	       strncmp(b->binary_id, b->base_binary_id, CODE_DIGITS) != 0 && !drew_layouts(b);
}

struct widening widening_of(const struct bench *b, const struct metric *m)
{
	const struct layout_calibration *l = &b->calibration.layouts;
	struct widening found = { 0, 0, 0 };

	if (!b->gate || strcmp(b->gate, m->name) != 0)
		return found;
	if (b->calibration.n > 0 && b->calibration.floor > 0 && isfinite(b->calibration.floor))
		found.least = log1p(b->calibration.floor);
	if (l->n > 1 && widening_is_due(b)) {
		found.variance = l->scatter * l->scatter;
		found.df = l->n - 1;
	}
	return found;
}
