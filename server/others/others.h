/*
 * others - what clients of other result servers post: Codespeed's /result/add/, LNT's submitRun.
 *
 * Each becomes summaries as pawl posts them, with the metric and the unit that they say; a value
 * is a value: no interval, no verdict.
 */
#ifndef PAWL_SERVER_OTHERS_OTHERS_H
#define PAWL_SERVER_OTHERS_OTHERS_H

#include "server/request.h"

/* By the head alone: 0, or -1 with the reply decided (413, 415). */
int others_check_head(struct request *r);

/* The body is here: 0 and r->batch is to be stored, or -1 with the reply decided. */
int others_read(struct request *r);

/* All were stored, or not: what their clients expect to hear. */
void others_reply(struct request *r);

#endif
