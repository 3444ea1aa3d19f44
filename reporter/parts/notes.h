/*
 * notes - the lines that explain one benchmark, below its row.
 */
#ifndef PAWL_REPORTER_PARTS_NOTES_H
#define PAWL_REPORTER_PARTS_NOTES_H

#include <stdbool.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "reporter/figures/rows.h"

/*
 * Appends the lines, not yet made visible: why it failed, what the judge remarked, another
 * baseline than the others', how many pairs would decide; when verbose also how it was judged,
 * the figures of the head, the disturbed pairs and the deltas of the other metrics.
 *
 * Errors: ERR_NOMEM.
 */
int notes_of_row(const struct row *row, bool verbose, struct strv *out, struct err *err);

/*
 * Whether the row is undecided and there is no change that is likely.  The line that
 * notes_of_row() has for it is appended to line, unless that is NULL.
 */
bool notes_only_undecided(const struct row *row, struct buf *line);

#endif
