/*
 * team_fixture - a benchmark on several threads, which writes down who ran what, and an engine for
 * it.
 */
#ifndef PAWL_TESTS_UNIT_HARNESS_ENGINE_TEAM_FIXTURE_H
#define PAWL_TESTS_UNIT_HARNESS_ENGINE_TEAM_FIXTURE_H

#include "tests/unit/harness/test_harness_fake.h"

#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "harness/engine/team.h"

#define MOST 8

static struct engine e;
static struct instruments real;
static struct pawl_bench bench;
static struct seen {
	uint64_t iterations[MOST], calls[MOST];
	int where[MOST];
	pid_t thread[MOST];
	atomic_int inside, most_inside;
	unsigned n, setups, teardowns;
	uint64_t fail_in;	  /* the thread that fails once a call, plus 1 */
	bool by_hand, first_only; /* by hand on the first thread only */
} seen;

static inline int set_up(void *ctx)
{
	(void)ctx;
	seen.setups++;
	return 0;
}

static inline void tear_down(void *ctx)
{
	(void)ctx;
	seen.teardowns++;
}

static inline void spend(uint64_t ns)
{
	uint64_t begin = real.wall.row->begin();
	while ((double)(real.wall.row->end() - begin) / real.wall.hz * 1e9 < (double)ns)
		;
}

/* Returns when all n threads are inside at once, so that it ends only where they run together. */
static inline void wait_for_all(void)
{
	int n = atomic_fetch_add(&seen.inside, 1) + 1;
	if (n > atomic_load(&seen.most_inside))
		atomic_store(&seen.most_inside, n);
	while (atomic_load(&seen.most_inside) < (int)seen.n)
		(void)sched_yield();
	atomic_fetch_sub(&seen.inside, 1);
}

static inline void run(void *ctx, uint64_t n, struct pawl_run *r)
{
	unsigned i = pawl_thread(r);
	(void)ctx;
	assert_true(i < seen.n);
	seen.calls[i]++;
	seen.iterations[i] += n;
	seen.where[i] = sched_getcpu();
	seen.thread[i] = gettid();
	pawl_add(r, "sum", (double)n);
	pawl_set(r, "last", i + 1);
	if (seen.by_hand && !(seen.first_only && i)) {
		spend(1000 * n);
		pawl_start(r);
	} else if (n > 1) {
		wait_for_all();
	}
	spend(1000 * n);
	if (seen.by_hand)
		pawl_stop(r); /* does nothing where it was not started */
	if (seen.fail_in == i + 1)
		pawl_fail(r);
}

static inline int open_engine(unsigned threads)
{
	memset(&seen, 0, sizeof(seen));
	seen.n = threads;
	bench = (struct pawl_bench)PAWL_BENCH_FIXTURE("t", set_up, run, tear_down, NULL);
	bench.threads = threads;
	if (!real.wall.row)
		assert_int_equal(pawl_instruments_open(&real, NULL), 0);
	assert_int_equal(pawl_engine_open(&e, &real, &bench), 0);
	return pawl_engine_staff(&e);
}

#endif
