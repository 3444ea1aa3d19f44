/*
 * script - the linker's own script, with the sections of the project's objects in another order.
 *
 * Before each statement that takes sections of many objects, "*(.text ...)", stand statements that
 * take single ones, in random order and with random gaps.  A section is taken by the first
 * statement that fits, so the order changes and nothing else does: not what is linked in, not the
 * order of constructors, not the groups of cold, startup and hot functions.
 */
#ifndef PAWL_COLLECTOR_LAYOUT_SCRIPT_H
#define PAWL_COLLECTOR_LAYOUT_SCRIPT_H

#include <stddef.h>
#include <stdint.h>

#include "collector/link/map.h"
#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/base/strv.h"

struct script_request {
	const char *script;	  /* the linker's own, as --verbose prints it */
	const struct map *map;	  /* of the link as it was */
	const struct strv *words; /* of the link */
	const char *top;	  /* the folder whose objects may move; relative names are in it */
	uint64_t seed;
};

/*
 * Appends the script, and in *out_moved how many sections got a place of their own.  The system's
 * objects stay where they are, in front of the project's if they were: programs ask for the address
 * of the first one's data.
 * Errors: ERR_NOMEM.
 */
int script_make(const struct script_request *rq, struct buf *out, size_t *out_moved,
		struct err *err);

/* The script in what `ld --verbose` printed: free() it.  Errors: ERR_SYNTAX, ERR_NOMEM. */
char *script_of_verbose(const char *printed, struct err *err);

#endif
