/*
 * chain - the hook that was there before ours: kept as chained/NAME beside it, which ours runs
 * first.
 *
 * It keeps its name, as some ask for it: overcommit and husky 4 are one program for all hooks,
 * which looks at what it is called by.  What lies beside it is linked there, as it may read that,
 * too, and where it is a link itself it leads where it led.  Where an older pawl kept it is
 * NAME.chained; that is found, too, and moved when ours is written anew.
 */
#ifndef PAWL_HOOKS_CHAIN_H
#define PAWL_HOOKS_CHAIN_H

#include "lib/base/buf.h"
#include "lib/base/err.h"

/* Where the hook before the one at path is; *out NULL when there is none; free() it. */
int chain_find(const char *path, char **out, struct err *err);

/*
 * Moves the hook at path aside, and appends where it is now to out.
 * Errors: ERR_CONFLICT another one is kept already; ERR_IO, ERR_NOMEM.
 */
int chain_keep(const char *path, struct buf *out, struct err *err);

/* Moves what an older pawl kept, if it did, to where it is kept now.  Errors: ERR_IO, ERR_NOMEM. */
int chain_move_older(const char *path, struct err *err);

/* Puts it back in the place of what is at path.  Errors: ERR_ABSENT none is kept; ERR_IO,
 * ERR_NOMEM. */
int chain_put_back(const char *path, struct err *err);

#endif
