/*
 * unconfigured - the error of commands that need a benchmark, where none is configured.
 */
#ifndef PAWL_COLLECTOR_UNCONFIGURED_H
#define PAWL_COLLECTOR_UNCONFIGURED_H

#include "lib/base/err.h"
#include "lib/git/repo.h"

/*
 * ERR_CONFIG, with what to type: `named`, how this command is told one, and what 'pawl init' does,
 * which depends on whether the repository has a .pawlconfig.  Returns -1.
 */
int unconfigured(const struct repo *repo, const char *named, struct err *err);

#endif
