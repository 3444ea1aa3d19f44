/*
 * reference - the link behind a program, made again as it was.
 *
 * What comes out must be the program; from it, with its relocations, map and script, layouts are
 * drawn.  It lies in the folder of the program's layouts.
 */
#ifndef PAWL_COLLECTOR_LAYOUT_REFERENCE_H
#define PAWL_COLLECTOR_LAYOUT_REFERENCE_H

#include <stdbool.h>

#include "collector/layout/layout.h"

/*
 * Reads the reference of a program with that code, or makes it first: the link is recorded, its
 * linker and folder are known.  Sets link and is_flat (where the optimiser need not run each time),
 * map, script, libraries, names, traits.
 * Errors: ERR_ABSENT it has none, and why; ERR_STOPPED; ERR_IO, ERR_FULL, ERR_NOMEM.
 * Cost: the first time one to four links; the next ones read a few files.
 */
int reference_find(struct layouts *l, const char *code, struct err *err);

/* Faults of a link, which come again each time: so the program has one layout. */
bool reference_is_lasting(enum err_code code);

#endif
