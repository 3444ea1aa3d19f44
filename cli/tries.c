#include "cli/tries.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "lib/base/banned.h"

static bool says(const char *why, const char *const *words, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (strcasestr(why, words[i]))
			return true;
	return false;
}

unsigned tries_of(const char *why)
{
	static const char *const machines[] = {
		"status 137",
		"status 143",
		"SIGKILL",
		"SIGTERM",
		"SIGINT",
		"Cannot allocate memory",
		"out of memory",
		"memory exhausted",
		"bad_alloc",
		"No space left",
		"quota exceeded",
		"Cannot fork",
		"Read-only file",
		"Resource temporarily",
		"Stale file",
		"Input/output error",
		"was suspended",
		"taken from us",
		/* Of the network that a build fetches from. */
		"resolve host",
		"name resolution",
		"no such host",
		"Network is unreachable",
		"i/o timeout",
		"Connection timed out",
		/* Submodules and files of LFS, which may come. */
		"is not here",
		"that are not here",
	};
	static const char *const compilers[] = { "Killed", "terminated program" };
	/* The machine's, or of a commit that lacks a script. */
	static const char *const missing[] = { "status 127", "Error 127" };
	bool is_build = strstr(why, ": the build ") != NULL;

	if (says(why, machines, sizeof(machines) / sizeof(*machines)) ||
	    (is_build && says(why, compilers, sizeof(compilers) / sizeof(*compilers))))
		return 0;
	if (says(why, missing, sizeof(missing) / sizeof(*missing)))
		return 1;
	return strstr(why, ": the build exited with status ") ? TRIES_MOST : 1;
}
