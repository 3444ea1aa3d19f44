/*
 * hyperfine_aside - what is run once, before and after all runs: --setup and --cleanup.
 */
#ifndef PAWL_CLI_HYPERFINE_ASIDE_H
#define PAWL_CLI_HYPERFINE_ASIDE_H

#include "cli/hyperfine/expand.h"
#include "lib/base/err.h"

/*
 * Whether all commands have the same line for --setup: they run in turns, so that what one of them
 * set up would be undone by the next.  Errors: ERR_USAGE.
 */
int hyperfine_check_setup(const struct hyperfine_commands *list, struct err *err);

/* Runs the one line of --setup.  Errors: ERR_CHILD when it fails, ERR_STOPPED, ERR_NOMEM. */
int hyperfine_set_up(const struct hyperfine_commands *list, struct err *err);

/*
 * Runs each line of --cleanup once, also where measuring failed or was stopped.  err: of what came
 * before, kept; else ERR_CHILD of the first that fails.  Returns -1 where result is.
 */
int hyperfine_clean_up(const struct hyperfine_commands *list, int result, struct err *err);

#endif
