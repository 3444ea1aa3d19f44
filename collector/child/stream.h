/*
 * stream - what a child writes to stdout or stderr: a file in memory, and what is kept of it.
 *
 * Internal to child.
 */
#ifndef PAWL_COLLECTOR_CHILD_STREAM_H
#define PAWL_COLLECTOR_CHILD_STREAM_H

#include "collector/child/child.h"

/*
 * A file for a stream, its descriptor not below least.  Errors: -1, errno says which.
 * Where s->digests is set it is watched, so that a digest is not that of a file that was cut off:
 * who opens /dev/stdout anew, as a shell's redirection does, empties it.
 * Cost: nothing much where the last one stayed empty, as most do: that one is used again.
 */
int stream_open(struct stream *s, int least);

/*
 * A pipe instead, for an answer that has to be whole: who opens /dev/stdout anew, as a shell's
 * redirection does, would cut a file off.  It has to be read while the child runs.  *out_end is the
 * child's, to be closed.  Errors: -1, errno says which.
 */
int stream_open_pipe(struct stream *s, int least, int *out_end);

/*
 * Reads what was written since the last time, and gives its memory back.  What is more than any
 * program can have written meanwhile (a file made longer without writing) is left out, and then
 * there is no digest.
 */
void stream_read(struct stream *s);

/* Whether more than CHILD_OUTPUT_UNREAD lies in it unread. */
bool stream_is_full(const struct stream *s);

/* Reads the rest, leaves no more than is to be kept, and sees whether it was opened anew. */
void stream_end(struct stream *s);

/* Whether all of the stream was hashed, and nothing cut off; out is "" for one of no bytes. */
bool stream_digest(struct stream *s, char out[CHILD_DIGEST_HEX]);

/*
 * Appends its last lines, without control sequences such as colours, other control characters shown
 * as '?'; of one that wrote over itself the last.
 */
void stream_last_lines(const struct stream *s, struct buf *out);

/* Closes it and releases its text. */
void stream_release(struct stream *s);

#endif
