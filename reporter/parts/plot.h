/*
 * plot - the distributions of one benchmark of a summary.
 */
#ifndef PAWL_REPORTER_PARTS_PLOT_H
#define PAWL_REPORTER_PARTS_PLOT_H

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/record/summary.h"
#include "reporter/figures/rows.h"
#include "reporter/plot/plot.h"
#include "reporter/parts/options.h"

/*
 * The samples of the gate metric of the benchmark of that name, or of the first row that has
 * samples when name is NULL; it points into the summary and into names, which get what both sides
 * are called and are released by the caller.
 *
 * Errors: ERR_ABSENT when there is no such benchmark, or it has no samples.  ERR_NOMEM.
 */
int render_plot_find(const struct summary *s, const struct rows *rows, const char *name,
		     struct buf names[2], struct plot_cdf *out, struct err *err);

/*
 * Appends an empty line and the plot for a terminal; nothing when none was named and no
 * benchmark has samples.  Errors: as above, ERR_NOMEM.
 */
int render_plot(const struct summary *s, const struct rows *rows, const struct render_options *opt,
		struct buf *out, struct err *err);

#endif
