#include "lib/git/libgit2.h"

#include "lib/process/library.h"

#include "lib/base/banned.h"

#ifdef PAWL_STATIC
#define CALL(name) &git_##name,
struct libgit2 libgit2 = { LIBGIT2_CALLS(CALL) };

int libgit2_open(struct err *err)
{
	(void)err;
	return 0;
}
#else
#define CALL(name) "git_" #name,
static const char *const names[] = { LIBGIT2_CALLS(CALL) };
struct libgit2 libgit2;

#ifndef LIBGIT2_FOLDER /* the Makefile asks pkg-config */
#define LIBGIT2_FOLDER NULL
#endif

static struct library library = {
	.name = "libgit2",
	.files = { LIBRARY_FILE("libgit2", LIBGIT2_SOVERSION) },
	.folder = LIBGIT2_FOLDER,
	.absence = ERR_GIT,
	.names = names,
	.n = sizeof(names) / sizeof(names[0]),
	.table = &libgit2,
};

int libgit2_open(struct err *err)
{
	return library_open(&library, err);
}
#endif
