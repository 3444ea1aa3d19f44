/*
 * layouts TREE PROGRAM NUMBER...: makes these layouts of a program of a built tree.  One line each:
 * its path, bytes and nanoseconds, or "not: REASON".  1: it has one layout, with the reason.
 */
#include <stdio.h>
#include <stdlib.h>

#include "collector/layout/layout.h"

#include "lib/base/banned.h"

int main(int argc, char **argv)
{
	struct layouts all = LAYOUTS_INIT;
	struct err err = ERR_INIT;
	int i;

	if (argc < 3)
		return 2;
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
