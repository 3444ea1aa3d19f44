/*
 * loader - which files the dynamic loader asks for by itself, before a program begins or for what
 * it opens by name.
 *
 * Source: ld.so(8); glibc 2.36, elf/dl-load.c (open_path()) and elf/dl-hwcaps.c.
 */
#ifndef PAWL_COLLECTOR_CODE_LOADER_H
#define PAWL_COLLECTOR_CODE_LOADER_H

#include <stdbool.h>

#include "collector/code/cache.h"

/* A folder in a folder of libraries, with those for some processors. */
#define LOADER_CHOICE "glibc-hwcaps"

/* Before that there were these, up to glibc 2.36; NULL at the end. */
extern const char *const loader_older_choices[];

/* Whether it lies in folders of the system: what is there belongs to the machine. */
bool loader_is_system(const char *path);

/* A program that ran: where it ran, and the same where it was built. */
struct loader {
	const struct bundle *at, *built;
	const struct strv *asked; /* absolute: all that was asked for near it, and libraries */
	const struct strv *late;  /* those of them that were asked for when it had begun, too */
};

/*
 * Whether it is the loader's: one of the objects; or a place where it looks for one that the
 * system has, or for one for another processor, and in place finds none either.
 */
bool loader_asks(const struct loader *l, const char *path);

#endif
