/*
 * response - a reply as HTTP: for the library to send, or as text, to go past it.
 */
#ifndef PAWL_SERVER_RESPONSE_H
#define PAWL_SERVER_RESPONSE_H

#include "server/request.h"

struct MHD_Response;

/* Takes the body of the reply.  NULL without memory; else MHD_destroy_response() it. */
struct MHD_Response *response_new(struct request *r);

/* Appends it as it goes over the wire; the connection is closed behind it. */
void response_print(const struct request *r, struct buf *out);

#endif
