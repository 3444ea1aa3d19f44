/* SPDX-License-Identifier: MIT */
/*
 * session - what pawl_main() holds while it works: list, clocks, memory.
 */
#ifndef PAWL_HARNESS_SESSION_SESSION_H
#define PAWL_HARNESS_SESSION_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/counter/counter.h"
#include "harness/engine/engine.h"
#include "harness/session/expand.h"
#include "harness/session/options.h"
#include "harness/base/text.h"

enum status { STATUS_OK = 0, STATUS_FAILED = 1, STATUS_USAGE = 2, STATUS_GONE = 3 };

#define SESSION_FAULT 200
#define SESSION_ORDER 320 /* two counts and a name */
/* Bytes of records that wait for the next one, without the last of them. */
#define SESSION_HELD 4096
/* Holds them and the longest record: names are limited, counters are few. */
#define SESSION_MEMORY (SESSION_HELD + 16384)

/* What became of one benchmark. */
struct outcome {
	char fault[SESSION_FAULT]; /* "" when it was measured */
	struct measured measured;
	bool counted;
	struct counter counters[COUNTER_MAX];
};

struct session {
	const char *program; /* for messages */
	const struct pawl_bench *list;
	size_t count;
	struct expansion expanded; /* holds the list */
	struct options options;
	struct orders orders;
	bool lost;		   /* the descriptor could not be written */
	char order[SESSION_ORDER]; /* the last one that came behind the first */
	struct instruments in;
	const struct counter_calls *calls;
	struct counter_memory counted_before;
	struct engine engine;
	struct outcome outcome;
	struct text text;
	char memory[SESSION_MEMORY];
};

/* Measures what the clocks alone do not tell, when anything is to be measured.  Cost: 5 to 30 ms.
 */
void pawl_session_prepare(struct session *s);

/* Empties *out, calls setup and starts the threads.  Returns false, with out->fault, when that
 * fails. */
bool pawl_session_open(struct session *s, const struct pawl_bench *bench, struct outcome *out);

/* One benchmark as the options say, and its counters.  Returns false when there is a fault. */
bool pawl_session_measure(struct session *s, const struct pawl_bench *bench, struct outcome *out);

/*
 * Counts, when that is wanted, over a sixteenth of what was timed, and calls teardown.
 * iterations: 0: nothing is counted.
 */
void pawl_session_finish(struct session *s, const struct pawl_bench *bench, uint64_t iterations,
			 struct outcome *out);

/* Says why there is no usable time, into out->fault.  Returns true when there is one. */
bool pawl_session_judge(const struct session *s, struct outcome *out);

/* Hz of the processor's tick counter; NaN where there is none.  Cost: 10 ms. */
double pawl_session_ticks_hz(const struct session *s);

#endif
