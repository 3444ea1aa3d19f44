/*
 * readers - the forms of other clients, each read into results.
 */
#ifndef PAWL_SERVER_OTHERS_READERS_H
#define PAWL_SERVER_OTHERS_READERS_H

#include "server/others/told.h"

#define READERS_MOST 256 /* summaries of one request */

struct told_list {
	struct told *v;
	size_t n;
};

void told_list_release(struct told_list *l); /* accepts a zeroed one */

/*
 * Codespeed's: an array of objects, or one.  Source: "Save benchmark results" of Codespeed's README
 * and tools/save_multiple_results.py. Errors: ERR_RANGE, ERR_LIMIT, ERR_NOMEM.
 */
int codespeed_read(const struct jtree *root, struct told_list *out, struct err *err);

/*
 * LNT's report of format_version "2".  project: of its path.  Source: "LNT Report File
 * Format" in docs/importing_data.rst of llvm-lnt.
 */
int lnt_read(const struct jtree *root, const char *project, struct told_list *out, struct err *err);

#endif
