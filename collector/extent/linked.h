/*
 * linked - what of a program runs, or decides what runs, beside its parts.
 */
#ifndef PAWL_COLLECTOR_EXTENT_LINKED_H
#define PAWL_COLLECTOR_EXTENT_LINKED_H

#include "collector/link/link.h"
#include "collector/link/program.h"
#include "lib/base/strv.h"
#include "lib/digest/digest.h"

/*
 * Digests how the program was linked (but for its own objects and the folder top), which libraries
 * and symbols of others it asks for, in which versions, which of its own it shows to others, and
 * how it is loaded.  Appends the names that it shows to exported.
 *
 * Errors: ERR_ABSENT it may run what no recording and no digest would show: it loads libraries
 *         while it runs, makes code, unwinds its stack, watches itself; ERR_SYNTAX; ERR_NOMEM.
 */
int linked_read(const struct program *p, const struct link *l, const char *top,
		char out[DIGEST_HEX], struct strv *exported, struct err *err);

/*
 * What the loader fills in at each start, executed or not: places, of some nanoseconds each; those
 * that it looks up by a name, of some hundred; and pages that are copied for it, of about a
 * microsecond each.
 */
struct linked_filled {
	uint64_t places, named, pages;
};

struct linked_filled linked_filled(const struct program *p);

#endif
