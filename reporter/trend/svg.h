/*
 * trend_svg - the picture of a trend, as a file of its own or inside a page.
 */
#ifndef PAWL_REPORTER_TREND_SVG_H
#define PAWL_REPORTER_TREND_SVG_H

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "reporter/trend/trend.h"

/*
 * Appends one <svg> element.  is_headed: it says by itself what it is of; a page says that
 * above it.  Errors: ERR_RANGE, ERR_NOMEM.  Cost: O(points).
 */
int trend_svg_element(const struct trend *t, bool is_headed, struct buf *out, struct err *err);

#endif
