/* SPDX-License-Identifier: MIT */
/* Goes for speed before plainness: this stands around what is counted. */
#include "harness/counter/counter.h"

#ifdef __linux__ /* else: counter/none.c */

#include "harness/counter/self.h"

/* The kernel changes the page while the thread is stopped: twice in a row is rare already. */
#define TRIES 64

#define BARRIER() __asm__ volatile("" ::: "memory")

/* The counters' numbers are part of the instructions, so that each has one of its own. */
#define EACH_OF_8(X, a, b, c, d, e, f, g, h) X(a) X(b) X(c) X(d) X(e) X(f) X(g) X(h)
#define EACH_BUT_31(X) \
	EACH_OF_8(X, 0, 1, 2, 3, 4, 5, 6, 7) \
	EACH_OF_8(X, 8, 9, 10, 11, 12, 13, 14, 15) \
	EACH_OF_8(X, 16, 17, 18, 19, 20, 21, 22, 23) \
	X(24) X(25) X(26) X(27) X(28) X(29) X(30)

#if defined(__x86_64__) || defined(__i386__)

bool pawl_self_pmc(uint32_t number, uint64_t *out)
{
	uint32_t low, high;
	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(number));
	*out = (uint64_t)high << 32 | low;
	return true;
}

#elif defined(__aarch64__)

/* 31 is the cycle counter, which has a name of its own. */
bool pawl_self_pmc(uint32_t number, uint64_t *out)
{
	uint64_t value;
#define READ(n) \
	case n: \
		__asm__ volatile("mrs %0, pmevcntr" #n "_el0" : "=r"(value)); \
		break;
	switch (number) {
		EACH_BUT_31(READ)
	case 31:
		__asm__ volatile("mrs %0, pmccntr_el0" : "=r"(value));
		break;
	default:
		return false;
	}
#undef READ
	*out = value;
	return true;
}

#elif defined(__riscv) && __riscv_xlen == 64

bool pawl_self_pmc(uint32_t number, uint64_t *out)
{
	uint64_t value;
#define READ(n) \
	case n: \
		__asm__ volatile("csrr %0, 0xc00 + " #n : "=r"(value)); \
		break;
	switch (number) {
		EACH_BUT_31(READ)
		READ(31)
	default:
		return false;
	}
#undef READ
	*out = value;
	return true;
}

#else

bool pawl_self_pmc(uint32_t number, uint64_t *out)
{
	(void)number;
	(void)out;
	return false;
}

#endif

uint64_t pawl_self_config1(void)
{
#if defined(__aarch64__)
	return 2; /* "rdpmc": a 32-bit view, which every counter has */
#else
	return 0;
#endif
}

bool pawl_self_read(const struct counter_calls *calls, const void *page, uint64_t *out)
{
	const volatile struct perf_event_mmap_page *p = page;
	for (int i = 0; i < TRIES; i++) {
		uint32_t lock = p->lock;
		BARRIER();
		uint32_t index = p->index, width = p->pmc_width;
		int64_t offset = p->offset;
		uint64_t raw;
		if (!p->cap_user_rdpmc || index == 0 || width == 0 || width > 64)
			return false;
		if (!calls->pmc(index - 1, &raw))
			return false;
		BARRIER();
		if (lock % 2 || p->lock != lock)
			continue;
		/* The counter is narrower than the count, and signed. */
		raw <<= 64 - width;
		*out = (uint64_t)offset + (uint64_t)((int64_t)raw >> (64 - width));
		return true;
	}
	return false;
}

#endif
