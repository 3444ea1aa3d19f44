/*
 * child_watch - waits for a child as child_poll() does, and counts what all that it started waited
 * for a processor.
 *
 * The kernel tells that of a thread while it is there, and of none that was waited for.  So each is
 * stopped where it ends (ptrace), and asked.  That costs a program that starts others some tens of
 * microseconds for each: it is for a calibration, and not for what is measured.
 */
#ifndef PAWL_COLLECTOR_CHILD_WATCH_H
#define PAWL_COLLECTOR_CHILD_WATCH_H

#include "collector/child/child.h"

/*
 * c was started with watch set.  c->watched_delay_ns gets the sum; it stays NaN where the system
 * does not allow it.  No other child of ours is there.
 */
enum child_event child_watch(struct child *c);

#endif
