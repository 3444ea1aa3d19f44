/*
 * store - KEY/layouts of a built tree: which files there are, how much they may take, who writes.
 */
#ifndef PAWL_COLLECTOR_LAYOUT_STORE_H
#define PAWL_COLLECTOR_LAYOUT_STORE_H

#include <stdbool.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

#define STORE_UNFINISHED ".new" /* behind the name of what is not whole yet */

/*
 * Makes the folder and holds its lock, which waits for another pawl that makes a layout there, and
 * removes what killed ones left unfinished.  Errors: ERR_IO, ERR_FULL, ERR_STOPPED.
 */
int store_lock(const char *folder, int *out_fd, struct err *err);

/* Errors: ERR_LIMIT the layouts of this tree take as much as they may. */
int store_has_room(const char *top, struct err *err);

/*
 * Writes beside path what the bytes of the file at `made` add up to, which is to be renamed to
 * path. Errors: ERR_IO, ERR_FULL, ERR_NOMEM.
 */
int store_seal(const char *made, const char *path, struct err *err);

/*
 * Whether there is a file at path, of the very bytes that store_seal() saw: a program with one
 * wrong bit measures something else, and says nothing of it.  Cost: reading it, about a nanosecond
 * a byte.
 */
bool store_is_sealed(const char *path);

/* Remembers why there is no file at path.  Where that cannot be, it is tried again. */
void store_refuse(const char *path, const char *why);

/* Appends what store_refuse() remembered of a path, if it did.  Errors: ERR_NOMEM. */
int store_reason(const char *path, struct buf *out, struct err *err);

#endif
