/* SPDX-License-Identifier: MIT */
/*
 * The counters of 64-bit RISC-V processors.
 *
 * rdtime ticks at a constant rate.  rdcycle and rdinstret count what the core does; Linux has
 * forbidden them to programs since 6.6, so that they are tried behind a handler.  A fence on
 * both sides orders memory; the architecture has no instruction that orders the counters.
 *
 * Source: The RISC-V Instruction Set Manual, volume I, "Zicntr".
 */
/* Goes for speed before plainness. */
#include "harness/clock/rows.h"

#include <errno.h>

#if defined(__riscv) && __riscv_xlen == 64

#include "harness/clock/told.h"

#define COUNTER(instruction) \
	static uint64_t read_##instruction(void) \
	{ \
		uint64_t value; \
		__asm__ __volatile__("fence\n\t" #instruction " %0\n\tfence" \
				     : "=r"(value) \
				     : \
				     : "memory"); \
		return value; \
	} \
	static int probe_##instruction(const char **out_reason) \
	{ \
		if (pawl_clock_survives(read_##instruction)) \
			return 0; \
		*out_reason = "the system forbids programs to read this register"; \
		return -EPERM; \
	}

COUNTER(rdtime)
COUNTER(rdcycle)
COUNTER(rdinstret)

#define ROW(row, what, told) \
	{ \
		.name = #row, .kind = what, .probe = probe_##row, .begin = read_##row, \
		.end = read_##row, .serialise = "fence " #row " fence", .told_hz = told, \
	}

#else

static int probe(const char **out_reason)
{
	*out_reason = "this processor is not 64-bit RISC-V";
	return -ENOTSUP;
}

#define ROW(row, what, told) \
	{ \
		.name = #row, .kind = what, .probe = probe \
	}

#endif

const struct clock_row pawl_clock_riscv[] = {
	ROW(rdtime, KIND_TICKS, pawl_told_by_kernel),
	ROW(rdcycle, KIND_CYCLES, NULL),
	ROW(rdinstret, KIND_CYCLES, NULL),
	{ .name = NULL },
};
