/*
 * listen - the sockets that pawld listens on.
 */
#ifndef PAWL_SERVER_HTTP_LISTEN_H
#define PAWL_SERVER_HTTP_LISTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "lib/base/err.h"

struct listen_address {
	struct sockaddr_storage address;
	socklen_t n;
	bool loopback; /* nobody but this machine can reach it */
};

/* "127.0.0.1:7295", "[::1]:0", "localhost:80", ":80" is refused.  Errors: ERR_USAGE. */
int listen_parse(const char *text, struct listen_address *out, struct err *err);

/*
 * Opens n sockets on one address, between which the kernel spreads the connections.  Port 0
 * picks a free one, written back to *address.
 *
 * Errors: ERR_BUSY when another program has the address, ERR_IO.
 */
int listen_open(struct listen_address *address, int *fds, size_t n, struct err *err);

/* "http://127.0.0.1:7295" into out. */
void listen_url(const struct listen_address *address, char *out, size_t size);

#endif
