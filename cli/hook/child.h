/*
 * hook_child - pawl itself as a child with a deadline, so that no fault of it stops a push.
 */
#ifndef PAWL_CLI_HOOK_CHILD_H
#define PAWL_CLI_HOOK_CHILD_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"

/* How it ended. */
struct hook_child {
	int status; /* exit status, or 128 + the number of the signal */
	bool late;  /* it was ended at the deadline */
};

/*
 * Runs this program with words (its name is put in front), stdout going to stderr, and waits.  At
 * the deadline it gets SIGTERM, which ends its benchmarks and puts its folders in order, and some
 * seconds later SIGKILL.  A signal that stops us stops it too.
 *
 * Errors: ERR_IO it cannot be started; ERR_NOMEM.
 */
int hook_child_run(const struct strv *words, uint64_t timeout_ns, struct hook_child *out,
		   struct err *err);

#endif
