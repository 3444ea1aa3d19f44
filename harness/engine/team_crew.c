/* SPDX-License-Identifier: MIT */
/* Goes for speed before plainness where threads meet: they must start within a microsecond. */
#include "harness/engine/team_crew.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "harness/os/threads.h"

#define SPINS 2000 /* tens of microseconds: a round that follows at once finds the thread awake */

/* What a new thread is told. */
struct start {
	struct crew *crew;
	unsigned i;
};

struct crew {
	unsigned n, n_started; /* threads, with the calling one; those that live */
	const struct crew_work *work;
	struct threads *os;
	atomic_uint round;   /* changes under the lock */
	atomic_uint arrived; /* threads that have prepared, in all rounds */
	atomic_uint working; /* threads that have not finished the round */
	bool over;
	bool bound; /* the calling thread's processors were changed */
	atomic_bool pinned;
	struct start start[]; /* of each thread */
};

static void relax(unsigned turn)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
	/* Somebody else may need this processor to get there. */
	if (turn % 64 == 63)
		pawl_threads_yield();
}

/* Whether thread i got its own processor; one that did not is enough to call none of them bound. */
static bool bind_to(struct crew *c, unsigned i)
{
	if (!atomic_load(&c->pinned))
		return false;
	if (pawl_threads_bind(c->os, i))
		return true;
	atomic_store(&c->pinned, false);
	return false;
}

/* Waits until all threads of the round are here. */
static void meet(struct crew *c, unsigned round)
{
	unsigned all = round * c->n;
	atomic_fetch_add(&c->arrived, 1);
	/* A difference, since the counts wrap around. */
	for (unsigned turn = 0; (int)(atomic_load(&c->arrived) - all) < 0; turn++)
		relax(turn);
}

static void take_part(struct crew *c, unsigned i, unsigned round)
{
	c->work->prepare(c->work->arg, i);
	meet(c, round);
	c->work->work(c->work->arg, i);
}

static void wait_for_round(struct crew *c, unsigned before)
{
	for (unsigned turn = 0; turn < SPINS && atomic_load(&c->round) == before; turn++)
		relax(turn);
	pawl_threads_lock(c->os);
	while (atomic_load(&c->round) == before)
		pawl_threads_sleep(c->os, BELL_CALLED);
	pawl_threads_unlock(c->os);
}

static void live(void *arg)
{
	const struct start *start = arg;
	struct crew *c = start->crew;
	(void)bind_to(c, start->i);
	for (unsigned round = 1;; round++) {
		wait_for_round(c, round - 1);
		if (c->over)
			return;
		take_part(c, start->i, round);
		if (atomic_fetch_sub(&c->working, 1) == 1) {
			pawl_threads_lock(c->os);
			pawl_threads_ring(c->os, BELL_FINISHED);
			pawl_threads_unlock(c->os);
		}
	}
}

/* Begins a round, or ends them all. */
static unsigned call(struct crew *c, bool over)
{
	unsigned round;
	pawl_threads_lock(c->os);
	c->over = over;
	atomic_store(&c->working, c->n - 1);
	round = atomic_fetch_add(&c->round, 1) + 1;
	pawl_threads_ring(c->os, BELL_CALLED);
	pawl_threads_unlock(c->os);
	return round;
}

void pawl_crew_run(struct crew *c)
{
	take_part(c, 0, call(c, false));
	for (unsigned turn = 0; turn < SPINS && atomic_load(&c->working); turn++)
		relax(turn);
	pawl_threads_lock(c->os);
	while (atomic_load(&c->working))
		pawl_threads_sleep(c->os, BELL_FINISHED);
	pawl_threads_unlock(c->os);
}

static int start_threads(struct crew *c)
{
	int error = 0;
	for (unsigned i = 1; i < c->n && !error; i++) {
		c->start[i] = (struct start){ c, i };
		error = pawl_threads_start(c->os, i, live, &c->start[i]);
		c->n_started += !error;
	}
	return error;
}

int pawl_crew_open(unsigned n, const struct crew_work *work, struct crew **out)
{
	struct crew *c = calloc(1, sizeof(*c) + n * sizeof(c->start[0]));
	int error = c ? pawl_threads_open(n, &c->os) : -ENOMEM;
	if (error) {
		free(c);
		return error;
	}
	c->n = n;
	c->n_started = 1;
	c->work = work;
	atomic_store(&c->pinned, pawl_threads_processors(c->os) >= n);
	error = start_threads(c);
	if (error) {
		pawl_crew_close(c);
		return error;
	}
	/* Last, so that the other threads did not start out with one processor. */
	c->bound = bind_to(c, 0);
	*out = c;
	return 0;
}

void pawl_crew_close(struct crew *c)
{
	if (!c)
		return;
	(void)call(c, true);
	for (unsigned i = 1; i < c->n_started; i++)
		pawl_threads_join(c->os, i);
	if (c->bound)
		pawl_threads_unbind(c->os);
	pawl_threads_close(c->os);
	free(c);
}

unsigned pawl_crew_processors(const struct crew *c)
{
	return pawl_threads_processors(c->os);
}

bool pawl_crew_is_pinned(const struct crew *c)
{
	return atomic_load(&c->pinned);
}
