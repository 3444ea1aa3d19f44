/*
 * watch - waits for a child as child_poll() does, and counts what all that it started waited
 * for a processor.
 *
 * The kernel tells that of a thread while it is there, and of none that was waited for.  Whoever
 * traces a process (ptrace) is told of its end before its parent, and asks it then.  Each that is
 * started stops twice for that: our own time until it goes on is late_ns.  It takes some tens of
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

/* Who looks at each stop of what is watched. */
struct child_tracer {
	/* The child stands still behind its exec, before its first instruction. */
	void (*began)(void *ctx, pid_t pid);
	/* A thread stopped, with this status of waitpid(); true: it is the tracer's, no signal. */
	bool (*stopped)(void *ctx, pid_t pid, int status);
	void *ctx;
};

/* The same, with a tracer, which is also told of each thread on its way out (PTRACE_EVENT_EXIT). */
enum child_event child_watch_traced(struct child *c, const struct child_tracer *tracer);

#endif
