/*
 * away - a request that another thread works on: its connection is suspended meanwhile, and comes
 * back to its HTTP thread in the same state.
 */
#ifndef PAWL_SERVER_ANSWER_AWAY_H
#define PAWL_SERVER_ANSWER_AWAY_H

#include "server/request.h"

/* What was read goes to the writer: REQUEST_STORE. */
void away_store(struct request *r);

/* The writer tries whether it could store: REQUEST_TRY, and r->one.job.err says why not. */
void away_try(struct request *r);

/* A reader calls route_answer(): REQUEST_ASK, and the reply is decided. */
void away_ask(struct request *r);

/* To the writer, whose thread lets the route answer, through its ledger. */
void away_change(struct request *r);

/* The body goes to the thread that reads large ones, which sets is_refused. */
void away_read(struct request *r);

#endif
