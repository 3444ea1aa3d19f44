/*
 * many - a libpawl program with arguments, threads and counters of its own, for the tests.
 *
 * MANY chooses another list: a fault of the list, or threads that cannot be had.  MANY_LOUD
 * makes setup and teardown tell stderr.  The scripts also compile it with -DCOST=N.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/pawl.h"

#ifndef COST
#define COST 100
#endif

static int64_t argument;

struct state {
	const char *name;
	int processors; /* that the process might use before any thread was started */
};

static int set_up(void *ctx)
{
	struct state *s = ctx;
	cpu_set_t set;

	s->processors = sched_getaffinity(0, sizeof(set), &set) ? 0 : CPU_COUNT(&set);
	if (getenv("MANY_LOUD"))
		fprintf(stderr, "setup %s %lld\n", s->name, (long long)argument);
	return argument == 13;
}

static void tear_down(void *ctx)
{
	struct state *s = ctx;

	if (getenv("MANY_LOUD"))
		fprintf(stderr, "teardown %s %lld\n", s->name, (long long)argument);
}

static void chain(void *ctx, uint64_t n, struct pawl_run *r)
{
	struct state *s = ctx;
	uint64_t x = 1, i, k;

	for (i = 0; i < n; i++)
		for (k = 0; k < COST; k++) {
			x = x * 6364136223846793005u + 1442695040888963407u;
			pawl_keep(x);
		}
	pawl_add(r, "steps", (double)COST * (double)n);
	pawl_set(r, "argument", (double)pawl_arg(r));
	pawl_set(r, "processors", pawl_thread(r) ? 0 : s->processors);
}

static void fail_always(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	while (n--)
		pawl_fail(r);
}

static void count_wrongly(void *ctx, uint64_t n, struct pawl_run *r)
{
	chain(ctx, n, r);
	pawl_add(r, "instructions", 1);
	pawl_add(r, NULL, 1);
	pawl_set(r, "steps", 1);
}

int main(int argc, char **argv)
{
	static struct state of[5] = { { "arg", 0 }, { "team", 0 }, { "fail", 0 }, { "wrong", 0 } };
	static const int64_t twice[] = { 3, 3 };
	const char *which = getenv("MANY");
	struct pawl_bench list[] = {
		PAWL_BENCH_FIXTURE("arg", set_up, chain, tear_down, &of[0]),
		PAWL_BENCH_FIXTURE("team", set_up, chain, tear_down, &of[1]),
		PAWL_BENCH_FIXTURE("fail", set_up, fail_always, tear_down, &of[2]),
		PAWL_BENCH_FIXTURE("wrong", set_up, count_wrongly, tear_down, &of[3]),
	};
	size_t count = which ? 4 : 2;

	list[0].args = (struct pawl_args){ .from = 1, .to = 9, .factor = 3 };
	list[0].arg = &argument;
	list[1].threads = 2;
	if (which && !strcmp(which, "twice")) {
		list[0].args = (struct pawl_args){ .list = twice, .n = 2 };
	} else if (which && !strcmp(which, "endless")) {
		list[0].args.factor = 1;
	} else if (which && !strcmp(which, "setup")) {
		list[0].args = (struct pawl_args){ .from = 12, .to = 14, .step = 1 };
		count = 1;
	} else if (which && !strcmp(which, "crowd")) {
		list[1].threads = 1024;
	}
	return pawl_main(argc, argv, list, count);
}
