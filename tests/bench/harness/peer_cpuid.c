/* SPDX-License-Identifier: MIT */
/*
 * peer_cpuid - the operations one at a time, by CPUID; RDTSC .. RDTSCP; CPUID.
 *
 * The mean of all SHOTS but the slowest tenth, less the same of empty shots.  Prints "NAME<TAB>ns";
 * with no rdtscp a line on stderr, and exits 77.
 *
 * Source: Intel, "How to Benchmark Code Execution Times on Intel IA-32 and IA-64" (2010).
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/bench/harness/op.h"

#ifdef __x86_64__

#include <cpuid.h>

#define SHOTS 2000

static uint64_t state = 1, shots[SHOTS];

static uint64_t begin_shot(void)
{
	uint32_t low, high;
	__asm__ __volatile__("xorl %%eax, %%eax\n\tcpuid\n\trdtsc"
			     : "=a"(low), "=d"(high)
			     :
			     : "rbx", "rcx", "cc", "memory");
	return (uint64_t)high << 32 | low;
}

static uint64_t end_shot(void)
{
	uint32_t low, high;
	__asm__ __volatile__("rdtscp\n\tmovl %%eax, %0\n\tmovl %%edx, %1\n\t"
			     "xorl %%eax, %%eax\n\tcpuid"
			     : "=&r"(low), "=&r"(high)
			     :
			     : "rax", "rbx", "rcx", "rdx", "cc", "memory");
	return (uint64_t)high << 32 | low;
}

#define SHOOT(statement) \
	for (int i = 0; i < SHOTS; i++) { \
		uint64_t begin = begin_shot(); \
		statement; \
		shots[i] = end_shot() - begin; \
	}

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static double mean(void)
{
	const int kept = SHOTS - SHOTS / 10;
	double sum = 0;
	qsort(shots, SHOTS, sizeof(shots[0]), by_size);
	for (int i = 0; i < kept; i++)
		sum += (double)shots[i];
	return sum / kept;
}

static double now_ns(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(void)
{
	unsigned a, b, c, d;
	double nothing, empty, imul, tick_ns, from_ns;
	uint64_t from;
	if (!__get_cpuid(0x80000001u, &a, &b, &c, &d) || !(d & 1u << 27)) {
		fprintf(stderr, "the processor has no rdtscp\n");
		return 77;
	}
	from_ns = now_ns();
	from = begin_shot();
	SHOOT((void)0) /* warm-up */
	SHOOT((void)0)
	nothing = mean();
	SHOOT(state = op_empty(state))
	empty = mean();
	SHOOT(state = op_imul(state))
	imul = mean();
	tick_ns = (now_ns() - from_ns) / (double)(end_shot() - from);
	printf("empty\t%.6f\nimul\t%.6f\n", (empty - nothing) * tick_ns,
	       (imul - nothing) * tick_ns);
	return 0;
}

#else

int main(void)
{
	fprintf(stderr, "this processor is not an x86-64\n");
	return 77;
}

#endif
