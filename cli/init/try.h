/*
 * init_try - whether what pawl init is about to write runs.
 */
#ifndef PAWL_CLI_INIT_TRY_H
#define PAWL_CLI_INIT_TRY_H

#include "cli/command.h"
#include "collector/survey/survey.h"

/*
 * Looks, in HEAD as the survey built it, for the program of each benchmark and asks it for its
 * benchmarks, as a comparison begins; nothing is measured.  Why one does not run goes into its
 * fault.  Does nothing where the build failed.
 * Errors: those of tree_open() but a failed build, and of plan_make().
 */
int init_try(const struct context *c, bool submodules, struct survey *s, struct err *err);

#endif
