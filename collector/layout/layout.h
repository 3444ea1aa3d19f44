/*
 * layout - a built program again, its functions and data in other places.
 *
 * Where the linker happens to put things moves the speed of the same source by up to a percent and
 * more (docs/decisions/0025-layouts.md).  The build of a tree records its links (recorder.h); a
 * recorded link is made again with the project's sections in random order and random gaps between
 * them, and what comes out is kept only when it is the same program but for its addresses
 * (traits.h).
 *
 * KEY/layouts/ID/ of a built tree, ID from the code of the program, holds NUMBER for each layout
 * that was made, NUMBER.sum with what its bytes add up to, NUMBER.not with the reason for one that
 * was thrown away, "reference": the link made again as it was, with its map and script, and
 * "libraries".  It goes with the tree.
 */
#ifndef PAWL_COLLECTOR_LAYOUT_LAYOUT_H
#define PAWL_COLLECTOR_LAYOUT_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/link/link.h"
#include "collector/link/map.h"
#include "collector/link/relink.h"
#include "lib/base/err.h"
#include "lib/base/strv.h"

#define LAYOUT_MOST 32				     /* of one program: numbers 1 to that */
#define LAYOUT_BYTES (UINT64_C(512) << 20)	     /* of all programs of a tree */
#define LAYOUT_RELINK_NS (UINT64_C(60) * 1000000000) /* what one link may take */

/* One program, or shared object, whose layouts can be made. */
struct layouts {
	char *top;	  /* KEY: the folder around the tree */
	char *folder;	  /* KEY/layouts/ID */
	struct link link; /* of what the optimiser left, where that serves */
	bool is_flat;	  /* it does (flat.h) */
	enum linker linker;
	uint64_t seed; /* of all layouts: from the program's name, so that both sides have the same
			*/
	char *script;  /* the linker's own */
	char *libraries; /* where slim ones lie (libraries.h); NULL: the system's are read */
	struct map map;
	struct strv names; /* of gold: sections that can be put in order */
	struct strv traits;
};

#define LAYOUTS_INIT \
	{ \
		NULL, NULL, LINK_INIT, false, LINKER_OTHER, 0, NULL, NULL, MAP_INIT, STRV_INIT, \
			STRV_INIT \
	}

/*
 * Opens what is needed for the layouts of program, a file in the built tree (struct tree's path),
 * which is in use meanwhile.  The first time its link is made again as it was: that must give the
 * same code.
 *
 * Errors: ERR_ABSENT it has one layout only, and why: its link was not recorded, cannot be made
 *         again, gives other code, is one of those that cannot be changed; ERR_STOPPED; ERR_IO,
 *         ERR_FULL, ERR_NOMEM.
 */
int layouts_open(const char *tree, const char *program, struct layouts *out, struct err *err);
/*
 * The recorded link of a file in the built tree; link_release() it.
 * Errors: ERR_ABSENT it was not recorded, or the file is none that is linked; ERR_IO, ERR_NOMEM.
 */
int layouts_link(const char *tree, const char *program, struct link *out, struct err *err);
void layouts_close(struct layouts *l); /* accepts LAYOUTS_INIT; the files stay */

/* What layout_make() gives. */
struct layout {
	char *path;	  /* the file; free() it */
	uint64_t bytes;	  /* its size */
	uint64_t took_ns; /* to make and to check it; 0: it was there */
};

/*
 * Makes layout number 1 to LAYOUT_MOST, or finds it made.  The same number of the same code is the
 * same layout on every machine with the same linker.
 *
 * Errors: ERR_CORRUPT what came out is not the same program: this number is never tried again, and
 *         others may be; ERR_LIMIT the tree's layouts take LAYOUT_BYTES already; ERR_CHILD,
 *         ERR_TIMEOUT the link failed; ERR_STOPPED; ERR_IO, ERR_FULL, ERR_NOMEM.
 * Cost: one link, and reading the result; programs of 1 MB about 50 ms.
 */
int layout_make(struct layouts *l, unsigned number, struct layout *out, struct err *err);

/*
 * The reference, a file with its relocations and symbols, or with end ".map" what belongs to it:
 * free() it.  Errors: NULL and ERR_NOMEM.
 */
char *layouts_reference(const struct layouts *l, const char *end, struct err *err);

/* Adds the words for a link that keeps its relocations, and no debug information.  ERR_NOMEM. */
int layouts_keep_relocations(const struct layouts *l, struct strv *words, struct err *err);

/* Bytes of all files of a tree's layouts (the folder around the tree). */
uint64_t layouts_bytes(const char *top);

#endif
