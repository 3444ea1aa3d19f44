/*
 * stage_copy - one side's files, copied again and again to fresh places, for stage.h.
 */
#ifndef PAWL_COLLECTOR_CODE_STAGE_COPY_H
#define PAWL_COLLECTOR_CODE_STAGE_COPY_H

#include <stdbool.h>

#include "collector/code/stage_source.h"
#include "collector/unit/side.h"
#include "lib/base/err.h"
#include "lib/base/strv.h"

#define STAGE_LARGE (32u << 20) /* bytes of a side with its shared objects, from there on */

struct stage_copy {
	struct side from, side; /* what is copied, and what runs */
	struct strv files;	/* the first one is the executable */
	/* Pairs: a file, and what is copied in its place; NULL: nothing is. */
	const struct strv *instead;
	struct stage_sources sources;
	unsigned n; /* copies made so far */
};

/*
 * Lists the files of c->from: the executable and its shared objects, from its cache entry or from
 * where the loader finds them.  Errors: those of bundle_of(); ERR_IO.
 */
int stage_copy_find(struct stage_copy *c, struct err *err);
bool stage_copy_is_large(const struct stage_copy *c);

#define STAGE_COPY_PLACES 3 /* the newest copy, the one before, and the one that is made */

/*
 * Copies them into FOLDER/NUMBERWHICHi, the number in six digits and i the next of the places,
 * and lets c->side run from there; nothing is synced.  The copy before this one stays until the
 * next: a page that is freed is the first to be given out again, and a copy in place of the old one
 * would come to lie where that was. Errors: ERR_IO, ERR_FULL, ERR_NOMEM. Cost:   for each file a
 * new one, written, and an old one removed; the folders are made once.
 */
int stage_copy_make(const char *folder, unsigned number, char which, struct stage_copy *c,
		    struct err *err);

/* Releases the texts; the files stay. */
void stage_copy_release(struct stage_copy *c);

#endif
