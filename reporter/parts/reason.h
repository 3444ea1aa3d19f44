/*
 * reason - why a benchmark got its verdict, in one line, for formats that have one.
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

/*
 * How many rows failed for the reason of row i, word for word, itself among them; 0 where an
 * earlier row is one of them, 1 for all that did not fail.  *out_first, unless NULL: the earliest.
 */
size_t reason_count(const struct rows *rows, size_t i, size_t *out_first);

/*
 * What stands before the reason, at the begin of a line: the name, or "4 benchmarks (a, b, c, d)"
 * where so many share it.  Raw bytes.
 */
void reason_whose(const struct rows *rows, size_t i, struct buf *out);

#endif
