/*
 * digest - SHA-256 of memory, pieces and files, as 64 hex digits.
 *
 * Source: FIPS 180-4; computed by OpenSSL's libcrypto, which is opened for the first one.
 * Where libcrypto is not there, every call that can fail fails with ERR_IO and the cure.
 */
#ifndef PAWL_BASE_DIGEST_H
#define PAWL_BASE_DIGEST_H

#include <stddef.h>

#include "lib/base/err.h"

#define DIGEST_HEX 65 /* 64 lower-case hex digits and the NUL */

struct digest {
	void *ctx;
};

#define DIGEST_INIT \
	{ \
		NULL \
	}

/* Starts a digest.  Errors: ERR_NOMEM. */
int digest_begin(struct digest *d, struct err *err);
void digest_add(struct digest *d, const void *bytes, size_t n);
/* Adds a string with its NUL, so that "ab" "c" differs from "a" "bc"; NULL counts as "". */
void digest_adds(struct digest *d, const char *text);
/* Writes the hex digits and releases.  Errors: ERR_NOMEM when a step failed. */
int digest_end(struct digest *d, char out[DIGEST_HEX], struct err *err);
/* Releases an unfinished digest; accepts DIGEST_INIT. */
void digest_release(struct digest *d);

int digest_of(const void *bytes, size_t n, char out[DIGEST_HEX], struct err *err);

/* Digest of a file's bytes.  Errors: ERR_ABSENT, ERR_IO, ERR_NOMEM. */
int digest_of_file(const char *path, char out[DIGEST_HEX], struct err *err);

/* Lower-case hex of n bytes into out (2 n + 1 chars). */
void hex_encode(const void *bytes, size_t n, char *out);

#endif
