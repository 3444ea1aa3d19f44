/*
 * exchange - one request to a forge, and what its answer means.
 */
#ifndef PAWL_REPORTER_PUBLISH_EXCHANGE_H
#define PAWL_REPORTER_PUBLISH_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/json/jtree.h"
#include "reporter/deliver/post.h"
#include "lib/net/forge.h"

#define PUBLISH_MAX_REPLY \
	(8u << 20) /* 50 comments of the largest size, and what is around them \
		    */

struct exchange {
	const struct forge *forge;
	const struct transport *transport;
	const char *token;
	const char *content_type; /* of what is sent; NULL: JSON */
};

/* What came back. */
struct exchange_answer {
	struct jtree *tree;  /* its document; NULL with a fault, and where it has none (204) */
	int status;	     /* HTTP; 0: there was none */
	bool may_work_later; /* the fault is one of the moment */
	struct post_outcome outcome; /* then: how long the server wants to rest */
};

void exchange_release(struct exchange_answer *a);

/*
 * method: GET, POST, PUT, PATCH or DELETE.  query and body may be NULL.  what: the request in
 * words, for a message ("list the comments").  *out is to be released in any case.
 *
 * Errors: ERR_NET the server cannot be reached, does not answer, or not with JSON; ERR_REFUSED it
 * says no, with the cure; those of the transport.  The token is in no text.
 */
int exchange(const struct exchange *x, const char *method, const char *url, const char *query,
	     const struct buf *body, const char *what, struct exchange_answer *out,
	     struct err *err);

#endif
