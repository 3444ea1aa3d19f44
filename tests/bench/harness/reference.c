/* SPDX-License-Identifier: MIT */
/*
 * reference - the true time of the operations, with no harness: CPU time of loops of about 1 ms.
 *
 * usage: reference LOOPS
 *
 * CPU time leaves out who else ran, so that no loop need be chosen or dropped; the median of the
 * loops leaves out interrupts and what a hypervisor takes, which CPU time holds.  Prints
 * "NAME<TAB>ns" and, of the same loops, "NAME_mean<TAB>ns", for each operation.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/bench/harness/op.h"

#define LOOP_NS 1e6
#define MOST 1000

static uint64_t state = 1;
static double loops[MOST];

static double cpu_ns(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double loop_empty(uint64_t n)
{
	double begin = cpu_ns();
	state = op_empty_loop(state, n);
	return cpu_ns() - begin;
}

static double loop_imul(uint64_t n)
{
	double begin = cpu_ns();
	state = op_imul_loop(state, n);
	return cpu_ns() - begin;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The first loop is the warm-up, and tells how many iterations make up the time. */
static void measure(const char *name, double (*loop)(uint64_t), size_t n_loops)
{
	double per_op = loop(1000000) / 1e6;
	uint64_t n = (uint64_t)(LOOP_NS / per_op) + 1;
	double sum = 0;
	for (size_t i = 0; i < n_loops; i++)
		sum += loops[i] = loop(n) / (double)n;
	qsort(loops, n_loops, sizeof(loops[0]), by_size);
	printf("%s\t%.6f\n", name, (loops[(n_loops - 1) / 2] + loops[n_loops / 2]) / 2);
	printf("%s_mean\t%.6f\n", name, sum / (double)n_loops);
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
	if (n < 1 || n > MOST) {
		fprintf(stderr, "usage: reference LOOPS, 1 to %d\n", MOST);
		return 2;
	}
	measure("empty", loop_empty, (size_t)n);
	measure("imul", loop_imul, (size_t)n);
	return 0;
}
