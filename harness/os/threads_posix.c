/* SPDX-License-Identifier: MIT */
#include "harness/os/threads.h"

#ifndef _WIN32

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#define PROCESSORS 8192 /* the most that Linux can have */

/* A set of processors of any size that the kernel may want. */
union processors {
	cpu_set_t set;
	char room[PROCESSORS / 8];
};
#endif

struct thread {
	pthread_t id;
	void (*live)(void *arg);
	void *arg;
};

struct threads {
	pthread_mutex_t lock;
	pthread_cond_t bell[BELL_N];
	unsigned n_allowed;
#ifdef __linux__
	union processors allowed;
#endif
	struct thread thread[];
};

#ifdef __linux__
static unsigned count_processors(struct threads *os)
{
	if (sched_getaffinity(0, sizeof(os->allowed), &os->allowed.set))
		return 0;
	return (unsigned)CPU_COUNT_S(sizeof(os->allowed), &os->allowed.set);
}

bool pawl_threads_bind(const struct threads *os, unsigned i)
{
	union processors one;
	unsigned p = 0;
	for (;; p++)
		if (CPU_ISSET_S(p, sizeof(os->allowed), &os->allowed.set) && i-- == 0)
			break;
	memset(&one, 0, sizeof(one));
	CPU_SET_S(p, sizeof(one), &one.set);
	return sched_setaffinity(0, sizeof(one), &one.set) == 0;
}

void pawl_threads_unbind(const struct threads *os)
{
	(void)sched_setaffinity(0, sizeof(os->allowed), &os->allowed.set);
}
#else
/* macOS binds no thread to a processor, and elsewhere nobody has tried. */
static unsigned count_processors(struct threads *os)
{
	(void)os;
	return 0;
}

bool pawl_threads_bind(const struct threads *os, unsigned i)
{
	(void)os, (void)i;
	return false;
}

void pawl_threads_unbind(const struct threads *os)
{
	(void)os;
}
#endif

int pawl_threads_open(unsigned n, struct threads **out)
{
	struct threads *os = calloc(1, sizeof(*os) + n * sizeof(os->thread[0]));
	if (!os)
		return -ENOMEM;
	(void)pthread_mutex_init(&os->lock, NULL);
	for (int i = 0; i < BELL_N; i++)
		(void)pthread_cond_init(&os->bell[i], NULL);
	os->n_allowed = count_processors(os);
	*out = os;
	return 0;
}

void pawl_threads_close(struct threads *os)
{
	if (!os)
		return;
	for (int i = 0; i < BELL_N; i++)
		(void)pthread_cond_destroy(&os->bell[i]);
	(void)pthread_mutex_destroy(&os->lock);
	free(os);
}

static void *begin(void *arg)
{
	const struct thread *t = arg;
	t->live(t->arg);
	return NULL;
}

int pawl_threads_start(struct threads *os, unsigned i, void (*live)(void *arg), void *arg)
{
	struct thread *t = &os->thread[i];
	t->live = live;
	t->arg = arg;
	return -pthread_create(&t->id, NULL, begin, t);
}

void pawl_threads_join(struct threads *os, unsigned i)
{
	(void)pthread_join(os->thread[i].id, NULL);
}

void pawl_threads_lock(struct threads *os)
{
	(void)pthread_mutex_lock(&os->lock);
}

void pawl_threads_unlock(struct threads *os)
{
	(void)pthread_mutex_unlock(&os->lock);
}

void pawl_threads_sleep(struct threads *os, enum threads_bell bell)
{
	(void)pthread_cond_wait(&os->bell[bell], &os->lock);
}

void pawl_threads_ring(struct threads *os, enum threads_bell bell)
{
	(void)pthread_cond_broadcast(&os->bell[bell]);
}

void pawl_threads_yield(void)
{
	(void)sched_yield();
}

unsigned pawl_threads_processors(const struct threads *os)
{
	return os->n_allowed;
}

#endif
