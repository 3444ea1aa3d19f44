/*
 * library - a shared library that is opened when a command first needs it.
 *
 * Opening libcurl or libgit2 costs 2 to 5 ms of processor time, with the thirty
 *libraries that they need in turn; most commands need none of them
 *(docs/decisions/0018-late-libraries.md). The room that may include the library's header keeps a
 *table of the functions it calls:
 *
 *	#define LIBFOO_CALLS(CALL) CALL(open) CALL(close)
 *	#define CALL(name) __typeof__(&foo_##name) name;
 *	struct libfoo {
 *		LIBFOO_CALLS(CALL)
 *	};
 *
 * so that the compiler holds every call to the header's prototype.  A static pawl (PAWL_STATIC) has
 * the functions in itself: its tables are filled when it is linked, and nothing is opened.
 */
#ifndef PAWL_PROCESS_LIBRARY_H
#define PAWL_PROCESS_LIBRARY_H

#include <stdatomic.h>
#include <stddef.h>

#include "lib/base/err.h"

#define LIBRARY_FILES 2

/* "libfoo.so.4" of version 4, as this system writes it. */
#ifdef __APPLE__
#define LIBRARY_FILE(name, version) name "." version ".dylib"
#else
#define LIBRARY_FILE(name, version) name ".so." version
#endif

struct library {
	const char *name; /* "libfoo", for people */
	const char
		*files[LIBRARY_FILES]; /* what the loader knows it by; the first found is taken */
	const char *folder;	       /* where it was when pawl was built: looked at last */
	enum err_code absence;	       /* how a missing library is reported */
	const char *const *names;      /* its functions, in the order of the table */
	size_t n;
	void *table; /* n pointers to functions and nothing else */
	atomic_bool is_open;
};

/*
 * Fills the table, once; the library stays open until the program ends.  May be called from any
 * thread.
 *
 * Errors: l->absence, with the loader's reason and the cure: the library is not there or lacks a
 *         function.  The table is as it was.
 * Cost:   the first call is the loader's work; later ones read one flag.
 */
int library_open(struct library *l, struct err *err);

/*
 * The function of that name in the libraries opened so far and in those that they need; NULL when
 * none has it.  For those that the program itself has one of that name.
 */
void *library_function(const char *name);

#endif
