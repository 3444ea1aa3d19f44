/*
 * libcrypto - the functions of libcrypto that pawl calls, opened when the first is needed.
 *
 * Internal to lib/base.  libcrypto.MD_CTX_new() is EVP_MD_CTX_new(), and so on; no call
 * before libcrypto_open() has returned 0.
 */
#ifndef PAWL_BASE_LIBCRYPTO_H
#define PAWL_BASE_LIBCRYPTO_H

#include <openssl/evp.h>

#include "lib/base/err.h"

#define LIBCRYPTO_CALLS(CALL) \
	CALL(DigestFinal_ex) \
	CALL(DigestInit_ex) \
	CALL(DigestUpdate) \
	CALL(EncodeBlock) \
	CALL(MD_CTX_free) \
	CALL(MD_CTX_new) \
	CALL(sha256)

#define CALL(name) __typeof__(&EVP_##name) name;
struct libcrypto {
	LIBCRYPTO_CALLS(CALL)
};
#undef CALL

extern struct libcrypto libcrypto;

/* Errors: ERR_IO, with the cure.  Cost: lib/base/library.h; about 1 ms the first time. */
int libcrypto_open(struct err *err);

#endif
