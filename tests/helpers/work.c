/*
 * work - a benchmark for the tests, linked to libpawl: the amount of work is compiled in.
 *
 * The scripts compile it with -DWORK=N; the helper of this name has WORK 1000.  With -DCOUNT_STEPS
 * it counts them.
 */
#include "include/pawl.h"

#ifndef WORK
#define WORK 1000
#endif

#ifdef __SANITIZE_ADDRESS__
/* A leak cannot be looked for in a process that is traced, as those are that pawl looks at: it
 * would fail. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}
#endif

static void chain(void *ctx, uint64_t n, struct pawl_run *run)
{
	uint64_t i, k, x = 1;

	(void)ctx;
	(void)run;
	for (i = 0; i < n; i++)
		for (k = 0; k < WORK; k++) {
			x = x * 6364136223846793005u + 1442695040888963407u;
			pawl_keep(x);
		}
#ifdef COUNT_STEPS
	pawl_add(run, "steps", (double)n * WORK);
#endif
}

int main(int argc, char **argv)
{
	static const struct pawl_bench list[] = { { .name = "chain", .run = chain } };

	return pawl_main(argc, argv, list, 1);
}
