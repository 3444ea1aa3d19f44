/*
 * map - where GNU ld put the sections of which objects, from the text of its -Map.
 *
 * map_read() keeps only what can move: sections with bytes in .text, .rodata, .data and .bss, in
 * the order of the map, each with the statement of the linker script that took it.  map_read_all()
 * keeps every section with bytes.
 */
#ifndef PAWL_COLLECTOR_LINK_MAP_H
#define PAWL_COLLECTOR_LINK_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

/* One section of one object; the texts lie in the map's. */
struct map_unit {
	const char *output;    /* ".text" */
	const char *statement; /* NULL: none took it; "*(.text .stub .text.* .gnu.linkonce.t.*)" */
	const char *name;      /* ".text.work" */
	const char *file;      /* "a.o", of an archive: "lib.a" */
	const char *member;    /* "a.o" of "lib.a(a.o)", or NULL */
	uint64_t address;
	uint64_t size; /* bytes */
};

struct map {
	char *text; /* cut into pieces */
	struct map_unit *v;
	size_t n;
};

#define MAP_INIT \
	{ \
		NULL, NULL, 0 \
	}

/* Takes text over.  Errors: ERR_SYNTAX it is no map of GNU ld; ERR_NOMEM. */
int map_read(char *text, struct map *out, struct err *err);
int map_read_all(char *text, struct map *out, struct err *err);
void map_release(struct map *m);

#endif
