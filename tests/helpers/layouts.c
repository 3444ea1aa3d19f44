/*
 * layouts TREE PROGRAM NUMBER...: makes these layouts of a program of a built tree.  One line each:
 * its path, bytes and nanoseconds, or "not: REASON".  1: it has one layout, with the reason.
 *
 * layouts --install FOLDER PAWL: makes FOLDER the one where a build finds that pawl as its linkers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/layout/layout.h"
#include "collector/link/recorder.h"

#include "lib/base/banned.h"

static int install(const char *folder, const char *pawl)
{
	struct strv env = STRV_INIT;
	struct err err = ERR_INIT;
	int result = strv_addf(&env, &err, "PATH=%s", getenv("PATH"));

	recorder_offer(pawl);
	result = result || recorder_install(folder, &env, &err) || env.n != 2;
	strv_release(&env);
	return result;
}

int main(int argc, char **argv)
{
	struct layouts all = LAYOUTS_INIT;
	struct err err = ERR_INIT;
	int i;

	if (argc < 3)
		return 2;
	if (argc == 4 && !strcmp(argv[1], "--install"))
		return install(argv[2], argv[3]);
	if (layouts_open(argv[1], argv[2], &all, &err)) {
		printf("one layout: %s\n", err.text);
		return 1;
	}
	for (i = 3; i < argc; i++) {
		struct layout made = { .path = NULL };

		if (layout_make(&all, (unsigned)strtoul(argv[i], NULL, 10), &made, &err))
			printf("not: %s\n", err.text);
		else
			printf("%s %llu %llu\n", made.path, (unsigned long long)made.bytes,
			       (unsigned long long)made.took_ns);
		free(made.path);
	}
	layouts_close(&all);
	return 0;
}
