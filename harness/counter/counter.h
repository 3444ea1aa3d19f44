/* SPDX-License-Identifier: MIT */
/*
 * counter - hardware and kernel counters of the calling thread, per iteration.
 *
 * The events are rows of one table and are counted in passes of at most four, each pass one
 * group that is scheduled as a whole, so that none has to share a counter.  What could not be
 * counted has a state and the sentence a user needs, never the value 0.
 *
 * A reading is a difference of two reads: resetting would clear neither the times nor what
 * was folded in.  Source: perf_event_open(2).
 */
#ifndef PAWL_HARNESS_COUNTER_COUNTER_H
#define PAWL_HARNESS_COUNTER_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/pawl.h"

#define COUNTER_MAX 12 /* rows of the table */
#define COUNTER_REASON 160

enum counter_state {
	COUNTER_OK,
	COUNTER_SCALED,	   /* was scheduled a part of the time: extrapolated */
	COUNTER_STARVED,   /* opened, but never scheduled */
	COUNTER_ABSENT,	   /* this machine does not offer it */
	COUNTER_FORBIDDEN, /* the system refuses it to this user */
};

struct counter {
	const char *name;
	enum counter_state state;
	bool simulated;		     /* the value is of a made-up processor */
	double value;		     /* per iteration; NaN unless ok or scaled */
	char reason[COUNTER_REASON]; /* why not; or what is special about the value; or "" */
};

struct counter_calls;
struct counter_group;

extern const struct counter_calls pawl_counter_system;

/* How it was timed before, which is how it is counted. */
enum counter_timed { TIMED_UNKNOWN, TIMED_WHOLE, TIMED_BY_HAND };

/* How a benchmark is counted. */
struct counter_how {
	bool inherit; /* with the threads that it starts while it is counted */
	bool self;    /* read from user space where the system allows it; not with inherit */
	enum counter_timed timed;
};

/* The row of that name of COUNTER_MAX counters, when it has a value; else NULL. */
const struct counter *pawl_counter_valued(const struct counter *counters, const char *name);

/* Name of row i; NULL behind the last. */
const char *pawl_counter_name(size_t i);

/*
 * Counts all rows over n iterations each pass.
 *
 * Shape:  out has COUNTER_MAX places, all of which are filled in the table's order.
 * Errors: none; each counter carries its own.
 * Cost:   one run of n iterations for each pass of which at least one event opened; three for
 *         the pass of the kernel's counts, the least of which is reported.
 */
void pawl_counters_measure(const struct counter_calls *calls, const struct counter_how *how,
			   const struct pawl_bench *bench, uint64_t n, struct counter *out);

/* Around what is counted; called by the pass, or by pawl_start() and pawl_stop(). */
void pawl_group_begin(struct counter_group *g);
void pawl_group_end(struct counter_group *g);

/* "ok", "scaled", ...; static storage. */
const char *pawl_counter_state_name(enum counter_state state);

/*
 * State and sentence of a failed open.  error: -errno; paranoid: the sysctl's value, or
 * negative when unknown.
 */
enum counter_state pawl_counter_explain(int error, int paranoid, char *out_reason, size_t size);

/* The same of a failed read; -ENODATA: the kernel read nothing. */
enum counter_state pawl_counter_explain_read(int error, char *out_reason, size_t size);

#endif
