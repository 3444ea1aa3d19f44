/*
 * plot_interval - the interval of each delta as a small picture, all on one axis, for a table.
 */
#ifndef PAWL_REPORTER_PLOT_INTERVAL_H
#define PAWL_REPORTER_PLOT_INTERVAL_H

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "reporter/figures/rows.h"

/* From -reach to reach, a share: 0.05 is 5 %. */
struct interval_axis {
	double reach; /* 0: no delta at all */
};

/*
 * A round number that holds every interval, unless leaving the widest quarter out makes it five
 * times shorter: those end in an arrow.  Errors: ERR_NOMEM.  Cost: O(n log n).
 */
int interval_axis_of(const struct rows *rows, struct interval_axis *out, struct err *err);

/* Rules of style for the pictures, to be put once into the page. */
extern const char interval_style[];

/* Appends the axis: its ends and no change. */
void interval_axis_svg(const struct interval_axis *axis, struct buf *out);

/* Appends estimate and interval, on a band that is the threshold; nothing without a delta. */
void interval_svg(const struct interval_axis *axis, const struct row *row, struct buf *out);

#endif
