/*
 * accept_name - which benchmarks a name means that is to be accepted.
 */
#ifndef PAWL_CLI_ACCEPT_NAME_H
#define PAWL_CLI_ACCEPT_NAME_H

#include "cli/command.h"

/*
 * Whether the name means a benchmark that is configured, or of a result of that commit (a whole
 * id), or of the newest one.  Errors: ERR_USAGE with the nearest name; ERR_NOMEM, those of
 * kept_find().
 */
int accept_check_name(const struct context *c, const char *commit, const char *name,
		      struct err *err);

#endif
