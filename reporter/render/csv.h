/*
 * csv - summaries as one table, for spreadsheets and data frames.
 */
#ifndef PAWL_REPORTER_RENDER_CSV_H
#define PAWL_REPORTER_RENDER_CSV_H

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/record/summary.h"

/* The row of titles. */
void render_csv_titles(struct buf *out);

/*
 * A row for each metric of each benchmark, and one for a benchmark that has none.  Base and head
 * are medians.  Errors: ERR_NOMEM.
 */
int render_csv_rows(const struct summary *s, struct buf *out, struct err *err);

#endif
