/*
 * hook_run - what the hooks do when git runs them.
 */
#ifndef PAWL_CLI_HOOK_RUN_H
#define PAWL_CLI_HOOK_RUN_H

#include "cli/command.h"

/*
 * pre-push: reads the refs from stdin, compares, tells.  words: the remote's name and its URL, as
 * git hands them to the hook.  Everything is told on stderr, since a push's stdout is git's.
 *
 * Returns 1 where a regression is confirmed and pawl.hook.block is true; 0 else, whatever fails.
 */
int hook_run_pre_push(const struct context *c, const struct strv *words);

/* post-commit: measures the commit, unless git is in the middle of a rebase.  Returns 0. */
int hook_run_post_commit(const struct context *c);

#endif
