/*
 * render_reason - why a benchmark got its verdict, in one line, for formats that have one.
 */
#ifndef PAWL_REPORTER_PARTS_REASON_H
#define PAWL_REPORTER_PARTS_REASON_H

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/record/summary.h"
#include "reporter/figures/rows.h"

/*
 * "cpu is 3.4 % slower [2.1, 4.7] than 0f1e2d3", "ended with status 1", "undecided after 20 pairs
 * of runs": raw bytes, without a line break of our own; the verdict's word when there is no more.
 *
 * Errors: ERR_NOMEM.
 */
int reason_of_row(const struct summary *s, const struct row *row, struct buf *out, struct err *err);

#endif
