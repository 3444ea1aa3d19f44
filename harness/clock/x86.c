/* SPDX-License-Identifier: MIT */
/*
 * The time stamp counter of x86 processors, of 32 and 64 bits, fenced in several ways.
 *
 * tsc, the default: lfence; rdtsc; lfence .. rdtscp; lfence.  rdtscp waits for all that comes
 * before it, the fences keep what follows from starting early.  tsc_lfence does without
 * rdtscp.  The mfence variants also wait for stores, which costs 10 ns.  tsc_rdtscp lets what
 * follows the first reading start before it.  tsc_cpuid is the white paper's, for comparison:
 * under a hypervisor each CPUID costs microseconds.
 *
 * -DPAWL_X86_INTRINSICS reads by intrinsics, as it is done for Microsoft's compiler, with which
 * this file has not been tested.
 *
 * Source: Intel, "How to Benchmark Code Execution Times on Intel IA-32 and IA-64" (2010), for
 * the pairing; AMD64 manual volume 3, RDTSCP and LFENCE.
 */
/* Goes for speed before plainness. */
#include "harness/clock/rows.h"

#include <errno.h>

#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64) || defined(_M_IX86)

#include <stdio.h>
#include <string.h>

#include "harness/clock/told.h"
#include "include/pawl.h"

#ifdef _MSC_VER
#include <intrin.h>
#else
#include <cpuid.h>
#endif
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define EDX_TSC (1u << 4)   /* of leaf 1 */
#define EDX_SSE2 (1u << 26) /* mfence and lfence */
#define ECX_HYPERVISOR (1u << 31)
#define EDX_RDTSCP (1u << 27)	/* of leaf 0x80000001 */
#define EDX_INVARIANT (1u << 8) /* of leaf 0x80000007 */

struct leaf {
	uint32_t a, b, c, d;
};

/* Without regard to what the processor has. */
static struct leaf ask(uint32_t number)
{
	struct leaf l;
#ifdef _MSC_VER
	int of[4];
	__cpuidex(of, (int)number, 0);
	l = (struct leaf){ (uint32_t)of[0], (uint32_t)of[1], (uint32_t)of[2], (uint32_t)of[3] };
#else
	__cpuid_count(number, 0, l.a, l.b, l.c, l.d);
#endif
	return l;
}

/* All 0 when the processor does not have it: each range tells its last leaf in its first. */
static struct leaf leaf_of(uint32_t number)
{
	uint32_t first = number & 0xf0000000u;
	struct leaf none = { 0, 0, 0, 0 };
#if !defined(_MSC_VER) && defined(__i386__)
	if (__get_cpuid_max(0, NULL) == 0) /* older than CPUID */
		return none;
#endif
	return ask(first).a >= number && ask(first).a - first < 0x10000000u ? ask(number) : none;
}

static bool has_hypervisor(void)
{
	return leaf_of(1).c & ECX_HYPERVISOR;
}

#ifdef __linux__

static bool file_has(const char *path, const char *word)
{
	char line[4096];
	FILE *file = fopen(path, "re");
	bool found = false;
	while (file && !found && fgets(line, sizeof(line), file))
		found = strstr(line, word);
	if (file)
		(void)fclose(file);
	return found;
}

static bool kernel_doubts(void)
{
	const char *source = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
	const char *processor = "/proc/cpuinfo";
	if (file_has(source, "tsc") || !file_has(processor, "flags"))
		return false;
	return !file_has(processor, " constant_tsc") || !file_has(processor, " nonstop_tsc");
}

static bool is_forbidden(void)
{
	int mode = 0;
	return prctl(PR_GET_TSC, &mode) == 0 && mode == PR_TSC_SIGSEGV;
}

#else

static bool kernel_doubts(void)
{
	return false;
}

static bool is_forbidden(void)
{
	return false;
}

#endif

static int refuse(const char **out_reason, int error, const char *reason)
{
	*out_reason = reason;
	return error;
}

static int probe_lfence(const char **out_reason)
{
	uint32_t has = leaf_of(1).d;
	if (is_forbidden())
		return refuse(out_reason, -EPERM,
			      "reading the time stamp counter is forbidden to this process");
	if (!(has & EDX_TSC) || !(has & EDX_SSE2))
		return refuse(out_reason, -ENOTSUP, "the processor has no rdtsc or no lfence");
	if (!(leaf_of(0x80000007u).d & EDX_INVARIANT))
		return refuse(out_reason, -ENOTSUP,
			      "the time stamp counter is not invariant: its rate may change");
	if (kernel_doubts())
		return refuse(out_reason, -ENOTSUP,
			      "the kernel does not trust the time stamp counter: its clock source "
			      "is another");
	return 0;
}

static int probe_rdtscp(const char **out_reason)
{
	if (!(leaf_of(0x80000001u).d & EDX_RDTSCP))
		return refuse(out_reason, -ENOTSUP, "the processor has no rdtscp");
	return probe_lfence(out_reason);
}

static double told_hz(void)
{
	struct leaf crystal = leaf_of(0x15);
	double hz = pawl_told_of_crystal(crystal.a, crystal.b, crystal.c);
	if (!(hz > 0) && has_hypervisor())
		hz = 1e3 * leaf_of(0x40000010u).a;
	return hz > 0 ? hz : pawl_told_by_kernel();
}

static const char *caution_cpuid(void)
{
	return has_hypervisor() ? "a hypervisor traps CPUID: each reading takes as long as that, "
				  "and what it takes varies"
				: NULL;
}

#if defined(_MSC_VER) || defined(PAWL_X86_INTRINSICS)

#ifndef _MSC_VER
#include <x86intrin.h>
#endif

static uint64_t rdtscp(void)
{
	unsigned where;
	return __rdtscp(&where);
}

/* The steps before and after one reading; each is an intrinsic that is not moved. */
#define READING(name, before, counter, after) \
	static uint64_t name(void) \
	{ \
		uint64_t value; \
		before; \
		value = counter(); \
		after; \
		return value; \
	}

READING(tsc_begin, _mm_lfence(), __rdtsc, _mm_lfence())
READING(tsc_end, (void)0, rdtscp, _mm_lfence())
READING(lfence_end, _mm_lfence(), __rdtsc, _mm_lfence())
READING(mfence_both, _mm_mfence(), __rdtsc, (void)0)
READING(mfence_lfence_both, (_mm_mfence(), _mm_lfence()), __rdtsc, (void)0)
READING(rdtscp_both, (void)0, rdtscp, (void)0)
READING(cpuid_begin, (void)ask(0), __rdtsc, (void)0)
READING(cpuid_end, (void)0, rdtscp, (void)ask(0))

#else

#define READING(name, code, ...) \
	static uint64_t name(void) \
	{ \
		uint32_t low, high; \
		__asm__ __volatile__(code : "=a"(low), "=d"(high) : : __VA_ARGS__, "memory"); \
		return (uint64_t)high << 32 | low; \
	}

READING(tsc_begin, "lfence\n\trdtsc\n\tlfence", "cc")
READING(tsc_end, "rdtscp\n\tlfence", "ecx")
READING(lfence_end, "lfence\n\trdtsc\n\tlfence", "cc")
READING(mfence_both, "mfence\n\trdtsc", "cc")
READING(mfence_lfence_both, "mfence\n\tlfence\n\trdtsc", "cc")
READING(rdtscp_both, "rdtscp", "ecx")
READING(cpuid_begin, "xorl %%eax, %%eax\n\tcpuid\n\trdtsc", "ebx", "ecx", "cc")

/* What was read is kept while CPUID overwrites it. */
static uint64_t cpuid_end(void)
{
	uint32_t low, high;
	__asm__ __volatile__("rdtscp\n\tmovl %%eax, %0\n\tmovl %%edx, %1\n\t"
			     "xorl %%eax, %%eax\n\tcpuid"
			     : "=&r"(low), "=&r"(high)
			     :
			     : "eax", "ebx", "ecx", "edx", "cc", "memory");
	return (uint64_t)high << 32 | low;
}

#endif

/* pawl.h reads it in place, by the same instructions. */
#if defined(PAWL_REGION_INLINED_) && !defined(PAWL_X86_INTRINSICS)
#define TSC_FORM PAWL_REGION_TSC_
#else
#define TSC_FORM 0
#endif

#define TICKS(row, from, first, last, fence, beware, shared) \
	{ \
		.name = row, .form = shared, .kind = KIND_TICKS, .probe = probe_##from, \
		.begin = first, .end = last, .serialise = fence, .told_hz = told_hz, \
		.caution = beware, \
	}

const struct clock_row pawl_clock_x86[] = {
	TICKS("tsc", rdtscp, tsc_begin, tsc_end, "lfence rdtsc lfence .. rdtscp lfence", NULL,
	      TSC_FORM),
	TICKS("tsc_lfence", lfence, tsc_begin, lfence_end,
	      "lfence rdtsc lfence .. lfence rdtsc lfence", NULL, 0),
	TICKS("tsc_mfence", lfence, mfence_both, mfence_both, "mfence rdtsc .. mfence rdtsc", NULL,
	      0),
	TICKS("tsc_mfence_lfence", lfence, mfence_lfence_both, mfence_lfence_both,
	      "mfence lfence rdtsc .. mfence lfence rdtsc", NULL, 0),
	TICKS("tsc_rdtscp", rdtscp, rdtscp_both, rdtscp_both, "rdtscp .. rdtscp", NULL, 0),
	TICKS("tsc_cpuid", rdtscp, cpuid_begin, cpuid_end, "cpuid rdtsc .. rdtscp cpuid",
	      caution_cpuid, 0),
	{ .name = NULL },
};

#else

static int probe(const char **out_reason)
{
	*out_reason = "this processor is not an x86";
	return -ENOTSUP;
}

/* Named all the same, so that a user who asks for one hears why not. */
#define ABSENT(row) \
	{ \
		.name = row, .kind = KIND_TICKS, .probe = probe \
	}

const struct clock_row pawl_clock_x86[] = {
	ABSENT("tsc"),	      ABSENT("tsc_lfence"),
	ABSENT("tsc_mfence"), ABSENT("tsc_mfence_lfence"),
	ABSENT("tsc_rdtscp"), ABSENT("tsc_cpuid"),
	{ .name = NULL },
};

#endif
