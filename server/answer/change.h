/*
 * change - what an administrator does to what is stored.  Each runs in the writer's thread, asks
 * r->reader, which is its ledger, and writes r->reply.body, or returns -1 with *err.
 */
#ifndef PAWL_SERVER_ANSWER_CHANGE_H
#define PAWL_SERVER_ANSWER_CHANGE_H

#include "server/request.h"

/* DELETE of a summary, or of a benchmark of it: it is hidden. */
int change_retract(struct request *r, struct err *err);
/* It is shown again. */
int change_restore(struct request *r, struct err *err);

#endif
