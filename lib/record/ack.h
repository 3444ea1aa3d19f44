/*
 * ack - what a results server answered to a posted summary.
 */
#ifndef PAWL_RECORD_ACK_H
#define PAWL_RECORD_ACK_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"
#include "lib/record/ulid.h"

#define ACK_MAX_BYTES (1u << 20)
#define ACK_MAX_DEPTH 16

/* Texts are one line, cut to their room, without control characters; "" when not given. */
struct ack {
	char id[ULID_TEXT]; /* of the summary that was stored; "" also for what is no ULID */
	char code[64];	    /* of an error: a word for programs, "conflict" */
	char message[384];  /* for people */
	char where[128];    /* the place in the document, "benchmarks[2].name" */
	int status;	    /* of this summary among those of a batch; 0: not given */
	bool untrusted;	    /* it was put apart, and is never a baseline */
};

/*
 * Reads {"id": ...} or {"error": {"code", "message", "where"}}; unknown fields are ignored,
 * fields of a wrong type count as not given.
 *
 * Errors: ERR_SYNTAX (not JSON, not an object), ERR_LIMIT, ERR_NOMEM; *out is untouched.
 */
int ack_decode(const char *json, size_t n, struct ack *out, struct err *err);

#endif
