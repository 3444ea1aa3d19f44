/*
 * lock - a file or folder locked, whoever holds it waited for, or given up when a signal asks us to
 * stop.
 */
#ifndef PAWL_PROCESS_LOCK_H
#define PAWL_PROCESS_LOCK_H

#include "lib/base/err.h"

/*
 * flock(2) of an open descriptor, for us alone; name: for errors.  Closing it is the end.
 * Errors: ERR_STOPPED (stop.h); ERR_IO also where the file system has no locks.
 */
int lock_wait(int fd, const char *name, struct err *err);

#endif
