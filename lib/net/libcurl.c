#include "lib/net/libcurl.h"

#include "lib/process/library.h"

#include "lib/base/banned.h"

#ifdef PAWL_STATIC
#define CALL(name) &curl_##name,
struct libcurl libcurl = { LIBCURL_CALLS(CALL) };

int libcurl_open(struct err *err)
{
	(void)err;
	return 0;
}
#else
#define CALL(name) "curl_" #name,
static const char *const names[] = { LIBCURL_CALLS(CALL) };
struct libcurl libcurl;

#ifndef LIBCURL_FOLDER /* the Makefile asks pkg-config */
#define LIBCURL_FOLDER NULL
#endif

/* Debian has a second libcurl, of another name, for those who want GnuTLS. */
static struct library library = {
	.name = "libcurl",
	.files = { LIBRARY_FILE("libcurl", "4"), LIBRARY_FILE("libcurl-gnutls", "4") },
	.folder = LIBCURL_FOLDER,
	.absence = ERR_NET,
	.names = names,
	.n = sizeof(names) / sizeof(names[0]),
	.table = &libcurl,
};

int libcurl_open(struct err *err)
{
	return library_open(&library, err);
}
#endif
