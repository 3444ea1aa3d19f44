/* SPDX-License-Identifier: MIT */
/*
 * pawl_region - pawl_start() and pawl_stop() without a call.  Part of pawl.h, after their
 * declarations.
 *
 * Where a benchmark is timed by the clock tsc, the two read it in place.  For every other clock,
 * for counters, on processors other than x86 and without the assembler statement of gcc and clang
 * they are calls.
 *
 * What a program and the library share is the beginning of struct pawl_run.  form says whether
 * both mean the same by it: the library sets it to what it was built with, the program compares
 * it with what it was compiled with, and calls where they differ.  So a program runs with a library
 * that is older or newer than its header; one that was compiled with an older header calls.
 *
 * Not promised: anything else in here.
 */
#ifndef PAWL_REGION_H
#define PAWL_REGION_H

#include <stdint.h>

struct pawl_region_ {
	uint64_t form;	       /* PAWL_REGION_TSC_: the clock is read in place; else by a call */
	uint64_t begun;	       /* ticks at pawl_start() */
	uint64_t ticks, pairs; /* sum over the stretches, and how many they were */
	unsigned char manual;  /* pawl_start() was called; stays so for the benchmark */
	unsigned char started; /* pawl_start() was called in this call of run */
	unsigned char open;    /* between pawl_start() and pawl_stop() */
};

/* "pawl", the version of what is shared and of how it is used, and its size. */
#define PAWL_REGION_TSC_ (UINT64_C(0x7061776c00010000) | sizeof(struct pawl_region_))

#if !defined(PAWL_C89) && defined(PAWL_ASM_) && (defined(__x86_64__) || defined(__i386__))

#define PAWL_REGION_INLINED_ 1

#ifdef __x86_64__
#define PAWL_REGION_READ_(code, out) \
	do { \
		uint64_t low_, high_; \
		__asm__ __volatile__(code : "=a"(low_), "=d"(high_) : : "ecx", "cc", "memory"); \
		(out) = high_ << 32 | low_; \
	} while (0)
#else
#define PAWL_REGION_READ_(code, out) \
	__asm__ __volatile__(code : "=A"(out) : : "ecx", "cc", "memory")
#endif

#ifdef __cplusplus
#define PAWL_REGION_OF_(r) reinterpret_cast<struct pawl_region_ *>(r)
extern "C" {
#else
#define PAWL_REGION_OF_(r) ((struct pawl_region_ *)(void *)(r))
#endif

/*
 * As in harness/clock/x86.c.  The first reading waits for what comes before it, and nothing of the
 * stretch starts before it is done; the second waits for all of the stretch, and nothing that
 * follows starts before it is done.  docs/decisions/0019-inlined-stretches.md has what each fence
 * costs, and what the reported times would be without it.
 */
static inline void pawl_region_start_(struct pawl_run *r)
{
	struct pawl_region_ *region = PAWL_REGION_OF_(r);
	uint64_t now;
	if (__builtin_expect(region->form != PAWL_REGION_TSC_, 0)) {
		pawl_start(r);
		return;
	}
	region->manual = 1;
	region->started = 1;
	region->open = 1;
	PAWL_REGION_READ_("lfence\n\trdtsc\n\tlfence", now);
	region->begun = now;
}

static inline void pawl_region_stop_(struct pawl_run *r)
{
	struct pawl_region_ *region = PAWL_REGION_OF_(r);
	uint64_t now;
	if (__builtin_expect(region->form != PAWL_REGION_TSC_, 0)) {
		pawl_stop(r);
		return;
	}
	PAWL_REGION_READ_("rdtscp\n\tlfence", now);
	if (!region->open)
		return;
	region->ticks += now > region->begun ? now - region->begun : 0;
	region->pairs++;
	region->open = 0;
}

#ifdef __cplusplus
} /* extern "C" */
#endif

/* Function-like, so that (pawl_start)(r) and the address of pawl_start are those of the call. */
#define pawl_start(r) pawl_region_start_(r)
#define pawl_stop(r) pawl_region_stop_(r)

#endif

#endif
