/*
 * build_key - one name for what the user says of how commits are built: results of another one are
 * of other programs, though of the same commits.
 */
#ifndef PAWL_COLLECTOR_BUILD_BUILD_KEY_H
#define PAWL_COLLECTOR_BUILD_BUILD_KEY_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/config/config.h"

#define BUILD_KEY 17 /* 16 hex digits */

/*
 * Over the build command, whether submodules are filled in (or by config), the folders it reads,
 * and the variables that say how (CC, CFLAGS and what other languages have, BENCH_*, those of
 * pawl.env); not over the compilers, which an upgrade changes: a history goes on over it.  Errors:
 * ERR_NOMEM.
 */
int build_key(const struct config *config, bool submodules, char out[BUILD_KEY], struct err *err);

#endif
