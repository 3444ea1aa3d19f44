/*
 * cookie - what a browser shows in place of a token: a secret that stands for it.
 */
#ifndef PAWL_SERVER_ANSWER_COOKIE_H
#define PAWL_SERVER_ANSWER_COOKIE_H

#include "server/request.h"

/* The request's secret; false: it has none of the right form. */
bool cookie_read(const struct request *r, char out[SESSION_SECRET]);

/* The browser is to keep it for so many seconds; 0: to forget it. */
void cookie_set(struct request *r, const char *secret, int seconds);

/*
 * The token that the request's secret stands for stays with the request: 0; 1: there is none that
 * is valid now; -1 with the reply decided.
 */
int cookie_check(struct request *r);

#endif
