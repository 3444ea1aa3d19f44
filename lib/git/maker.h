/*
 * maker - names the process that made something, so that a later one can tell whether it lives.
 *
 * Internal to lib/git.  A process id alone comes back after a while: the boot, the time the process
 * started and the namespace that its id belongs to are part of the name.
 */
#ifndef PAWL_GIT_MAKER_H
#define PAWL_GIT_MAKER_H

#include <stdbool.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

/* Appends "pawl BOOT-ID PID START-TIME NAMESPACE" of this process.  Errors: ERR_IO, ERR_NOMEM. */
int maker_name(struct buf *out, struct err *err);

/*
 * Whether text is a name of maker_name() and its process is gone.  False for anything else: the
 * text of a user, and a process of another namespace of this boot, which cannot be looked up.
 */
bool maker_is_gone(const char *text);

#endif
