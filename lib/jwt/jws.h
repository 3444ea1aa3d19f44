/*
 * jws - a signed token taken apart: nothing of it is to be believed yet.
 *
 * Source: RFC 7515, compact serialization; RFC 7519.  Only RS256 and ES256 are known (RFC 7518,
 * 3.1): what a token says of its algorithm chooses among the keys of that kind, never what a key
 * means.
 */
#ifndef PAWL_JWT_JWS_H
#define PAWL_JWT_JWS_H

#include <stddef.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/json/jtree.h"

#define JWS_MAX_BYTES 16384 /* one of GitHub has about 1,500, of GitLab 2,500 */

enum jws_algorithm { JWS_RS256, JWS_ES256 };

struct jws {
	enum jws_algorithm algorithm;
	const char *key; /* "kid" of its header; in header */
	struct jtree *header, *claims;
	const char *text; /* the caller's; what is signed is text[0..n_signed) */
	size_t n_signed;
	struct buf signature;
};

#define JWS_INIT \
	{ \
		.text = NULL \
	}

/*
 * text stays the caller's and must outlive *out.
 * Errors: ERR_SYNTAX, it is no such token; ERR_RANGE, it is one of an algorithm, or with a header
 *         that must be understood, that is not known here; ERR_LIMIT, ERR_NOMEM.
 */
int jws_read(const char *text, struct jws *out, struct err *err);

/* Accepts JWS_INIT. */
void jws_release(struct jws *token);

#endif
