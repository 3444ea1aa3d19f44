/*
 * accept_change - how much worse a benchmark got, and by which metric, for an entry of
 * .pawlaccepted.
 */
#ifndef PAWL_CLI_ACCEPT_CHANGE_H
#define PAWL_CLI_ACCEPT_CHANGE_H

#include "cli/command.h"

/*
 * What --change says, else the newest results of the commit; the metric, as accept_metric() names
 * it (free() it), is that of the results, else of the configuration.
 * Errors: ERR_ABSENT no result says it; ERR_USAGE the benchmarks of a pattern are judged by several
 *         metrics, or --change is no size; ERR_IO, ERR_NOMEM.
 */
int accept_find_change(const struct options *o, const struct context *c, const char *commit,
		       double *out, char **metric, struct err *err);

/* Warns where a stored result does not compare with the commit's parent. */
void accept_warn_of_base(const struct context *c, const char *commit, const char *base);

#endif
