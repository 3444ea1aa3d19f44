/*
 * stat - what /proc tells of a process that is done and not yet waited for.
 *
 * Internal to child.
 */
#ifndef PAWL_COLLECTOR_CHILD_STAT_H
#define PAWL_COLLECTOR_CHILD_STAT_H

#include <time.h>

#include "collector/child/child.h"

/*
 * The clock of what all threads of a process used, as clock_getcpuclockid() makes it, which asks
 * the kernel first whether it is there.
 */
static inline clockid_t child_stat_clock_of(pid_t pid)
{
	return (clockid_t)(~(unsigned)pid << 3 | 2);
}

/* Fills main_cpu_ns, run_delay_ns, threads_cpu_ns and migrations; NaN for what is not told. */
void child_stat(const struct child *c, struct child_result *out);

/* ns that a thread has waited for a processor; NaN: not told. */
double child_stat_delay(pid_t pid);

/* What this thread has waited for a processor since it began; ns is NaN where that is not told. */
struct own_wait child_stat_own_wait(void);

/*
 * Whether all that it waited between two looks came after it had slept: it got a processor once.
 * Else it was sent away, perhaps before it fell asleep, while what it waited for worked.
 */
bool child_stat_only_woke(const struct own_wait *then, const struct own_wait *now);

#endif
