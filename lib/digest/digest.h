/*
 * digest - SHA-256 of memory, pieces and files, as 64 hex digits.
 *
 * Source: FIPS 180-4; computed by nettle, which only this file includes.  It was weighed against
 * OpenSSL's libcrypto (decision 18): a gigabyte takes both 0.8 s with the processor's own
 * instructions, but the first digest takes libcrypto 2 ms and nettle 0.2.
 */
#ifndef PAWL_DIGEST_DIGEST_H
#define PAWL_DIGEST_DIGEST_H

#include <stddef.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"

#define DIGEST_HEX 65 /* 64 lower-case hex digits and the NUL */

struct sha256_ctx; /* nettle's */

struct digest {
	struct sha256_ctx *ctx;
};

#define DIGEST_INIT \
	{ \
		NULL \
	}

/* Starts a digest.  Errors: ERR_NOMEM; then the calls below do nothing, and digest_end() fails. */
int digest_begin(struct digest *d, struct err *err);
void digest_add(struct digest *d, const void *bytes, size_t n);
/* Adds a string with its NUL, so that "ab" "c" differs from "a" "bc"; NULL counts as "". */
void digest_adds(struct digest *d, const char *text);
/* Adds the strings, and where they end. */
void digest_add_list(struct digest *d, const struct strv *list);
/* Writes the hex digits and releases.  Errors: ERR_NOMEM when digest_begin() failed. */
int digest_end(struct digest *d, char out[DIGEST_HEX], struct err *err);
/* Releases an unfinished digest; accepts DIGEST_INIT. */
void digest_release(struct digest *d);

int digest_of(const void *bytes, size_t n, char out[DIGEST_HEX], struct err *err);

#define DIGEST_BYTES 32

/* The digest itself, not its digits. */
void digest_bytes(const void *bytes, size_t n, unsigned char out[DIGEST_BYTES]);

/* Digest of a file's bytes.  Errors: ERR_ABSENT, ERR_IO, ERR_NOMEM. */
int digest_of_file(const char *path, char out[DIGEST_HEX], struct err *err);

/* Lower-case hex of n bytes into out (2 n + 1 chars). */
void hex_encode(const void *bytes, size_t n, char *out);

#endif
