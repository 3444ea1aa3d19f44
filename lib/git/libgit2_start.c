/*
 * When libgit2 starts it prepares TLS, and for that parses all certificates of the machine: with
 * mbedTLS (Debian) 53 of the 75 million instructions of a `pawl report`, with OpenSSL more.  pawl
 * never lets it near a network, and libgit2 has no option against it.
 *
 * The two functions that read certificates are defined here, too.  The program's own come first in
 * the loader's search (lib/git/exported.list), so that libgit2 calls these: they do nothing while
 * it starts.  Another library that wants certificates later, as libcurl, gets the real ones.
 */
#include "lib/git/libgit2.h"

#ifdef PAWL_STATIC
/* The libgit2 of ci/static is built without TLS. */
int libgit2_start(void)
{
	return libgit2.libgit2_init();
}
#else
#include <stdbool.h>
#include <string.h>

#include "lib/process/library.h"

#include "lib/base/banned.h"

#define NOTHING_READ (-1) /* mbedTLS: below 0; libgit2 goes on without certificates */

typedef int parse_file(void *chain, const char *path);
typedef int set_default_paths(void *ctx);

parse_file mbedtls_x509_crt_parse_file;
set_default_paths SSL_CTX_set_default_verify_paths;

static _Thread_local bool is_starting;

int mbedtls_x509_crt_parse_file(void *chain, const char *path)
{
	void *found = is_starting ? NULL : library_function("mbedtls_x509_crt_parse_file");
	parse_file *real;

	memcpy(&real, &found, sizeof(real));
	return real ? real(chain, path) : NOTHING_READ;
}

/* 1 is success: OpenSSL then trusts nobody. */
int SSL_CTX_set_default_verify_paths(void *ctx)
{
	void *found = is_starting ? NULL : library_function("SSL_CTX_set_default_verify_paths");
	set_default_paths *real;

	memcpy(&real, &found, sizeof(real));
	return real ? real(ctx) : is_starting;
}

int libgit2_start(void)
{
	int result;

	is_starting = true;
	result = libgit2.libgit2_init();
	is_starting = false;
	return result;
}
#endif
