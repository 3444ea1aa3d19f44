/*
 * shared - processes of libpawl programs that run several benchmarks, one after the other.
 *
 * A process costs 1 to 2 ms beside what is timed in it.  Where runs are short, some benchmarks of a
 * program share one, and each is in a new one with every round all the same: a process that has run
 * a benchmark is never asked for it again (docs/decisions/0022-shared-processes.md).
 *
 * Whoever fails in a shared process is not judged by that: the process is ended, and it runs again
 * in one of its own.
 */
#ifndef PAWL_COLLECTOR_RUN_SHARED_H
#define PAWL_COLLECTOR_RUN_SHARED_H

#include <stdbool.h>
#include <stddef.h>

#include "collector/run/session.h"

#define SHARED_MOST 16 /* benchmarks of one process */

struct unit;

/* The processes of a pair, or one for each run of the head alone; both idle while they are kept. */
struct shared_pair {
	struct session s[2];
	int n;		 /* of them */
	unsigned layout; /* of both programs; 0: as they were built */
	char *key;	 /* who may share them */
	const struct unit *ran[SHARED_MOST];
	size_t n_ran;
};

struct shared;

/* NULL: no memory. */
struct shared *shared_open(void);

/* Ends all processes.  Accepts NULL. */
void shared_close(struct shared *shared);

/* How many runs that last so long share a process: as many as make what it costs a twentieth. */
size_t shared_most(double run_ns);

/* Whether those of the key may still share: no process of theirs ended badly. */
bool shared_may(const struct shared *shared, const char *key);

/* Empty, for processes that are not started yet; NULL and ERR_NOMEM. */
struct shared_pair *shared_pair_new(int n, struct err *err);

/* Releases it; what still runs is ended.  Accepts NULL. */
void shared_pair_free(struct shared_pair *pair);

/* Takes out processes of the key that have not run the benchmark; NULL: there are none. */
struct shared_pair *shared_take(struct shared *shared, const char *key, const struct unit *u);

/*
 * Keeps the idle processes, which have run the benchmark, for others; or ends them, after `most`.
 * Those that then end with a status, or printed something, share no more.
 * Errors: ERR_STOPPED, ERR_NOMEM; the pair is released all the same.
 */
int shared_keep(struct shared *shared, struct shared_pair *pair, const char *key,
		const struct unit *u, size_t most, struct err *err);

/*
 * Whether what only a whole process tells was told of the benchmark, and was nothing: a peak of
 * memory above ours, something printed, processes left behind.  Told by a process of its own
 * (shared_found_quiet()), or by one that it shared where all of that process was nothing; one that
 * it shares now is ended to know.  Errors: ERR_STOPPED, ERR_NOMEM.
 */
int shared_ask_quiet(struct shared *shared, const struct unit *u, bool *out, struct err *err);

/* Errors: ERR_NOMEM. */
int shared_found_quiet(struct shared *shared, const struct unit *u, struct err *err);

#endif
