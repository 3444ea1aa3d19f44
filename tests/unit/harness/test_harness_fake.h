/*
 * test_harness_fake - clocks, a thread and a benchmark whose times are made up.
 *
 * Time stands still except where a test moves it, so that every expected number is exact.
 */
#ifndef TEST_HARNESS_FAKE_H
#define TEST_HARNESS_FAKE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "harness/engine/engine.h"

static struct fake {
	uint64_t wall_ns, cpu_ns, process_ns;
	uint64_t true_ns;	 /* what the other clock shows: it never jumps */
	int64_t jump_ns;	 /* how far the wall clock is off */
	uint64_t reading_ns;	 /* what reading the wall clock costs */
	uint64_t step_ns;	 /* the wall clock shows multiples of it */
	uint64_t cpu_reading_ns; /* what reading a CPU clock costs */
	int where;
	struct usage usage;
	/* The benchmark: what one operation costs, and what was called. */
	uint64_t cost_ns, cpu_cost_ns;
	uint64_t calls, iterations, setups, teardowns;
	uint64_t fail_each; /* every so many iterations one fails; 0: none */
	int setup_code;
	void (*in_call)(uint64_t call); /* something that happens during a call */
} fake;

/* Passes time without an operation. */
static inline void fake_pass(uint64_t ns, uint64_t cpu_ns)
{
	fake.wall_ns += ns;
	fake.true_ns += ns;
	fake.cpu_ns += cpu_ns;
	fake.process_ns += cpu_ns;
}

static inline uint64_t fake_wall(void)
{
	fake.wall_ns += fake.reading_ns;
	uint64_t now = fake.wall_ns + (uint64_t)fake.jump_ns;
	return fake.step_ns ? now / fake.step_ns * fake.step_ns : now;
}

static inline uint64_t fake_cpu(void)
{
	fake_pass(fake.cpu_reading_ns, fake.cpu_reading_ns);
	return fake.cpu_ns;
}

static inline uint64_t fake_process(void)
{
	fake_pass(fake.cpu_reading_ns, fake.cpu_reading_ns);
	return fake.process_ns;
}

static inline uint64_t fake_witness(void)
{
	return fake.true_ns;
}

static inline int fake_where(void)
{
	return fake.where;
}

static inline void fake_usage(struct usage *out)
{
	*out = fake.usage;
}

static inline int fake_probe(const char **out_reason)
{
	*out_reason = NULL;
	return 0;
}

#define FAKE_ROW(row, what, read) \
	{ \
		.name = row, .kind = what, .probe = fake_probe, .begin = read, .end = read, \
		.hz = 1e9, .serialise = "none", \
	}

static const struct clock_row fake_wall_row = FAKE_ROW("fake", KIND_WALL, fake_wall);
static const struct clock_row fake_cpu_row = FAKE_ROW("fake_cpu", KIND_THREAD, fake_cpu);
static const struct clock_row fake_process_row =
	FAKE_ROW("fake_process", KIND_PROCESS, fake_process);

static inline int fake_setup(void *ctx)
{
	(void)ctx;
	fake.setups++;
	return fake.setup_code;
}

static inline void fake_teardown(void *ctx)
{
	(void)ctx;
	fake.teardowns++;
}

static inline void fake_run(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	fake.calls++;
	if (fake.fail_each)
		for (uint64_t i = 0; i < n; i++)
			if ((fake.iterations + i + 1) % fake.fail_each == 0)
				pawl_fail(r);
	fake.iterations += n;
	fake_pass(n * fake.cost_ns, n * fake.cpu_cost_ns);
	if (fake.in_call)
		fake.in_call(fake.calls);
}

static const struct pawl_bench fake_bench =
	PAWL_BENCH_FIXTURE("fake", fake_setup, fake_run, fake_teardown, NULL);

/* One operation takes cost_ns, all of it on the processor. */
static inline struct instruments fake_instruments(uint64_t cost_ns)
{
	struct instruments in;
	memset(&fake, 0, sizeof(fake));
	fake.cost_ns = cost_ns;
	fake.cpu_cost_ns = cost_ns;
	memset(&in, 0, sizeof(in));
	in.wall = (struct clock){ .row = &fake_wall_row, .hz = 1e9, .step_ticks = 1 };
	in.thread = (struct clock){ .row = &fake_cpu_row, .hz = 1e9, .step_ticks = 1 };
	in.process = (struct clock){ .row = &fake_process_row, .hz = 1e9, .step_ticks = 1 };
	in.where = fake_where;
	in.usage = fake_usage;
	return in;
}

/* Whether x is what was wanted, to so many parts in a million. */
static inline bool fake_is_near(double x, double wanted, double ppm)
{
	return x > wanted * (1 - ppm * 1e-6) && x < wanted * (1 + ppm * 1e-6);
}

#endif
