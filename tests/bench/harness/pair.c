/* SPDX-License-Identifier: MIT */
/*
 * pair - what a pair of readings costs, in ticks of the time stamp counter.
 *
 * For the clock `tsc` inlined, as the harness calls it, and by pawl_start() and pawl_stop(), as
 * pawl.h inlines them and called:
 * the ticks that an empty pair shows (which are taken off), and what a pair takes of the
 * program's time; and the ticks of op_imul, which tell what a tick is of the core's own clock.
 * Prints "NAME<TAB>ticks"; without that clock a line on stderr, and exits 77.
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/clock/clock.h"
#include "harness/engine/run.h"
#include "pawl.h"
#include "tests/bench/harness/op.h"

#define BLOCK 100
#define BLOCKS 200
#define PAIRS (BLOCK * BLOCKS)

static uint64_t shown[PAIRS], took[BLOCKS];

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static void print(const char *name)
{
	double sum = 0;
	size_t kept = PAIRS - PAIRS / 100; /* less the interrupted ones */
	qsort(shown, PAIRS, sizeof(shown[0]), by_size);
	qsort(took, BLOCKS, sizeof(took[0]), by_size);
	for (size_t i = 0; i < kept; i++)
		sum += (double)shown[i];
	printf("%s_median\t%.2f\n", name, (double)shown[PAIRS / 2]);
	printf("%s_mean\t%.2f\n", name, sum / (double)kept);
	printf("%s_takes\t%.2f\n", name, (double)took[BLOCKS / 2] / BLOCK);
}

/* statement leaves the ticks of an empty pair in `ticks`.  The first round is the warm-up. */
#define MEASURE(name, statement) \
	do { \
		for (size_t i = 0; i < (size_t)2 * PAIRS; i++) { \
			size_t at = i % PAIRS; \
			uint64_t now = at % BLOCK ? 0 : tsc->end(); \
			if (at % BLOCK == 0) { \
				took[(at / BLOCK + BLOCKS - 1) % BLOCKS] = now - from; \
				from = now; \
			} \
			statement; \
			shown[at] = ticks; \
		} \
		print(name); \
	} while (0)

#ifdef __x86_64__

static inline uint64_t begin_inline(void)
{
	uint32_t low, high;
	__asm__ __volatile__("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

static inline uint64_t end_inline(void)
{
	uint32_t low, high;
	__asm__ __volatile__("rdtscp\n\tlfence" : "=a"(low), "=d"(high) : : "ecx", "memory");
	return (uint64_t)high << 32 | low;
}

static void measure_inline(const struct clock_row *tsc)
{
	uint64_t ticks, from = 0;
	MEASURE("inline", ticks = begin_inline(); ticks = end_inline() - ticks);
}

#else

static void measure_inline(const struct clock_row *tsc)
{
	(void)tsc;
}

#endif

static void measure_calls(const struct clock_row *tsc)
{
	struct pawl_run r = { .begin = NULL };
	uint64_t ticks, from = 0;
	pawl_run_use(&r, tsc);
	MEASURE("clock", ticks = tsc->begin(); ticks = tsc->end() - ticks);
	MEASURE("start_stop", r.region.ticks = 0; pawl_start(&r); pawl_stop(&r);
		ticks = r.region.ticks);
	MEASURE("start_stop_called", r.region.ticks = 0; (pawl_start)(&r); (pawl_stop)(&r);
		ticks = r.region.ticks);
}

static void measure_imul(const struct clock_row *tsc)
{
	const uint64_t n = 2000;
	uint64_t x = 1;
	for (size_t block = 0; block < BLOCKS; block++) {
		uint64_t from = tsc->begin();
		for (uint64_t i = 0; i < n; i++)
			x = op_imul(x);
		took[block] = tsc->end() - from;
	}
	pawl_keep(x);
	qsort(took, BLOCKS, sizeof(took[0]), by_size);
	printf("imul\t%.3f\n", (double)took[BLOCKS / 2] / (double)n);
}

int main(void)
{
	const struct clock_row *tsc = pawl_clock_find("tsc");
	const char *reason = "there is no such clock";
	if (!tsc || tsc->probe(&reason)) {
		fprintf(stderr, "%s\n", reason);
		return 77;
	}
	measure_inline(tsc);
	measure_calls(tsc);
	measure_imul(tsc);
	return 0;
}
