/*
 * windows_threads - benchmarks on threads of Windows, run by tests/hw/windows_threads.sh: after the
 * harness's own output it says who ran, where, and what the caller's processors are afterwards.
 *
 * THREADS is how many (2).
 */
#include <stdio.h>
#include <stdlib.h>

#include <windows.h>

#include "include/pawl.h"

#define MOST 1025 /* one more than the harness takes */

static struct seen {
	DWORD id;
	int where;
	uint64_t calls, iterations;
} seen[MOST];

static unsigned n_threads = 2;
static volatile LONG inside, most_inside;

static GROUP_AFFINITY processors(void)
{
	GROUP_AFFINITY mine = { 0 };

	(void)GetThreadGroupAffinity(GetCurrentThread(), &mine);
	return mine;
}

/* Returns when all threads have been inside at once: in turns it would never end. */
static void wait_for_all(void)
{
	LONG n = InterlockedIncrement(&inside);

	if (n > most_inside)
		most_inside = n;
	while (most_inside < (LONG)n_threads)
		(void)SwitchToThread();
	(void)InterlockedDecrement(&inside);
}

static void together(void *ctx, uint64_t n, struct pawl_run *r)
{
	PROCESSOR_NUMBER at;
	struct seen *s = &seen[pawl_thread(r)];

	(void)ctx;
	if (n > 1)
		wait_for_all();
	GetCurrentProcessorNumberEx(&at);
	s->id = GetCurrentThreadId();
	s->where = at.Group * 64 + at.Number;
	s->calls++;
	s->iterations += n;
	pawl_add(r, "rounds", 1);
	pawl_set(r, "number", pawl_thread(r) + 1);
	for (volatile uint64_t i = 0; i < 20 * n; i++)
		;
}

/* The second thread alone fails. */
static void failing(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx, (void)n;
	if (pawl_thread(r) == 1)
		pawl_fail(r);
}

static void tell(DWORD caller, GROUP_AFFINITY before, GROUP_AFFINITY after)
{
	unsigned ids = 1, places = 1, i, k;

	for (i = 1; i < n_threads; i++) {
		for (k = 0; k < i && seen[i].id != seen[k].id; k++)
			;
		ids += k == i;
		for (k = 0; k < i && seen[i].where != seen[k].where; k++)
			;
		places += k == i;
	}
	fprintf(stderr, "threads: %u, on processors: %u, at once: %ld\n", ids, places, most_inside);
	fprintf(stderr, "thread 0 is the caller: %d\n", seen[0].id == caller);
	for (i = 0; i < n_threads; i++)
		fprintf(stderr, "thread %u: %s, the first's share: %d\n", i,
			seen[i].calls ? "ran" : "did not run",
			seen[i].iterations <= seen[0].iterations &&
				seen[0].iterations - seen[i].iterations <= seen[0].calls);
	fprintf(stderr, "the caller has its processors: %d\n",
		before.Group == after.Group && before.Mask == after.Mask && before.Mask);
}

int main(int argc, char **argv)
{
	struct pawl_bench list[] = { PAWL_BENCH("together", together),
				     PAWL_BENCH("failing", failing) };
	GROUP_AFFINITY before = processors();
	int status;

	if (getenv("THREADS"))
		n_threads = (unsigned)atoi(getenv("THREADS"));
	if (n_threads < 2 || n_threads > MOST)
		return 99;
	list[0].threads = list[1].threads = n_threads;
	status = pawl_main(argc, argv, list, 2);
	tell(GetCurrentThreadId(), before, processors());
	return status;
}
