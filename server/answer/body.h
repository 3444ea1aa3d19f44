/*
 * body - a body that is complete, read by whoever knows its form.
 */
#ifndef PAWL_SERVER_ANSWER_BODY_H
#define PAWL_SERVER_ANSWER_BODY_H

#include "server/request.h"

/*
 * Above so many bytes it is read by a thread of its own, one after the other: what is read of one
 * takes up to four times as much, and half a second.
 */
#define BODY_LARGE (1u << 20)

/* Decompresses it where that is due: 0, or -1 with the reply decided. */
int body_open(struct request *r);

/* Whether it is a large one.  After body_open(). */
bool body_is_large(const struct request *r);

/* Reads it: 0 when there is something to be stored, or -1 with the reply decided. */
int body_read(struct request *r);

#endif
