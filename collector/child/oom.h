/*
 * oom - whether the system has killed for want of memory.
 */
#ifndef PAWL_COLLECTOR_CHILD_OOM_H
#define PAWL_COLLECTOR_CHILD_OOM_H

#include <stdbool.h>

/* Notes how often it had done so: to be called before the first child starts.  Later calls do
 * nothing. */
void oom_begin(void);

/*
 * Whether it has done so since then, anywhere on the machine, a container's own limit included;
 * false where it does not tell (Linux before 4.13).
 */
bool oom_has_killed(void);

#endif
