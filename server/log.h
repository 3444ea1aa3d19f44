/*
 * log - one line a request: time, address, method, path, status, bytes, milliseconds, the request's
 * number, which its answer has in X-Request-Id, and the id of its token; or the same as JSON.
 *
 * Never a query or a header, and no token in the path or the method: one put there by mistake does
 * not end in the log.
 */
#ifndef PAWL_SERVER_LOG_H
#define PAWL_SERVER_LOG_H

#include "server/request.h"

/* Writes the line with one write(2); log_fd -1: nothing.  A full disk costs lines, no requests. */
void log_request(const struct server_options *o, const struct request *r, size_t n_bytes);

#endif
