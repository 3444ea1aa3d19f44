/*
 * session - one process run of a libpawl executable, slice by slice.
 */
#ifndef PAWL_COLLECTOR_RUN_SESSION_H
#define PAWL_COLLECTOR_RUN_SESSION_H

#include <stdbool.h>

#include "collector/child/child.h"
#include "collector/run/channel.h"
#include "collector/unit/unit.h"

#define SESSION_MAX_SLICES 64

struct session {
	struct child child;
	struct channel channel;
	bool started;
	bool ended; /* nothing more will come */
	bool idle;  /* it has answered and waits for another order */
	int n_slices;
	double slice_wall_ns[SESSION_MAX_SLICES]; /* per iteration */
	double slice_cpu_ns[SESSION_MAX_SLICES];  /* per iteration; NaN: not known */
	struct line result;			  /* LINE_RESULT or LINE_CALIBRATION */
	bool has_result;
	bool has_hello;
	struct strv names; /* of LINE_BENCHMARK lines */
	char *message;	   /* of a LINE_ERROR, or what broke the records */
	bool timed_out;
	uint64_t left_ns; /* of its time, while the clock stands still */
};

/* An empty session, which session_release() accepts. */
void session_init(struct session *s);

/* Starts the program.  Errors: as child_start(). */
int session_start(struct session *s, const struct child_spec *spec, struct err *err);

/*
 * Reads lines until the program waits for its turn or an order, or its stream ends.  What the
 * program does wrong is kept in message; only ERR_STOPPED and ERR_NOMEM are errors of the call. The
 * program's timeout runs only inside these calls: a turn that the other side does not give back is
 * not held against this one.
 */
int session_step(struct session *s, struct err *err);

/* Gives the turn and steps. */
int session_turn(struct session *s, struct err *err);

/*
 * Asks an idle session for another run, or calibration, of so many iterations in so many slices,
 * and steps.  What it answered before is forgotten.  Where it has gone, it has ended.
 */
int session_order(struct session *s, const char *name, uint64_t iterations, int slices,
		  uint64_t timeout_ns, struct err *err);

/* Lets an idle session end, and reads what it still says. */
int session_dismiss(struct session *s, struct err *err);

/* Reads no more of it, for that reason; nothing when it has ended already. */
void session_give_up(struct session *s, const char *why);

/* Ends and reaps; *out_explained gets why the run is no good, and stays empty when it is. */
void session_finish(struct session *s, const struct session *other, uint64_t timeout_ns,
		    struct child_result *out, struct buf *out_explained);

/* Releases all; ends the program if it still runs. */
void session_release(struct session *s);

/*
 * What sessions that took turns say of their pair p, whose runs are filled: its log ratios, the
 * medians over the slices; of the whole runs where they did not take turns.  NaN where a time is
 * none.
 */
void session_ratios(const struct session *head, const struct session *base, struct pair *p);

#endif
