/*
 * runlock - one measuring pawl at a time on a machine; the others wait and say so.
 */
#ifndef PAWL_COLLECTOR_MACHINE_RUNLOCK_H
#define PAWL_COLLECTOR_MACHINE_RUNLOCK_H

#include "lib/base/err.h"
#include "lib/base/talk.h"

/*
 * Waits for the lock.  *out_fd holds it until it is closed; -1 when no lock could be had at
 * all (a read-only system), which is warned of and no error.  Errors: ERR_STOPPED; ERR_BUSY after
 * an hour.
 */
int runlock_take(const struct talk *talk, int *out_fd, struct err *err);

#endif
