/* SPDX-License-Identifier: MIT */
/*
 * The time stamp counter of x86 processors, fenced.
 *
 * begin: lfence; rdtsc; lfence.  end: rdtscp; lfence.  rdtscp waits for all that comes before
 * it, the fences keep what follows from starting early.  CPUID as a fence is not used: under
 * a hypervisor it costs microseconds and what it costs varies.
 *
 * Source: Intel, "How to Benchmark Code Execution Times on Intel IA-32 and IA-64" (2010), for
 * the pairing; AMD64 manual volume 3, RDTSCP and LFENCE.
 */
/* Goes for speed before plainness. */
#include "harness/clock_rows.h"

#include <errno.h>

#ifdef __x86_64__

#include <cpuid.h>
#include <sys/prctl.h>

#define LEAF_EXTENDED 0x80000001u
#define LEAF_POWER 0x80000007u
#define EDX_RDTSCP (1u << 27)
#define EDX_INVARIANT (1u << 8)

static unsigned edx_of(unsigned leaf)
{
	unsigned a, b, c, d;
	return __get_cpuid(leaf, &a, &b, &c, &d) ? d : 0;
}

static int probe(const char **out_reason)
{
	int mode = 0;
	if (prctl(PR_GET_TSC, &mode) == 0 && mode == PR_TSC_SIGSEGV) {
		*out_reason = "reading the time stamp counter is forbidden to this process";
		return -EPERM;
	}
	if (!(edx_of(LEAF_EXTENDED) & EDX_RDTSCP)) {
		*out_reason = "the processor has no rdtscp";
		return -ENOTSUP;
	}
	if (!(edx_of(LEAF_POWER) & EDX_INVARIANT)) {
		*out_reason = "the time stamp counter is not invariant: its rate may change";
		return -ENOTSUP;
	}
	return 0;
}

static uint64_t begin(void)
{
	uint32_t low, high;
	__asm__ __volatile__("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

static uint64_t end(void)
{
	uint32_t low, high;
	__asm__ __volatile__("rdtscp\n\tlfence" : "=a"(low), "=d"(high) : : "rcx", "memory");
	return (uint64_t)high << 32 | low;
}

const struct clock_row pawl_clock_x86[] = {
	{ "tsc", KIND_TICKS, probe, begin, end, 0, "lfence rdtsc lfence .. rdtscp lfence" },
	{ .name = NULL },
};

#else

static int probe(const char **out_reason)
{
	*out_reason = "this processor is not x86-64";
	return -ENOTSUP;
}

/* Named all the same, so that a user who asks for it hears why not. */
const struct clock_row pawl_clock_x86[] = {
	{ "tsc", KIND_TICKS, probe, NULL, NULL, 0, NULL },
	{ .name = NULL },
};

#endif
