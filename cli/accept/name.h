/*
 * accept_name - which benchmarks a name means that is to be accepted.
 */
#ifndef PAWL_CLI_ACCEPT_NAME_H
#define PAWL_CLI_ACCEPT_NAME_H

#include "cli/command.h"
#include "lib/base/buf.h"

/*
 * Whether the name means a benchmark that is configured, or of a result of that commit (a whole
 * id), or of the newest one.  Errors: ERR_USAGE with the nearest name; ERR_NOMEM, those of
 * kept_find().
 */
int accept_check_name(const struct context *c, const char *commit, const char *name,
		      struct err *err);

/* Appends a benchmark's name as --benchmark takes it for that one alone, quoted for a shell. */
void accept_add_name(const char *benchmark, struct buf *out);

#endif
