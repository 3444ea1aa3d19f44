/*
 * relink - makes a recorded link again, into another file.
 */
#ifndef PAWL_COLLECTOR_LINK_RELINK_H
#define PAWL_COLLECTOR_LINK_RELINK_H

#include <stdint.h>

#include "collector/link/link.h"

enum linker { LINKER_GNU, LINKER_GOLD, LINKER_LLD, LINKER_MOLD, LINKER_OTHER };

struct relink {
	const struct link *link;
	const char *output;	 /* absolute; beside it lie its other files while it is made */
	const struct strv *more; /* words behind the recorded ones */
	uint64_t timeout_ns;
};

/*
 * Runs the linker; what it prints is appended to printed (may be NULL).  On failure there is no
 * output.
 * Errors: ERR_CHILD it failed, with its last words; ERR_ABSENT the linker or the folder it ran in
 *         is gone; ERR_TIMEOUT; ERR_STOPPED; ERR_FULL; ERR_IO also when it was killed; ERR_NOMEM.
 */
int relink_run(const struct relink *r, struct buf *printed, struct err *err);

/*
 * Which linker it is, by its own words.  It is started once for all links of the same file and
 * environment, one after the other.  Not from two threads.  Errors: those of relink_run().
 */
int relink_linker(const struct link *l, enum linker *out, struct err *err);

#endif
