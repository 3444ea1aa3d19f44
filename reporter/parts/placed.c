#include "reporter/parts/placed.h"

#include <math.h>

#include "reporter/figures/cells.h"

#include "lib/base/banned.h"

static const double TWO_LAYOUTS = 1.959963984540054 * 1.414213562373095; /* 95 % of differences */

bool placed_is_seen(const struct layout_calibration *l)
{
	return l->n > 1 && l->low > 0;
}

double placed_most(const struct layout_calibration *l)
{
	return expm1(TWO_LAYOUTS * l->high);
}

void placed_words(const struct layout_calibration *l, struct buf *out)
{
	if (!l->n)
		return;
	if (placed_is_seen(l)) {
		buf_adds(out, "the same code in another place: up to ");
		cell_floor(l->floor, out);
		buf_adds(out, " either way here");
		return;
	}
	buf_adds(out, "what another place does to the same code is lost in noise here: under ");
	cell_floor(placed_most(l), out);
	buf_adds(out, " either way");
}
