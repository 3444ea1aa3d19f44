/*
 * server - pawld without its command line: what is started, and how it ends.
 */
#ifndef PAWL_SERVER_SERVER_H
#define PAWL_SERVER_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/talk.h"

struct server_options {
	const char *listen;	 /* ADDRESS:PORT */
	const char *store;	 /* sqlite:PATH */
	const char *oidc;	 /* file that says whose signed tokens are taken; NULL: nobody's */
	bool no_auth;		 /* everybody may do everything; loopback only */
	bool public_read;	 /* reading needs no token */
	bool behind_proxy;	 /* a proxy speaks TLS in front: other addresses are allowed */
	uint64_t head_ns;	 /* longest time for the head of a request; others follow from it */
	unsigned rate;		 /* requests a minute of each token; 0: any number */
	uint64_t budget_ns;	 /* longest time for a question to the ledger */
	uint64_t alert_retry_ns; /* shortest pause before an alert is sent again */
	uint64_t alert_timeout_ns; /* longest time for sending one */
	unsigned alert_gone_days;  /* days with results, and none of its branch; 0: never closed */
	int log_fd;		   /* one line a request; -1: none */
	bool log_json;		   /* each is a JSON object */
	struct talk talk;	   /* from any thread */
};

struct server;

/*
 * Opens the store, listens and serves from threads of its own.
 * Errors: ERR_USAGE (an address or a combination that is refused), those of ledger_open()
 *         and listen_open(), ERR_IO.
 */
int server_start(const struct server_options *options, struct server **out, struct err *err);

/* "http://127.0.0.1:7295" */
const char *server_url(const struct server *server);

/* Takes no more connections, finishes what is in flight, and releases everything. */
void server_stop(struct server *server); /* accepts NULL */

#endif
