/* SPDX-License-Identifier: MIT */
/*
 * A thread of Windows runs within one group of at most 64 processors at a time: those of the
 * calling thread's group are what the threads get, and 65 threads are bound to none.
 */
#include "harness/os/threads.h"

#ifdef _WIN32

#include <errno.h>
#include <process.h>
#include <stdint.h>
#include <stdlib.h>
#include <windows.h>

struct thread {
	HANDLE handle;
	void (*live)(void *arg);
	void *arg;
};

struct threads {
	SRWLOCK lock;
	CONDITION_VARIABLE bell[BELL_N];
	unsigned n_allowed;
	GROUP_AFFINITY allowed;
	struct thread thread[];
};

/* By hand: the compiler's own count may want a DLL of it. */
static unsigned count_processors(struct threads *os)
{
	unsigned n = 0;
	if (!GetThreadGroupAffinity(GetCurrentThread(), &os->allowed))
		return 0;
	for (KAFFINITY rest = os->allowed.Mask; rest; rest &= rest - 1)
		n++;
	return n;
}

int pawl_threads_open(unsigned n, struct threads **out)
{
	struct threads *os = calloc(1, sizeof(*os) + n * sizeof(os->thread[0]));
	if (!os)
		return -ENOMEM;
	InitializeSRWLock(&os->lock);
	for (int i = 0; i < BELL_N; i++)
		InitializeConditionVariable(&os->bell[i]);
	os->n_allowed = count_processors(os);
	*out = os;
	return 0;
}

void pawl_threads_close(struct threads *os)
{
	free(os); /* its lock and bells hold nothing */
}

static unsigned __stdcall begin(void *arg)
{
	const struct thread *t = arg;
	t->live(t->arg);
	return 0;
}

/* Not CreateThread(): the C library wants to know of the threads that use it. */
int pawl_threads_start(struct threads *os, unsigned i, void (*live)(void *arg), void *arg)
{
	struct thread *t = &os->thread[i];
	t->live = live;
	t->arg = arg;
	errno = EAGAIN;
	t->handle = (HANDLE)_beginthreadex(NULL, 0, begin, t, 0, NULL);
	return t->handle ? 0 : -errno;
}

void pawl_threads_join(struct threads *os, unsigned i)
{
	(void)WaitForSingleObject(os->thread[i].handle, INFINITE);
	(void)CloseHandle(os->thread[i].handle);
}

void pawl_threads_lock(struct threads *os)
{
	AcquireSRWLockExclusive(&os->lock);
}

void pawl_threads_unlock(struct threads *os)
{
	ReleaseSRWLockExclusive(&os->lock);
}

void pawl_threads_sleep(struct threads *os, enum threads_bell bell)
{
	(void)SleepConditionVariableSRW(&os->bell[bell], &os->lock, INFINITE, 0);
}

void pawl_threads_ring(struct threads *os, enum threads_bell bell)
{
	WakeAllConditionVariable(&os->bell[bell]);
}

void pawl_threads_yield(void)
{
	(void)SwitchToThread();
}

unsigned pawl_threads_processors(const struct threads *os)
{
	return os->n_allowed;
}

bool pawl_threads_bind(const struct threads *os, unsigned i)
{
	GROUP_AFFINITY one = os->allowed;
	while (i--)
		one.Mask &= one.Mask - 1;
	one.Mask &= ~one.Mask + 1; /* the lowest of those that are left */
	return SetThreadGroupAffinity(GetCurrentThread(), &one, NULL);
}

void pawl_threads_unbind(const struct threads *os)
{
	(void)SetThreadGroupAffinity(GetCurrentThread(), &os->allowed, NULL);
}

#endif
