/*
 * trend_list - all benchmarks of a project in a line each: where it stands, what moved it last.
 */
#ifndef PAWL_REPORTER_TREND_LIST_H
#define PAWL_REPORTER_TREND_LIST_H

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "reporter/parts/options.h"
#include "reporter/trend/load.h"

/*
 * Appends the list as "text" or "json".
 * Errors: ERR_USAGE another format; ERR_NOMEM.
 */
int trend_list(const char *format, const struct trend_set *set, const struct render_options *opt,
	       struct buf *out, struct err *err);

#endif
