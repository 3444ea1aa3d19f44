/*
 * runlock - one measuring pawl at a time on a machine; the others wait, say so, and are served in
 * the order in which they came.
 */
#ifndef PAWL_COLLECTOR_MACHINE_RUNLOCK_H
#define PAWL_COLLECTOR_MACHINE_RUNLOCK_H

#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/talk.h"

#define RUNLOCK_FILE "/tmp/pawl.lock"	/* of the machine, not of a user or a repository */
#define RUNLOCK_QUEUE "/tmp/pawl.queue" /* those who wait hold a byte each */
/* The variable that names another lock; FILE.queue is its queue then. */
#define RUNLOCK_ENV "PAWL_LOCK"

/* How long a budget lets the lock be waited for: as long again, and long enough for others' turns.
 */
#define RUNLOCK_LEAST_NS 120000000000u
#define RUNLOCK_MOST_NS(budget_ns) \
	((budget_ns) && (budget_ns) < RUNLOCK_LEAST_NS ? RUNLOCK_LEAST_NS : (budget_ns))

/*
 * Waits for the lock, most_ns at most (0: an hour).  *out_fd holds it until it is closed; -1 when
 * no lock could be had at all (a read-only system), which is warned of and no error.  Where there
 * can be no queue, who asks at the right moment comes first.  Errors: ERR_STOPPED; ERR_BUSY when
 * the time is over; ERR_USAGE RUNLOCK_ENV is no whole path.
 */
int runlock_take(const struct talk *talk, uint64_t most_ns, int *out_fd, struct err *err);

/* As runlock_take(), of these files. */
int runlock_take_of(const char *file, const char *queue, const struct talk *talk, uint64_t most_ns,
		    int *out_fd, struct err *err);

#endif
