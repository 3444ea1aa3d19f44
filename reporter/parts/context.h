/*
 * context - what a summary says about itself beside its benchmarks: the commit, the
 * machine, the baseline, and what a reader must know before he trusts the figures.
 *
 * All texts are appended as they are; the caller makes them visible for its format.
 */
#ifndef PAWL_REPORTER_PARTS_CONTEXT_H
#define PAWL_REPORTER_PARTS_CONTEXT_H

#include <stdbool.h>

#include "lib/base/buf.h"
#include "lib/base/strv.h"
#include "lib/record/summary.h"
#include "reporter/figures/rows.h"

/* zlib a1b2c3d "Speed up the loop" on main, with uncommitted changes */
void context_commit(const struct summary *s, struct buf *out);

/* "AMD EPYC 7B13, 8 cores" */
void context_machine(const struct summary *s, struct buf *out);

/* "0f1e2d3, rerun side by side" or "none: WHY" */
void context_baseline(const struct summary *s, struct buf *out);

/*
 * Appends the remarks, one line each: what the columns show, disturbed pairs in all, intervals that
 * differ in confidence, metrics that could not be had, each reason once; when verbose also settings
 * and load.
 *
 * Errors: ERR_NOMEM.  Cost: O(m log m) in metrics.
 */
int context_remarks(const struct summary *s, const struct rows *rows, bool verbose,
		    struct strv *out, struct err *err);

#endif
