/* SPDX-License-Identifier: MIT */
/*
 * The counters of 64-bit ARM processors.
 *
 * cntvct_el0 ticks at the constant rate that cntfrq_el0 tells, on every core the same.
 * pmccntr_el0 counts the core's cycles; the kernel seldom lets a program read it, so it is
 * tried behind a handler.  isb on both sides: the counter may otherwise be read early.
 *
 * Source: Arm Architecture Reference Manual for A-profile, "The Generic Timer", D13.8.
 */
/* Goes for speed before plainness. */
#include "harness/clock/rows.h"

#include <errno.h>

#ifdef __aarch64__

#include "harness/clock/told.h"

static uint64_t read_ticks(void)
{
	uint64_t value;
	__asm__ __volatile__("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(value) : : "memory");
	return value;
}

static uint64_t read_cycles(void)
{
	uint64_t value;
	__asm__ __volatile__("isb\n\tmrs %0, pmccntr_el0\n\tisb" : "=r"(value) : : "memory");
	return value;
}

static uint64_t read_rate(void)
{
	uint64_t value;
	__asm__ __volatile__("mrs %0, cntfrq_el0" : "=r"(value));
	return value;
}

static int forbidden(const char **out_reason)
{
	*out_reason = "the system forbids programs to read this register";
	return -EPERM;
}

static int probe_ticks(const char **out_reason)
{
	return pawl_clock_survives(read_ticks) ? 0 : forbidden(out_reason);
}

static int probe_cycles(const char **out_reason)
{
	return pawl_clock_survives(read_cycles) ? 0 : forbidden(out_reason);
}

static double told_rate(void)
{
	return pawl_clock_survives(read_rate) ? (double)read_rate() : 0;
}

#else

static int probe_ticks(const char **out_reason)
{
	*out_reason = "this processor is not 64-bit ARM";
	return -ENOTSUP;
}

#define probe_cycles probe_ticks
#define read_ticks NULL
#define read_cycles NULL
#define told_rate NULL

#endif

const struct clock_row pawl_clock_arm64[] = {
	{ .name = "cntvct",
	  .kind = KIND_TICKS,
	  .probe = probe_ticks,
	  .begin = read_ticks,
	  .end = read_ticks,
	  .serialise = "isb mrs isb",
	  .told_hz = told_rate },
	{ .name = "pmccntr",
	  .kind = KIND_CYCLES,
	  .probe = probe_cycles,
	  .begin = read_cycles,
	  .end = read_cycles,
	  .serialise = "isb mrs isb" },
	{ .name = NULL },
};
