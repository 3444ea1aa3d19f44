/*
 * readers - the threads that ask the ledger, so that what takes long holds up neither posts nor
 * health; and with no ledger, the one that reads large bodies, one after the other.
 *
 * Each question has a budget of time, which begins when a thread takes it.
 */
#ifndef PAWL_SERVER_WORK_READERS_H
#define PAWL_SERVER_WORK_READERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/store/ledger/ledger.h"

#define READERS_N 4
#define READERS_MAX_QUEUE 256
/* So many budgets a question may wait for a thread. */
#define READERS_MAX_WAIT 5

/* One question to the ledger, or a body; the caller's until readers_submit(). */
struct question {
	/* Called by a reader's thread; without a ledger l is NULL. */
	void (*ask)(struct question *q, struct ledger *l);
	/* Instead of ask: it waited too long, or the server ends. */
	void (*refuse)(struct question *q);
	/* Called last, by the same thread: the question is the caller's again. */
	void (*done)(struct question *q);
	uint64_t since_ns;
	struct question *next;
};

struct readers;

struct reader {
	struct readers *pool;
	struct ledger *ledger;
	pthread_t thread;
	bool running;
};

struct readers {
	pthread_mutex_t lock;
	pthread_cond_t wake;
	struct question *first, **last;
	size_t n;
	uint64_t budget_ns;
	int n_threads;
	bool started, stopping;
	struct reader threads[READERS_N];
};

/*
 * n threads, 1 to READERS_N; where: NULL for none of a ledger.
 * Errors: those of ledger_open(), ERR_IO.
 */
int readers_start(struct readers *p, const char *where, int n, uint64_t budget_ns, struct err *err);

/* Ends what is being asked, refuses what waits; accepts one that never started. */
void readers_stop(struct readers *p);

/* Takes a question; false when too many wait: then nothing is called. */
bool readers_submit(struct readers *p, struct question *q);

#endif
