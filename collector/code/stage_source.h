/*
 * stage_source - the bytes of the files that a stage copies for each pair, without reading each
 * file for each copy.
 *
 * Internal to stage.
 */
#ifndef PAWL_COLLECTOR_CODE_STAGE_SOURCE_H
#define PAWL_COLLECTOR_CODE_STAGE_SOURCE_H

#include <stddef.h>

#include "lib/base/err.h"

struct stage_source {
	char *path;
	size_t path_len;
	void *bytes; /* mapped; NULL: nothing is in it */
	size_t n;
};

struct stage_sources {
	struct stage_source *v;
	size_t n;
};

/*
 * Writes all that is in the file at from to a new file at to, not synced, which its owner may read
 * and execute.  What from holds is what it held when it was first asked for, also if another file
 * has taken its place since then.
 * Errors: ERR_ABSENT, ERR_IO, ERR_FULL, ERR_NOMEM.
 * Cost:   the first time of each file opens and maps it, which stays so until the release.
 */
int stage_source_copy(struct stage_sources *s, const char *from, const char *to, struct err *err);

void stage_sources_release(struct stage_sources *s);

#endif
