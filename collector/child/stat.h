/*
 * child_stat - what /proc tells of a process that is done and not yet waited for.
 *
 * Internal to child.
 */
#ifndef PAWL_COLLECTOR_CHILD_STAT_H
#define PAWL_COLLECTOR_CHILD_STAT_H

#include "collector/child/child.h"

/* Fills main_cpu_ns, run_delay_ns, threads_cpu_ns and migrations; NaN for what is not told. */
void child_stat(const struct child *c, struct child_result *out);

/* ns that a thread has waited for a processor; NaN: not told. */
double child_stat_delay(pid_t pid);

/* ns that this thread has waited for a processor since it began; NaN: not told. */
double child_stat_own_delay(void);

#endif
