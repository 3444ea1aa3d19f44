/*
 * post - one summary on its way to the results server: the request, the answer, what it means.
 *
 * The transport is an interface (transport_curl.h is the real one), and post_classify() is a
 * pure function of request, answer and time, so that every rule is tested without a network.
 * Only a parsed answer that echoes the summary's id counts as delivered; whatever else came
 * back is sent again or kept, which is safe because the server knows a summary by its id.
 */
#ifndef PAWL_REPORTER_DELIVER_POST_H
#define PAWL_REPORTER_DELIVER_POST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/record/summary.h"
#include "lib/net/url.h"

#define POST_MAX_BODY SUMMARY_MAX_BYTES /* what the server accepts */
#define POST_MAX_REPLY (1u << 20)	/* no acknowledgement is larger */
#define POST_MAX_WAIT_NS 30000000000ull /* between two attempts, whatever the server asks for */

struct post_request {
	const char *url;     /* whole, URL_API included */
	const char *token;   /* NULL: none */
	const char *id;	     /* the summary's; the answer has to echo it */
	const char *body;    /* the JSON document */
	size_t n_body;	     /* bytes */
	const char *coding;  /* Content-Encoding of these bytes; NULL: none */
	uint64_t timeout_ns; /* of this attempt; 0: the transport's own limit */

	/* For other servers than pawld; NULL stands for what pawld takes. */
	const char *method;	  /* "POST", "PUT", "PATCH", "GET" (no body); NULL: POST */
	const char *query;	  /* behind the address, without its '?'; NULL: none */
	const char *content_type; /* NULL: application/json */
	const char *auth_header;  /* that carries the token; NULL: Authorization */
	const char *auth_scheme;  /* in front of it, with its blank; NULL: "Bearer " */
	bool once;		  /* must not be sent twice, not by the transport either */
	size_t max_reply;	  /* bytes of the answer; 0: POST_MAX_REPLY */
};

/* How far the exchange came. */
enum post_link {
	LINK_OK,	  /* an HTTP answer arrived; status and the rest are filled */
	LINK_UNREACHABLE, /* no connection: name, route, refused, connect timeout */
	LINK_BROKEN,	  /* sent, but no whole answer: the outcome is unknown */
	LINK_TLS,	  /* the server could not prove who it is */
	LINK_TOO_LARGE	  /* the answer went beyond max_reply */
};

/* Every text is one clean line, "" when there was none. */
struct post_reply {
	enum post_link link;
	char why[256]; /* the transport's words unless LINK_OK */
	int status;    /* HTTP */
	char content_type[128];
	char location[URL_TEXT]; /* absolute target of a redirection */
	char retry_after[64];
	size_t max_body; /* set by the transport */
	struct buf body;
};

void post_reply_init(struct post_reply *reply);
void post_reply_release(struct post_reply *reply);

struct transport {
	/*
	 * Sends one request; never follows a redirection.  *reply was initialised by the caller
	 * and tells what came of it, a broken network included.
	 *
	 * Errors: only what no server is to blame for: ERR_CONFIG (address, token), ERR_LIMIT
	 *         (body), ERR_NOMEM, ERR_STOPPED.  The token is in no text.
	 */
	int (*post)(void *ctx, const struct post_request *rq, struct post_reply *reply,
		    struct err *err);
	void *ctx;
};

enum post_action {
	POST_DELIVERED,
	POST_RETRY,  /* may work later */
	POST_REJECT, /* will not work until something is changed */
	POST_MOVED   /* the server lives elsewhere; never followed */
};

struct post_outcome {
	enum post_action action;
	bool for_all;	  /* the next summary would meet the same: stop sending */
	bool keep;	  /* a setting is at fault, not this summary: it must stay in the queue */
	bool asked;	  /* the server said how long to wait */
	uint64_t wait_ns; /* when asked; 0..POST_MAX_WAIT_NS */
	char why[640];	  /* one line, "" when delivered */
	char cure[320];	  /* what to do, with the command to type; may be "" */
};

/*
 * What an answer means.  now_us: the time of day, for a Retry-After that is a date.
 *
 *   200, 201 with application/json that echoes the id    delivered
 *   200, 201 otherwise, other 2xx                        retry: not an acknowledgement
 *   3xx                                                  moved
 *   408 425 429 5xx, no or a broken connection           retry
 *   407 511                                              retry, for all: a proxy or a portal
 * answered 401, TLS, 403 and 404 that are not the server's own  reject, for all, keep 403 404
 * reject, keep 400 409 413 415 422 and the other 4xx                reject
 */
void post_classify(const struct post_request *rq, const struct post_reply *reply, int64_t now_us,
		   struct post_outcome *out);

/*
 * How long to wait before attempt + 1 (attempt counts from 0): a random share, chance in
 * [0, 1), of 1 s doubled each time up to POST_MAX_WAIT_NS, but not less than what was asked.
 */
uint64_t post_wait_ns(unsigned attempt, const struct post_outcome *outcome, double chance);

/*
 * Reads a Retry-After field: seconds, or an HTTP date such as "Sun, 06 Nov 1994 08:49:37 GMT".
 * A date that is over gives 0; more than POST_MAX_WAIT_NS gives that; false for anything else,
 * negative numbers included.
 */
bool post_retry_after(const char *text, int64_t now_us, uint64_t *out_ns);

#endif
