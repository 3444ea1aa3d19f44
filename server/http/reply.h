/*
 * reply - what goes back: a status, a body, and how an error looks in JSON.
 */
#ifndef PAWL_SERVER_HTTP_REPLY_H
#define PAWL_SERVER_HTTP_REPLY_H

#include <stdbool.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/store/ledger/ledger.h"
#include "server/http/shared.h"

#define RETRY_AFTER_S 2

struct reply {
	unsigned status; /* 0: not decided yet */
	struct buf body;
	struct shared *shared;	    /* in place of the body; NULL: it is nobody else's */
	const char *type;	    /* NULL: application/json */
	char etag[48];		    /* "": none */
	const char *coding;	    /* of the body, "zstd" or "gzip"; NULL: it is plain */
	const char *allow;	    /* of a 405; static text */
	const char *codings;	    /* Accept-Encoding of a 415; static text */
	int retry_after_s;	    /* 0: no such header */
	bool challenge;		    /* WWW-Authenticate of a 401 */
	struct buf location;	    /* of a 303; "": no such header */
	struct buf cookie;	    /* Set-Cookie; likewise */
	struct buf link;	    /* to the next page of a list; likewise */
	char cursor[LEDGER_CURSOR]; /* of a 503: where to go on; "": nowhere */
};

void reply_release(struct reply *r);

/* What is sent. */
const struct buf *reply_bytes(const struct reply *r);

/*
 * {"error": {"code", "message", "where"}}, and "cursor" where the reply has one; where may be NULL.
 * Replaces what was written.
 */
void reply_error(struct reply *r, unsigned status, const char *code, const char *message,
		 const char *where);

/*
 * The reply to a fault: ERR_SYNTAX 400, ERR_ABSENT 404, ERR_CONFLICT 409, ERR_RANGE,
 * ERR_LIMIT and ERR_NEWER 422, ERR_CORRUPT 500, and what may pass (full, busy, time, io, memory)
 * 503 with Retry-After.  "benchmarks[2].unit: is missing" puts the path into "where".
 */
void reply_fault(struct reply *r, const struct err *err);

#endif
