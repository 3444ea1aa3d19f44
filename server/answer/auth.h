/*
 * auth - who may do what.
 */
#ifndef PAWL_SERVER_ANSWER_AUTH_H
#define PAWL_SERVER_ANSWER_AUTH_H

#include "server/request.h"

/*
 * Whether the request may use a route of that scope: 0, or -1 with the reply decided
 * (401, 403, 429, 503).  The token, if any, stays with the request.
 */
int auth_check(struct request *r, unsigned scope);

/* Somebody tried a wrong token: -1 with the reply decided (401, 429). */
int auth_refuse(struct request *r, const char *why);

/* Whether the request's token covers a project: 0, or -1 with the reply decided (403). */
int auth_project(struct request *r, unsigned scope, const char *project);

/* Whether the request's token may post it: 0, or -1 with the reply decided (403). */
int auth_summary(struct request *r, const struct summary *s);

#endif
