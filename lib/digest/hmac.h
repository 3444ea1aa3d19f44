/*
 * hmac - HMAC-SHA256 of pieces, by nettle: that a text came from who knows a key.
 *
 * Source: RFC 2104; test vectors of RFC 4231.
 */
#ifndef PAWL_DIGEST_HMAC_H
#define PAWL_DIGEST_HMAC_H

#include <stddef.h>

#define HMAC_BYTES 32

struct hmac_piece {
	const void *bytes;
	size_t n;
};

/* Of the pieces one behind the other.  Nothing of the key is left on the stack. */
void hmac_sha256(const void *key, size_t n_key, const struct hmac_piece *pieces, size_t n,
		 unsigned char out[HMAC_BYTES]);

#endif
