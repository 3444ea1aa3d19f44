/*
 * placed - what the same code in another place differs by, in words.
 */
#ifndef PAWL_REPORTER_PARTS_PLACED_H
#define PAWL_REPORTER_PARTS_PLACED_H

#include <stdbool.h>

#include "lib/base/buf.h"
#include "lib/record/summary.h"

/* Whether it stands out from the noise of the pairs that told it. */
bool placed_is_seen(const struct layout_calibration *l);

/* "the same code in another place: up to 1.3 % either way here"; where n is 0, nothing. */
void placed_words(const struct layout_calibration *l, struct buf *out);

/* What two layouts differ by less than, where what they do is lost in noise: 0.07 is 7 %. */
double placed_most(const struct layout_calibration *l);

#endif
