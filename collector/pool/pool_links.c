/*
 * pool_links - the layouts of a pool, made of recorded links.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/pool/family.h"
#include "collector/pool/pool.h"
#include "lib/base/when.h"
#include "lib/process/stop.h"

#include "lib/base/banned.h"

static void *open_links(void *ctx, const struct side *side, struct err *err)
{
	struct family *f = malloc(sizeof(*f));

	(void)ctx;
	if (!f) {
		err_nomem(err);
		return NULL;
	}
	if (!family_open(side, f, err))
		return f;
	free(f);
	return NULL;
}

static int make_link(void *ctx, void *opened, unsigned number, struct strv *out, struct err *err)
{
	(void)ctx;
	return family_make(opened, number, out, err);
}

static bool is_link_made(void *ctx, void *opened, unsigned number)
{
	(void)ctx;
	return family_is_made(opened, number);
}

static const char *rest_of_link(void *ctx, void *opened)
{
	(void)ctx;
	return ((const struct family *)opened)->rest;
}

static void close_links(void *ctx, void *opened)
{
	(void)ctx;
	family_close(opened);
	free(opened);
}

static uint64_t now_ns(void *ctx)
{
	(void)ctx;
	return when_monotonic_ns();
}

/* Of us and of what we started and waited for. */
static uint64_t worked_ns(void *ctx)
{
	static const int whose[] = { RUSAGE_SELF, RUSAGE_CHILDREN };
	struct rusage u;
	uint64_t us = 0;
	size_t i;

	(void)ctx;
	for (i = 0; i < sizeof(whose) / sizeof(whose[0]); i++)
		if (!getrusage(whose[i], &u))
			us += (uint64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000 +
			      (uint64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
	return us * 1000;
}

static bool has_two_processors(void)
{
	cpu_set_t set;

	return !sched_getaffinity(0, sizeof(set), &set) && CPU_COUNT(&set) > 1;
}

/* Its file lies there, whole or not at all, when the process ends. */
static void do_beside(pid_t parent, const struct side *side, void *opened, unsigned number)
{
	struct strv files = STRV_INIT;
	struct family f;

	if (prctl(PR_SET_PDEATHSIG, SIGTERM) || getppid() != parent)
		_exit(1);
	if (opened)
		_exit(family_make(opened, number, &files, NULL) != 0);
	_exit(family_open(side, &f, NULL) != 0);
}

/* A process of its own: links wait for what they read, and what they start. */
static int begin_link(void *ctx, const struct side *side, void *opened, unsigned number)
{
	pid_t parent = getpid(), pid = has_two_processors() ? fork() : -1;

	(void)ctx;
	if (!pid)
		do_beside(parent, side, opened, number);
	return pid > 0 ? pid : 0;
}

static void wait_for_link(void *ctx, int begun)
{
	int status;

	(void)ctx;
	do {
		if (stop_signal)
			kill(begun, SIGTERM);
	} while (waitpid(begun, &status, 0) < 0 && errno == EINTR);
}

const struct pool_maker pool_maker_links = { open_links,    make_link, is_link_made, rest_of_link,
					     close_links,   now_ns,    worked_ns,    begin_link,
					     wait_for_link, NULL };
