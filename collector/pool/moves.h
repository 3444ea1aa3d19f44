/*
 * moves - whether a program that names /proc/self/exe may run from another place.
 *
 * Who names it may look for files beside itself.  glibc's static part and Rust's library name it in
 * every program, for what few programs ask of them; so it is asked who does: what the recorded link
 * put into the program is read.
 */
#ifndef PAWL_COLLECTOR_POOL_MOVES_H
#define PAWL_COLLECTOR_POOL_MOVES_H

#include <stdbool.h>

#include "collector/link/link.h"
#include "lib/base/err.h"

/* Whether the file, a program or a shared object, names /proc/self/exe. */
bool moves_is_in_doubt(const char *path);

/*
 * Whether only the language's own library names it in what was linked, and nothing of the project
 * asks that library for it: Rust's current_exe(), $ORIGIN of a static program's dlopen().
 *
 * top: the folder around the built tree.
 * Errors: ERR_ABSENT something else does, or it cannot be told: which file; ERR_NOMEM.
 * Cost: all objects and archives of the link are read once.
 */
int moves_check(const struct link *link, const char *top, struct err *err);

#endif
