/*
 * gold - how gold is made to put things elsewhere.
 *
 * It has no script of its own to draw in, and no shuffling.  It puts sections into the order of a
 * list of names, which serves for objects compiled with -ffunction-sections; what has no name of
 * its own keeps its neighbours and is moved by gaps between the objects.
 */
#ifndef PAWL_COLLECTOR_LAYOUT_GOLD_H
#define PAWL_COLLECTOR_LAYOUT_GOLD_H

#include <stdint.h>

#include "collector/link/link.h"
#include "lib/base/err.h"
#include "lib/base/strv.h"

/*
 * The names of sections that can be put in order, each once, from the text of gold's -Map: of
 * functions, constants and what is zero.  Sections of cold, startup and hot functions are groups
 * and stay; so does .data, whose start some programs take for the start of all data. Errors:
 * ERR_SYNTAX it is no map of gold; ERR_NOMEM.
 */
int gold_names(const char *map, struct strv *out, struct err *err);

/* What a layout is made of. */
struct gold_request {
	const struct link *link;
	const struct strv *names;
	const char *top; /* the folder around the built tree */
	uint64_t seed;
	unsigned kinds;	    /* of gaps: those of pad.h whose sections the program has */
	const char *beside; /* files are made there: "list", and objects of gaps */
};

#define GOLD_PADS 16 /* at most */

/*
 * The words of such a link, but for its output; gold_clean() removes the files in any case.
 * Errors: ERR_IO, ERR_FULL, ERR_NOMEM.
 */
int gold_words(const struct gold_request *rq, struct strv *out, struct err *err);
void gold_clean(const char *beside);

#endif
