/*
 * named_call - the system call that a traced child stopped in, and the paths that it takes.
 */
#ifndef PAWL_COLLECTOR_CHILD_NAMED_CALL_H
#define PAWL_COLLECTOR_CHILD_NAMED_CALL_H

#include <stdbool.h>
#include <sys/types.h>

#include "lib/base/buf.h"

enum named_asks {
	NAMED_A_PATH,  /* asks for it, or is told whether it is there */
	NAMED_A_LIST,  /* of the files in that folder */
	NAMED_NOTHING, /* what has no path of its own: it was opened before */
	NAMED_UNSEEN,  /* from then on it asks without calls */
	NAMED_UNKNOWN
};

/* Appends the first path of the call, or with 1 its second one, absolute. */
enum named_asks named_call(pid_t pid, int which, struct buf *out);

/* Whether it is by another numbering of calls, as programs of 32 bits have: nothing is known of it.
 */
bool named_call_is_foreign(pid_t pid);

#endif
