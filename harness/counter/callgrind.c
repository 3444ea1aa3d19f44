/* SPDX-License-Identifier: MIT */
#include "harness/counter/callgrind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef CALLGRIND_IS_KNOWN

#include <valgrind/callgrind.h>

#define PATH_SIZE 512

bool pawl_callgrind_is_built(char *why, size_t size)
{
	if (!RUNNING_ON_VALGRIND)
		return true;
	(void)snprintf(why, size, "this program runs under valgrind already");
	return false;
}

bool pawl_callgrind_is_around(void)
{
	return RUNNING_ON_VALGRIND;
}

void pawl_callgrind_begin(void)
{
	CALLGRIND_START_INSTRUMENTATION;
}

void pawl_callgrind_end(void)
{
	CALLGRIND_STOP_INSTRUMENTATION;
}

static bool is_counting;

uint64_t pawl_callgrind_on(void)
{
	if (!is_counting) {
		is_counting = true;
		CALLGRIND_TOGGLE_COLLECT;
	}
	return 0;
}

uint64_t pawl_callgrind_off(void)
{
	if (is_counting) {
		CALLGRIND_TOGGLE_COLLECT;
		is_counting = false;
	}
	return 0;
}

/* The numbers of `summary:`, which leaves out zeros at its end. */
static void read_summary(const char *line, uint64_t *out)
{
	for (int i = 0; i < VALGRIND_EVENTS; i++) {
		char *end;
		out[i] = strtoull(line, &end, 10);
		line = end;
	}
}

/* Whether the events are those of pawl_valgrind_event(), in that order. */
static bool are_ours(const char *line)
{
	for (int i = 0; i < VALGRIND_EVENTS; i++) {
		size_t n = strlen(pawl_valgrind_event(i));
		line += strspn(line, " ");
		if (strncmp(line, pawl_valgrind_event(i), n) ||
		    (line[n] && !strchr(" \n", line[n])))
			return false;
		line += n;
	}
	return true;
}

const char *pawl_callgrind_take(const char *folder, int dump, uint64_t *out)
{
	char path[PATH_SIZE], line[1024];
	bool ours = false, found = false;
	FILE *file;
	CALLGRIND_DUMP_STATS;
	(void)snprintf(path, sizeof(path), "%s/out.%d", folder, dump);
	file = fopen(path, "re");
	memset(out, 0, VALGRIND_EVENTS * sizeof(*out));
	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "events:", 7) == 0)
			ours = are_ours(line + 7);
		if (strncmp(line, "summary:", 8) == 0) {
			read_summary(line + 8, out);
			found = true;
		}
	}
	if (file)
		(void)fclose(file);
	if (!file || !found)
		return "callgrind wrote no counts";
	return ours ? NULL : "this callgrind counts other events";
}

#else

bool pawl_callgrind_is_built(char *why, size_t size)
{
	(void)snprintf(why, size,
		       "libpawl was built without valgrind's headers: install valgrind and "
		       "build it again");
	return false;
}

#endif
