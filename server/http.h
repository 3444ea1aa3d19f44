/*
 * http - the glue to libmicrohttpd, the only file that knows its callbacks.
 */
#ifndef PAWL_SERVER_HTTP_H
#define PAWL_SERVER_HTTP_H

#include "server/request.h"

/* Starts the thread that serves front->fd.  Errors: ERR_IO. */
int http_start(struct front *front, struct err *err);

/* Takes no more connections; those there are go on. */
void http_quiesce(struct front *front);

/* No request may be in flight.  Accepts a front that never started. */
void http_stop(struct front *front);

#endif
