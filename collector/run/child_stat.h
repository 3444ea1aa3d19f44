/*
 * child_stat - what /proc tells of a process that is done and not yet waited for.
 *
 * Internal to child.
 */
#ifndef PAWL_COLLECTOR_RUN_CHILD_STAT_H
#define PAWL_COLLECTOR_RUN_CHILD_STAT_H

#include "collector/run/child.h"

/* Fills main_cpu_ns, run_delay_ns, children_cpu_ns and migrations; NaN for what is not told. */
void child_stat(pid_t pid, struct child_result *out);

#endif
