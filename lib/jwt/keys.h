/*
 * keys - the public keys of one who signs tokens, and whether one of them signed this.
 *
 * Source: RFC 7517 (a set of keys), RFC 8017 8.2 (RSASSA-PKCS1-v1_5), FIPS 186-4 (ECDSA on P-256);
 * computed by nettle's libhogweed, which only this room includes
 * (docs/decisions/0041-who-signs.md).
 */
#ifndef PAWL_JWT_KEYS_H
#define PAWL_JWT_KEYS_H

#include <stddef.h>

#include "lib/base/err.h"
#include "lib/jwt/jws.h"

#define KEYS_MAX_BYTES (256u << 10)
#define KEYS_MAX 64

struct keys; /* opaque */

/*
 * Reads a JWKS.  Keys for something else than RS256 and ES256 are left out.
 *
 * Errors: ERR_SYNTAX, ERR_LIMIT; ERR_RANGE, no key is left, or one is private, no point of its
 *         curve, or of RSA with less than 2048 or more than 8192 bits; ERR_NOMEM.
 */
int keys_read(const char *json, size_t n, struct keys **out, struct err *err);
void keys_free(struct keys *keys); /* accepts NULL */

/*
 * Whether the key that the token names signed it.  No secret is worked with here.
 * Errors: ERR_ABSENT, there is no such key of that algorithm; ERR_REFUSED, it did not.
 * Cost: 0.1 to 0.5 ms.
 */
int keys_verify(const struct keys *keys, const struct jws *token, struct err *err);

#endif
