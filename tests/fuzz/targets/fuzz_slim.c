/*
 * A shared library that is damaged, or that somebody made up, with the symbols taken out that a
 * link does not need: refused, or one comes of it that is not much larger than it was.
 *
 * The seeds are libraries of gcc 12 without code to speak of: with versions, with a thread's
 * variable and an indirect function, and without versions; one of these says that most of its
 * sections are all of it.
 */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/layout/slim.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

const size_t fuzz_cost = 3;

static char folder[64], first[96], second[96];

static void remove_folder(void)
{
	file_remove_tree(folder, NULL);
}

static void make_folder(void)
{
	snprintf(folder, sizeof(folder), "%s/pawl-fuzz.XXXXXX",
		 access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	must(mkdtemp(folder) && !atexit(remove_folder));
	snprintf(first, sizeof(first), "%s/first", folder);
	snprintf(second, sizeof(second), "%s/second", folder);
}

static int slim(const char *from, const char *to, size_t *out_dropped)
{
	static char one[] = "one", other[] = "other", picked[] = "picked", three[] = "three";
	char *names[] = { one, other, picked, three };
	const struct strv wanted = { names, 4, 4 };
	struct err err = ERR_INIT;

	if (!slim_write(from, &wanted, to, out_dropped, &err))
		return 0;
	must(err.code == ERR_ABSENT || err.code == ERR_SYNTAX);
	must(fuzz_is_line(err.text) && fuzz_is_line(err.hint));
	must(access(to, F_OK));
	return -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	size_t dropped = n, again = n;
	struct stat st;

	if (!*folder)
		make_folder();
	/* Where the last one did not come to its end. */
	unlink(first);
	unlink(second);
	if (slim(fuzz_file(data, n), first, &dropped)) {
		must(dropped == n);
		return 0;
	}
	fuzz_accept();
	must(!stat(first, &st) && (size_t)st.st_size <= 2 * n + n / 4 + 64);
	/* Of one whose tables are each other's, what is left may be none. */
	if (!slim(first, second, &again))
		must(!unlink(second));
	must(!unlink(first));
	return 0;
}
