/*
 * effort - how long a child takes by itself: what it and all that it started worked or slept,
 * without what they waited for a processor.  A busy machine makes a program late, not long.
 */
#ifndef PAWL_COLLECTOR_CHILD_EFFORT_H
#define PAWL_COLLECTOR_CHILD_EFFORT_H

#include "collector/child/child.h"

/* What /proc tells of all our descendants together. */
struct effort_look {
	uint64_t now_ns;  /* CLOCK_MONOTONIC */
	uint64_t cpu_ns;  /* with those that they waited for; in steps of a tick */
	bool is_ready;	  /* one has or wants a processor */
	bool has_threads; /* one has several, of which only the first tells whether it is ready */
};

struct effort {
	struct effort_look last;
	uint64_t ns; /* so far; of work side by side the time that it took */
};

/* Adds what came since the last look, which lies before this one. */
void effort_add(struct effort *e, const struct effort_look *look);

/* Cost: a look at each process of the machine, milliseconds. */
void effort_look(struct effort_look *out);

/*
 * As child_run(), but ends the child where its effort comes to most_ns, too: then out->timed_out is
 * set and *out_ns at least that.  Our only child.
 */
int effort_run(const struct child_spec *spec, uint64_t most_ns, struct child *c,
	       struct child_result *out, uint64_t *out_ns, struct err *err);

#endif
