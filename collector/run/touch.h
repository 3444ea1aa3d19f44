/*
 * touch - whether a command reads anything of the tree that it runs in.
 *
 * A program from elsewhere whose words name no file of the tree may still read it: make its
 * Makefile, a shell what its text calls.  So it is run once, and the kernel tells of every file of
 * the tree that is opened meanwhile, by it or by what it starts.
 */
#ifndef PAWL_COLLECTOR_RUN_TOUCH_H
#define PAWL_COLLECTOR_RUN_TOUCH_H

#include "collector/run/runner.h"

#define TOUCH_TIMEOUT_NS 2000000000u /* what has not ended by then is not known */

enum touch {
	TOUCH_UNKNOWN, /* it failed, took too long, or the tree cannot be watched */
	TOUCH_NOTHING,
	TOUCH_SOMETHING
};

/*
 * Runs the side's command once, in the tree `top`.
 * Errors: ERR_STOPPED, ERR_IO, ERR_NOMEM; a command that fails is no error.
 */
int touch_tree(const struct process_runner *r, const struct bench_config *config,
	       const struct side *side, const char *top, enum touch *out, struct err *err);

/* Files of a tree that are opened. */
struct touched;

/* Looks at the tree `top` from now on; NULL: it cannot be watched. */
struct touched *touched_begin(const char *top);

/*
 * Ends that, and releases it: each file that was opened since is in out, once, relative to the top;
 * *out_all false: there were more, or a folder was read.  Errors: ERR_NOMEM.
 */
int touched_end(struct touched *t, struct strv *out, bool *out_all, struct err *err);

#endif
