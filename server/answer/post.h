/*
 * post - POST /api/v1/summaries: what is checked before a summary goes to the writer, and
 * what is answered when it comes back.
 */
#ifndef PAWL_SERVER_ANSWER_POST_H
#define PAWL_SERVER_ANSWER_POST_H

#include "server/request.h"

/* By its head alone: 0, or -1 with the reply decided (413, 415). */
int post_check_head(struct request *r);

/* One more piece of the body: 0, or -1 with the reply decided (413, 503). */
int post_add(struct request *r, const char *bytes, size_t n);

/* The body is complete, compressed or plain: 0 when r->one can go to the writer, or -1 with the
 * reply decided. */
int post_read(struct request *r);

/* The body's plain bytes, decompressed the first time where it came so: 0, or -1 with the reply
 * decided. */
int post_unpack(struct request *r, const struct buf **out);

/*
 * Reads one summary of a request: json[0..n), which must stay until item_keep() or, where that made
 * no frame, until the item is released: 0 when the job can go to the writer once it has been kept,
 * or -1 with the reply decided.
 */
int post_item(struct item *item, struct request *r, const char *json, size_t n);

/* The writer is done with r->one. */
void post_reply(struct request *r);

#endif
