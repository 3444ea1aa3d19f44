/*
 * batch - POST /api/v1/summaries:batch: a summary a line, an answer a line.
 *
 * Each is stored or refused by itself; all that can be go into one transaction of the writer.
 */
#ifndef PAWL_SERVER_ANSWER_BATCH_H
#define PAWL_SERVER_ANSWER_BATCH_H

#include "server/request.h"

#define BATCH_MAX_LINES WRITER_BATCH

/*
 * The body is complete: 0 when r->batch has items that can go to the writer, those without a reply;
 * or -1 with the reply decided.
 */
int batch_read(struct request *r);

/* All items are answered or refused: decides the reply. */
void batch_reply(struct request *r);

#endif
