/* Opens libpq. */
#ifdef PAWL_LIBPQ

#include "lib/store/postgres/libpq.h"

#include "lib/process/library.h"

#include "lib/base/banned.h"

#ifndef LIBPQ_FOLDER /* the Makefile asks pkg-config */
#define LIBPQ_FOLDER NULL
#endif

#define CALL(name) "PQ" #name,
static const char *const names[] = { LIBPQ_CALLS(CALL) };
struct libpq pq;

static struct library library = {
	.name = "libpq",
	.files = { LIBRARY_FILE("libpq", "5") },
	.folder = LIBPQ_FOLDER,
	.absence = ERR_IO,
	.names = names,
	.n = sizeof(names) / sizeof(names[0]),
	.table = &pq,
};

int libpq_open(struct err *err)
{
	return library_open(&library, err);
}

#else
typedef int libpq_is_absent;
#endif
