/*
 * transport_curl - posts over HTTP with libcurl, which is opened then (libcurl.h).
 *
 * Redirections are never followed, plain http goes to this machine only (unless allowed), the
 * token travels in the Authorization header and nowhere else, an answer is cut off at
 * POST_MAX_REPLY.  A proxy named by the environment (https_proxy, all_proxy, no_proxy) is
 * used, but never for an address of this machine.  CURL_CA_BUNDLE or SSL_CERT_FILE names the
 * certificate authorities to trust instead of the system's.
 */
#ifndef PAWL_REPORTER_DELIVER_TRANSPORT_CURL_H
#define PAWL_REPORTER_DELIVER_TRANSPORT_CURL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "reporter/deliver/post.h"
#include "lib/net/url.h"

#define TRANSPORT_CURL_CONNECT_NS 5000000000ull
#define TRANSPORT_CURL_TIMEOUT_NS 30000000000ull

struct transport_curl_options {
	bool insecure_http;		   /* plain http to other machines is allowed */
	uint64_t connect_ns;		   /* 0: TRANSPORT_CURL_CONNECT_NS */
	uint64_t timeout_ns;		   /* of one request; 0: TRANSPORT_CURL_TIMEOUT_NS */
	const volatile sig_atomic_t *stop; /* not 0: give up at once; may be NULL */
};

/*
 * One connection is kept and used again.  Not thread-safe.  Errors: ERR_NOMEM, ERR_NET when
 * libcurl is not there or cannot start.
 */
int transport_curl_open(const struct transport_curl_options *options, struct transport *out,
			struct err *err);
void transport_curl_close(struct transport *transport); /* accepts a zeroed one */

/* libcurl's version and those of what it uses, as they are loaded; NULL when it is not there. */
const char *transport_curl_version(void);

#endif
