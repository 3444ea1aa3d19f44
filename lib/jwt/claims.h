/*
 * claims - whether a signed token is for us, and now.
 *
 * Source: RFC 7519, 4.1.
 */
#ifndef PAWL_JWT_CLAIMS_H
#define PAWL_JWT_CLAIMS_H

#include <stdint.h>

#include "lib/base/err.h"
#include "lib/json/jtree.h"

/* So far two clocks may differ. */
#define CLAIMS_LEEWAY_S 30

/*
 * "iss" is issuer, "aud" is audience or holds it, "exp" is there and ahead, "nbf" and "iat" are
 * past where they are there.
 * Errors: ERR_REFUSED.
 */
int claims_check(const struct jtree *claims, const char *issuer, const char *audience,
		 int64_t now_us, struct err *err);

/* A claim that is a text, or a number without fraction as text (in room); NULL: there is none. */
#define CLAIMS_NUMBER 24
const char *claims_text(const struct jtree *claims, const char *name, char room[CLAIMS_NUMBER]);

#endif
