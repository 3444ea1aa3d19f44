/*
 * client - how clients of other servers are told from pawl's, and by what they are known.
 */
#ifndef PAWL_SERVER_OTHERS_CLIENT_H
#define PAWL_SERVER_OTHERS_CLIENT_H

#include "server/request.h"

/* Whether what is posted there is in another server's form; its project is in what it says. */
bool client_is_other(const struct request *r);

/*
 * The token of one that cannot send a bearer: the password of Basic, LNT's AuthToken, or the path.
 * NULL: none.  May point into *out.
 */
const char *client_token(const struct request *r, struct buf *out);

/* What a 401 asks for: some clients send a password only when they are asked. */
const char *client_challenge(const struct request *r);

#endif
