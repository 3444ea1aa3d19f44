/* Unit tests of lib/process/library.c. */
#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/process/library.h"

#include "lib/base/banned.h"

/* A name that no loader knows: only the folder leads to it. */
#define FILE_NAME LIBRARY_FILE("libpawl-late-test", "9")

static char folder[] = "/tmp/pawl-library.XXXXXX";
static char path[sizeof(folder) + sizeof(FILE_NAME)];

struct calls {
	__typeof__(&floor) floor;
	__typeof__(&hypot) hypot;
};

static const char *const names[] = { "floor", "hypot" };
static const char *const wrong_names[] = { "floor", "no_such_function" };

/* Whatever library has these functions here is given the name. */
static int make_folder(void **state)
{
	double (*volatile known)(double) = floor;
	double (*function)(double) = known;
	void *address;
	Dl_info info;

	(void)state;
	memcpy(&address, &function, sizeof(address));
	if (!mkdtemp(folder) || !dladdr(address, &info))
		return -1;
	snprintf(path, sizeof(path), "%s/" FILE_NAME, folder);
	return symlink(info.dli_fname, path);
}

static int remove_folder(void **state)
{
	(void)state;
	return unlink(path) || rmdir(folder);
}

static struct library library_of(struct calls *table, const char *const *functions)
{
	return (struct library){ .name = "libtest",
				 .files = { "libpawl-no-such.so.1", FILE_NAME },
				 .folder = folder,
				 .absence = ERR_NET,
				 .names = functions,
				 .n = 2,
				 .table = table };
}

static void functions_are_called_through_the_table(void **state)
{
	struct calls calls = { NULL, NULL };
	struct library l = library_of(&calls, names);
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(library_open(&l, &err), 0);
	assert_true(calls.floor(3.5) == 3.0);
	assert_true(calls.hypot(3.0, 4.0) == 5.0);
	/* The second call does not look again: there is nothing left to be found. */
	l.folder = NULL;
	assert_int_equal(library_open(&l, &err), 0);
}

static void a_missing_library_is_named_with_the_cure(void **state)
{
	struct calls calls = { NULL, NULL };
	struct library l = library_of(&calls, names);
	struct err err = ERR_INIT;

	(void)state;
	l.folder = NULL;
	assert_int_equal(library_open(&l, &err), -1);
	assert_int_equal(err.code, ERR_NET);
	assert_non_null(strstr(err.text, "cannot open libtest: libpawl-no-such.so.1"));
	assert_non_null(strstr(err.hint, "install libtest"));
	assert_null(calls.floor);
	assert_int_equal(library_open(&l, NULL), -1);
	/* It may be installed while pawl runs. */
	l.folder = folder;
	assert_int_equal(library_open(&l, &err), 0);
}

static void a_library_that_lacks_a_function_fills_nothing(void **state)
{
	struct calls calls = { NULL, NULL };
	struct library l = library_of(&calls, wrong_names);
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(library_open(&l, &err), -1);
	assert_non_null(strstr(err.text, "no_such_function"));
	assert_null(strstr(err.text, "libpawl-no-such"));
	assert_null(calls.floor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_called_through_the_table),
		cmocka_unit_test(a_missing_library_is_named_with_the_cure),
		cmocka_unit_test(a_library_that_lacks_a_function_fills_nothing),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
