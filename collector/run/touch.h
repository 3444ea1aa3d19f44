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

/*
 * Runs the side's command once more, in its tree side->dir: *out_why is NULL where every file that
 * was opened there meanwhile, but the program itself, is the same in the tree `other`; else why
 * that cannot be said.  A folder that is read is no file. Errors: as touch_tree().
 */
int touch_same(const struct process_runner *r, const struct bench_config *config,
	       const struct side *side, const char *other, uint64_t timeout_ns, char **out_why,
	       struct err *err);

#endif
