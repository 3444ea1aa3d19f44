#include "lib/base/libcrypto.h"

#include "lib/base/library.h"

#include "lib/base/banned.h"

#ifdef PAWL_STATIC
#define CALL(name) &EVP_##name,
struct libcrypto libcrypto = { LIBCRYPTO_CALLS(CALL) };

int libcrypto_open(struct err *err)
{
	(void)err;
	return 0;
}
#else
#define CALL(name) "EVP_" #name,
static const char *const names[] = { LIBCRYPTO_CALLS(CALL) };
struct libcrypto libcrypto;

#ifndef LIBCRYPTO_FOLDER /* the Makefile asks pkg-config */
#define LIBCRYPTO_FOLDER NULL
#endif

#define QUOTE(version) #version
#define TEXT(version) QUOTE(version)
#define VERSION TEXT(OPENSSL_SHLIB_VERSION)

static struct library library = {
	.name = "libcrypto",
	.files = { LIBRARY_FILE("libcrypto", VERSION) },
	.folder = LIBCRYPTO_FOLDER,
	.absence = ERR_IO,
	.names = names,
	.n = sizeof(names) / sizeof(names[0]),
	.table = &libcrypto,
};

int libcrypto_open(struct err *err)
{
	return library_open(&library, err);
}
#endif
