/*
 * post - POST /api/v1/summaries: what is checked before a summary goes to the writer, and
 * what is answered when it comes back.
 */
#ifndef PAWL_SERVER_POST_H
#define PAWL_SERVER_POST_H

#include "server/request.h"

/* By its head alone: 0, or -1 with the reply decided (413, 415). */
int post_check_head(struct request *r);

/* One more piece of the body: 0, or -1 with the reply decided (413, 503). */
int post_add(struct request *r, const char *bytes, size_t n);

/* The body is complete, compressed or plain: 0 when r->job can go to the writer, or -1 with the
 * reply decided. */
int post_read(struct request *r);

/* The writer is done with r->job. */
void post_reply(struct request *r);

#endif
