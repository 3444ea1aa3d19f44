/*
 * openmetrics - a summary as metrics that Prometheus and all that speak its text format read.
 *
 * Every family is a gauge, so that the older text format and OpenMetrics both take it; names and
 * units follow Prometheus' own rules (promtool check metrics).  Label values are made visible
 * first.
 */
#ifndef PAWL_REPORTER_RENDER_OPENMETRICS_H
#define PAWL_REPORTER_RENDER_OPENMETRICS_H

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/record/summary.h"

/* Medians of every metric of both sides, deltas, verdicts; ended by "# EOF".  Errors: ERR_NOMEM. */
int openmetrics_all(const struct summary *s, struct buf *out, struct err *err);

#endif
