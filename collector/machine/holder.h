/*
 * holder - who holds a lock of flock(2).
 *
 * Source: /proc/locks, proc_locks(5).
 */
#ifndef PAWL_COLLECTOR_MACHINE_HOLDER_H
#define PAWL_COLLECTOR_MACHINE_HOLDER_H

#include "lib/base/buf.h"

/*
 * The process that holds the file locked for itself; 0: none, or the system does not tell (another
 * PID namespace).  Cost: reads all locks of the system, up to 1 MiB.
 */
long holder_of(int fd);

/* Appends " (process 12, in '/its/folder')", without the folder where it is not ours to see; or
 * nothing. */
void holder_name(int fd, struct buf *out);

#endif
