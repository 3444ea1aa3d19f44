/*
 * channel - record lines from a running libpawl executable, one at a time.
 */
#ifndef PAWL_COLLECTOR_RUN_CHANNEL_H
#define PAWL_COLLECTOR_RUN_CHANNEL_H

#include <stdbool.h>

#include "collector/child/child.h"
#include "lib/base/buf.h"
#include "lib/record/line.h"

#define CHANNEL_MAX_BYTES (16u << 20) /* of one process run */

struct channel {
	struct child *child;
	struct buf pending; /* read, not yet returned */
	size_t at;	    /* of pending: what was returned */
	size_t n_bytes;	    /* received in all */
	bool at_end;	    /* the program closed its end */
};

/* child must have a record socket and outlive the channel. */
void channel_init(struct channel *ch, struct child *child);
void channel_release(struct channel *ch);

/*
 * The next line.  *out_more is false at the end of the stream (then *out is untouched).
 * Errors: ERR_SYNTAX, ERR_RANGE a broken record; ERR_LIMIT too long or too many bytes;
 *         ERR_TIMEOUT the child's deadline passed; ERR_STOPPED.
 */
int channel_next(struct channel *ch, struct line *out, bool *out_more, struct err *err);

/* Sends so many bytes to the program.  Errors: ERR_CHILD when it is gone. */
int channel_send(struct channel *ch, const char *at, size_t n, struct err *err);

/* Lets the program run its next slice.  Errors: as above. */
int channel_turn(struct channel *ch, struct err *err);

#endif
