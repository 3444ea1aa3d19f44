/*
 * build - runs the configured build command in the work tree.
 */
#ifndef PAWL_COLLECTOR_BUILD_H
#define PAWL_COLLECTOR_BUILD_H

#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/talk.h"

/*
 * Runs `sh -c command` in folder dir with the environment of child_env(); what it prints goes
 * to the file log_path.
 * Errors: ERR_CHILD with how it ended, the tail of the log in the text and its path as hint;
 *         ERR_TIMEOUT; ERR_STOPPED; ERR_IO.
 */
int build_run(const char *command, const char *dir, const char *log_path, uint64_t timeout_ns,
	      const struct talk *talk, struct err *err);

#endif
