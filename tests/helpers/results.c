/*
 * results - puts summaries into a store as they are, so that a report of them is the same on every
 * machine.
 *
 *   results STORE < SUMMARIES    one JSON document a line
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/store/local/store.h"

#include "lib/base/banned.h"

static void must(int result, const struct err *err)
{
	if (!result)
		return;
	fprintf(stderr, "results: %s\n", err->text);
	exit(1);
}

int main(int argc, char **argv)
{
	struct store *store = NULL;
	struct err err = ERR_INIT;
	struct buf all = BUF_INIT;
	char *line, *end;

	if (argc != 2) {
		fputs("usage: results STORE < SUMMARIES\n", stderr);
		return 2;
	}
	must(file_read_fd(0, "stdin", 256u << 20, &all, &err), &err);
	must(store_open(argv[1], STORE_WRITE, &store, &err), &err);
	for (line = all.data; line && *line; line = end + 1) {
		struct summary s;

		end = strchr(line, '\n');
		if (!end)
			break;
		must(summary_decode(line, (size_t)(end - line), &s, &err), &err);
		must(store_add(store, &s, false, NULL, &err), &err);
		summary_release(&s);
	}
	store_close(store);
	buf_release(&all);
	return 0;
}
