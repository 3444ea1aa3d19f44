/* SPDX-License-Identifier: MIT */
/*
 * counter - what a hardware or kernel counter says, per iteration.
 *
 * What could not be counted has a state and the sentence a user needs, never the value 0.
 */
#ifndef PAWL_HARNESS_COUNTER_COUNTER_H
#define PAWL_HARNESS_COUNTER_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COUNTER_MAX 12 /* rows of the table */
#define COUNTER_REASON 160
#define COUNTER_PMUS 4 /* kinds of core that are told apart */

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

/* The PMUs of a processor with several kinds of core; n 0: one kind, nothing to tell apart. */
struct counter_pmus {
	uint32_t type[COUNTER_PMUS];
	int n;
};

/*
 * What the system has said and would say again, so that a process that counts many benchmarks asks
 * once.  All bytes 0: it was not asked yet.
 */
struct counter_memory {
	bool is_asked, inherit; /* how it was asked */
	struct counter_pmus pmus;
	bool refused[COUNTER_MAX];
	struct counter said[COUNTER_MAX]; /* of the refused */
};

struct counter_calls;

extern const struct counter_calls pawl_counter_system;

/* The row of that name of COUNTER_MAX counters, when it has a value; else NULL. */
const struct counter *pawl_counter_valued(const struct counter *counters, const char *name);

/* Name of row i; NULL behind the last. */
const char *pawl_counter_name(size_t i);

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
