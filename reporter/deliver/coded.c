#include "reporter/deliver/coded.h"

#include "lib/squeeze/squeeze.h"

#include "lib/base/banned.h"

#define LEVEL 1 /* of a real document 14 %, as much as 3 and more give */

bool coded_set(struct post_request *rq, struct buf *frame)
{
	if (rq->n_body < CODED_FEWEST || !squeeze_document(rq->body, rq->n_body, LEVEL, frame) ||
	    frame->failed)
		return false;
	rq->body = frame->data;
	rq->n_body = frame->len;
	rq->coding = "zstd";
	return true;
}

bool coded_is_refused(const struct post_request *rq, const struct post_reply *reply)
{
	return rq->coding && reply->link == LINK_OK && reply->status == 415;
}
