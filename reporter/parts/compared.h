/*
 * compared - the lines that a comparison of two builds adds below a benchmark's row.
 */
#ifndef PAWL_REPORTER_PARTS_COMPARED_H
#define PAWL_REPORTER_PARTS_COMPARED_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/record/calibration/calibrations.h"
#include "lib/record/summary.h"
#include "reporter/figures/rows.h"

/*
 * Appends the lines, not yet made visible: another output, who accepted it and why, pairs that the
 * time cut off, work that could not be counted; when verbose also the looks, the work and what
 * identical code showed.
 *
 * Errors: ERR_NOMEM.
 */
int compared_notes(const struct row *row, bool verbose, struct strv *out, struct err *err);

/*
 * Appends what holds for the whole summary: an A/A comparison, and how far identical code moved
 * here; over how many layouts the pairs were drawn, and which programs had one alone (a script only
 * when verbose).  Errors: ERR_NOMEM.
 */
int compared_remarks(const struct summary *s, bool verbose, struct strv *out, struct err *err);

/* Which changes will be called where these were found: sentences of several lines. */
void compared_called(const struct calibrations *c, struct buf *out);

#endif
