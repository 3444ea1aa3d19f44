/* SPDX-License-Identifier: MIT */
/*
 * peer_pawl - the operations under libpawl.
 *
 * With CALLS set to a descriptor's number, every call of run is noted and at the end written
 * there, one a line: "ITERATIONS<TAB>BEGIN<TAB>END", ns of CLOCK_MONOTONIC.  What lies between
 * the end of one call and the beginning of the next is what the harness spends on a batch.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "pawl.h"
#include "tests/bench/harness/op.h"

#define MOST_CALLS 65536

static struct {
	uint64_t iterations, begin_ns, end_ns;
} calls[MOST_CALLS];
static size_t n_calls;
static uint64_t state = 1;

static uint64_t now_ns(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void run_empty(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx, (void)r;
	state = op_empty_loop(state, n);
}

static void run_imul(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx, (void)r;
	state = op_imul_loop(state, n);
}

static void run_noted(void *ctx, uint64_t n, struct pawl_run *r)
{
	uint64_t begin = now_ns();
	run_imul(ctx, n, r);
	if (n_calls < MOST_CALLS) {
		calls[n_calls].iterations = n;
		calls[n_calls].begin_ns = begin;
		calls[n_calls++].end_ns = now_ns();
	}
}

static int write_calls(const char *fd)
{
	FILE *to = fdopen((int)strtol(fd, NULL, 10), "w");
	if (!to)
		return 1;
	for (size_t i = 0; i < n_calls; i++)
		(void)fprintf(to, "%llu\t%llu\t%llu\n", (unsigned long long)calls[i].iterations,
			      (unsigned long long)calls[i].begin_ns,
			      (unsigned long long)calls[i].end_ns);
	return fclose(to) != 0;
}

int main(int argc, char **argv)
{
	static const struct pawl_bench list[] = {
		PAWL_BENCH("empty", run_empty),
		PAWL_BENCH("imul", run_imul),
	};
	static const struct pawl_bench noted = PAWL_BENCH("imul", run_noted);
	const char *fd = getenv("CALLS");
	int status;
	if (!fd)
		return pawl_main(argc, argv, list, 2);
	status = pawl_main(argc, argv, &noted, 1);
	return write_calls(fd) ? 1 : status;
}
