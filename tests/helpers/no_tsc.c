/*
 * no_tsc - a benchmark in a process that may not read the time stamp counter, as a sandbox may
 * have it: rdtsc is SIGSEGV, and so is every clock that the kernel lets a program read by it.
 *
 * Exit 77 where the system cannot forbid it.
 */
#include "include/pawl.h"

#if defined(__linux__) && defined(__x86_64__)
#include <sys/prctl.h>
#endif

static void add(void *ctx, uint64_t n, struct pawl_run *run)
{
	uint64_t x = 1;

	(void)ctx;
	(void)run;
	while (n--) {
		x = pawl_hide(x);
		pawl_keep(x * 3);
	}
}

int main(int argc, char **argv)
{
	static const struct pawl_bench list[] = { { .name = "add", .run = add } };

#ifdef PR_SET_TSC
	if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV) == 0)
		return pawl_main(argc, argv, list, 1);
#endif
	return (void)argc, (void)argv, (void)list, 77;
}
