/* SPDX-License-Identifier: MIT */
/* Goes for speed before plainness. */
#include "harness/clock_tsc.h"

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

int pawl_tsc_probe(const char **out_reason)
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

uint64_t pawl_tsc_begin(void)
{
	uint32_t low, high;
	__asm__ __volatile__("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

uint64_t pawl_tsc_end(void)
{
	uint32_t low, high;
	__asm__ __volatile__("rdtscp\n\tlfence" : "=a"(low), "=d"(high) : : "rcx", "memory");
	return (uint64_t)high << 32 | low;
}

#else

int pawl_tsc_probe(const char **out_reason)
{
	*out_reason = "this processor is not x86-64";
	return -ENOTSUP;
}

uint64_t pawl_tsc_begin(void)
{
	return 0;
}

uint64_t pawl_tsc_end(void)
{
	return 0;
}

#endif
