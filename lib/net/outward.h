/*
 * outward - one message of a server to somewhere else: an HTTP request or a mail, by libcurl.
 *
 * Where it goes was typed by somebody, so it is held in: only the scheme that is meant, no
 * redirection, no proxy, no credentials of the environment; an address of this machine or its
 * network only where that is allowed, looked at when it is dialled, whatever a name resolved to
 * before.  What comes back is not kept, and read up to OUTWARD_MOST_REPLY bytes.
 */
#ifndef PAWL_NET_OUTWARD_H
#define PAWL_NET_OUTWARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"

#define OUTWARD_MOST_REPLY 65536

struct outward_request {
	const char *url; /* http, https, smtp or smtps */
	const char *body;
	size_t n;
	const struct strv *headers; /* of HTTP, "Name: value" */
	/* Of a mail. */
	const char *from;
	const struct strv *to;
	const char *user, *password; /* NULL: none; only where the connection is encrypted */
	bool allow_private;
	uint64_t timeout_ns;	 /* for all of it */
	const atomic_bool *stop; /* true: give up; may be NULL */
};

struct outward_reply {
	int status;	       /* of HTTP or SMTP; 0: there was no answer */
	int64_t retry_after_s; /* what the server asks for; 0: nothing */
	char why[256];	       /* one line, where it failed; "" when the status says it all */
};

/*
 * Sends it, once.  *out tells what came of it: a network that fails is no error.
 *
 * http, and a mail without TLS, go to this machine only, where private addresses are allowed.
 * May be called from one thread at a time.
 * Errors: ERR_NET libcurl is not there; ERR_NOMEM; ERR_STOPPED.
 */
int outward_send(const struct outward_request *rq, struct outward_reply *out, struct err *err);

#endif
