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

/* Of two that begin together with one budget, the second gets its turn: the first ends by then. */
#define RUNLOCK_MORE_NS 2000000000u

/*
 * How long the lock is waited for: as the user said; else as long as the budget, and
 * RUNLOCK_MORE_NS.  0 is none of them; the result 0 stands for an hour.
 */
uint64_t runlock_most_ns(uint64_t wait_ns, uint64_t budget_ns);

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
