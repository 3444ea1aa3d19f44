/*
 * item - one summary of a request on its way into the ledger: a request for one has one, a batch
 * many.
 */
#ifndef PAWL_SERVER_WORK_ITEM_H
#define PAWL_SERVER_WORK_ITEM_H

#include "lib/digest/digest.h"
#include "lib/record/summary.h"
#include "server/http/reply.h"
#include "server/work/writer.h"

struct request;

struct item {
	struct job job; /* first: the writer hands back a pointer to it */
	struct request *request;
	struct summary summary;
	bool has_summary;
	char sha256[DIGEST_HEX];
	struct buf frame;   /* what the ledger is to keep, where that is compressed here */
	struct reply reply; /* status 0: not decided yet */
};

/*
 * What the ledger is to keep of it: came, the frame that it came as (NULL: it came plain), or one
 * made now, where that is smaller.  False: the plain bytes.
 */
bool item_keep(struct item *item, const struct buf *came);

/* The writer is done with it: decides the reply. */
void item_answer(struct item *item);

/* Accepts a zeroed one. */
void item_release(struct item *item);

/* Those of one request. */
struct batch {
	size_t n;
	struct item items[];
};

/* Accepts NULL. */
void batch_free(struct batch *batch);

#endif
