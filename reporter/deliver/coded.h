/*
 * coded - the body of a request compressed, where the server takes that.
 */
#ifndef PAWL_REPORTER_DELIVER_CODED_H
#define PAWL_REPORTER_DELIVER_CODED_H

#include "lib/base/buf.h"
#include "reporter/deliver/post.h"

/* What has fewer bytes goes as it is: it is one packet anyway. */
#define CODED_FEWEST 1024

/*
 * Makes rq post `frame`, which must be empty and stay as long as rq, instead of its plain body.
 * False, and rq is as it was: it is short, or nothing is gained.  Cost: about 4 ms a MB.
 */
bool coded_set(struct post_request *rq, struct buf *frame);

/* Whether the server takes nothing compressed: a pawld of before, or one without zstd. */
bool coded_is_refused(const struct post_request *rq, const struct post_reply *reply);

#endif
