/* SPDX-License-Identifier: MIT */
/* Goes for speed before plainness where threads meet: they must start within a microsecond. */
#include "harness/team_os.h"

#ifndef _WIN32

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define SPINS 2000 /* tens of microseconds: a round that follows at once finds the thread awake */
#ifdef __linux__
#define PROCESSORS 8192 /* the most that Linux can have */

/* A set of processors of any size that the kernel may want. */
union processors {
	cpu_set_t set;
	char room[PROCESSORS / 8];
};
#endif

struct crew {
	unsigned n, n_started; /* threads, with the calling one; those created */
	const struct crew_work *work;
	pthread_t *threads; /* [0] is unused */
	pthread_mutex_t lock;
	pthread_cond_t called, finished;
	atomic_uint round;   /* changes under the lock */
	atomic_uint arrived; /* threads that have prepared, in all rounds */
	atomic_uint working; /* threads that have not finished the round */
	bool over;
	unsigned n_allowed;
	atomic_bool pinned;
#ifdef __linux__
	bool bound; /* the calling thread's processors were changed */
	union processors allowed;
#endif
	unsigned processor[]; /* of each thread */
};

/* What a new thread is told. */
struct start {
	struct crew *crew;
	unsigned i;
};

static void relax(unsigned turn)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
	/* Somebody else may need this processor to get there. */
	if (turn % 64 == 63)
		(void)sched_yield();
}

#ifdef __linux__
static void bind_to(struct crew *c, unsigned i)
{
	union processors one;
	memset(&one, 0, sizeof(one));
	CPU_SET_S(c->processor[i], sizeof(one), &one.set);
	if (sched_setaffinity(0, sizeof(one), &one.set))
		atomic_store(&c->pinned, false);
	else if (i == 0)
		c->bound = true;
}

/* Gives each thread the next allowed processor, when there are enough. */
static void choose_processors(struct crew *c)
{
	unsigned n = 0;
	if (sched_getaffinity(0, sizeof(c->allowed), &c->allowed.set))
		return;
	for (unsigned p = 0; p < PROCESSORS; p++) {
		if (!CPU_ISSET_S(p, sizeof(c->allowed), &c->allowed.set))
			continue;
		if (n < c->n)
			c->processor[n] = p;
		n++;
	}
	c->n_allowed = n;
	atomic_store(&c->pinned, n >= c->n);
}

static void unbind(struct crew *c)
{
	if (c->bound)
		(void)sched_setaffinity(0, sizeof(c->allowed), &c->allowed.set);
}
#else
/* macOS binds no thread to a processor, and elsewhere nobody has tried: pinned stays false. */
static void choose_processors(struct crew *c)
{
	(void)c;
}

static void bind_to(struct crew *c, unsigned i)
{
	(void)c, (void)i;
}

static void unbind(struct crew *c)
{
	(void)c;
}
#endif

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
	(void)pthread_mutex_lock(&c->lock);
	while (atomic_load(&c->round) == before)
		(void)pthread_cond_wait(&c->called, &c->lock);
	(void)pthread_mutex_unlock(&c->lock);
}

static void *live(void *arg)
{
	struct start *start = arg;
	struct crew *c = start->crew;
	unsigned i = start->i;
	free(start);
	if (atomic_load(&c->pinned))
		bind_to(c, i);
	for (unsigned round = 1;; round++) {
		wait_for_round(c, round - 1);
		if (c->over)
			return NULL;
		take_part(c, i, round);
		if (atomic_fetch_sub(&c->working, 1) == 1) {
			(void)pthread_mutex_lock(&c->lock);
			(void)pthread_cond_signal(&c->finished);
			(void)pthread_mutex_unlock(&c->lock);
		}
	}
}

/* Begins a round, or ends them all. */
static unsigned call(struct crew *c, bool over)
{
	unsigned round;
	(void)pthread_mutex_lock(&c->lock);
	c->over = over;
	atomic_store(&c->working, c->n - 1);
	round = atomic_fetch_add(&c->round, 1) + 1;
	(void)pthread_cond_broadcast(&c->called);
	(void)pthread_mutex_unlock(&c->lock);
	return round;
}

void pawl_crew_run(struct crew *c)
{
	take_part(c, 0, call(c, false));
	for (unsigned turn = 0; turn < SPINS && atomic_load(&c->working); turn++)
		relax(turn);
	(void)pthread_mutex_lock(&c->lock);
	while (atomic_load(&c->working))
		(void)pthread_cond_wait(&c->finished, &c->lock);
	(void)pthread_mutex_unlock(&c->lock);
}

static int start_thread(struct crew *c, unsigned i)
{
	struct start *start = malloc(sizeof(*start));
	int error = ENOMEM;
	if (start) {
		*start = (struct start){ c, i };
		error = pthread_create(&c->threads[i], NULL, live, start);
		if (error)
			free(start);
	}
	return -error;
}

int pawl_crew_open(unsigned n, const struct crew_work *work, struct crew **out)
{
	struct crew *c = calloc(1, sizeof(*c) + n * sizeof(c->processor[0]));
	int error = 0;
	if (!c)
		return -ENOMEM;
	c->n = n;
	c->n_started = 1;
	c->work = work;
	(void)pthread_mutex_init(&c->lock, NULL);
	(void)pthread_cond_init(&c->called, NULL);
	(void)pthread_cond_init(&c->finished, NULL);
	c->threads = calloc(n, sizeof(*c->threads));
	if (!c->threads)
		error = -ENOMEM;
	choose_processors(c);
	while (!error && c->n_started < n) {
		error = start_thread(c, c->n_started);
		c->n_started += !error;
	}
	if (error) {
		pawl_crew_close(c);
		return error;
	}
	/* Last, so that the other threads did not start out with one processor. */
	if (atomic_load(&c->pinned))
		bind_to(c, 0);
	*out = c;
	return 0;
}

void pawl_crew_close(struct crew *c)
{
	if (!c)
		return;
	(void)call(c, true);
	for (unsigned i = 1; i < c->n_started; i++)
		(void)pthread_join(c->threads[i], NULL);
	unbind(c);
	(void)pthread_cond_destroy(&c->finished);
	(void)pthread_cond_destroy(&c->called);
	(void)pthread_mutex_destroy(&c->lock);
	free(c->threads);
	free(c);
}

unsigned pawl_crew_processors(const struct crew *c)
{
	return c->n_allowed;
}

bool pawl_crew_is_pinned(const struct crew *c)
{
	return atomic_load(&c->pinned);
}

#endif
