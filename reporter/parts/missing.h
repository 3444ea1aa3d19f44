/*
 * missing - which metrics have no value, and why.
 */
#ifndef PAWL_REPORTER_PARTS_MISSING_H
#define PAWL_REPORTER_PARTS_MISSING_H

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/record/summary.h"

/*
 * Appends a line a reason, as they come in the document: "not measured: cycles, branches (this
 * machine does not offer it)", with the benchmark where others have the metric.
 * Errors: ERR_NOMEM.
 */
int missing_add(const struct summary *s, struct strv *out, struct err *err);

#endif
