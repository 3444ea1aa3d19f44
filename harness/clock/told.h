/* SPDX-License-Identifier: MIT */
/*
 * clock_told - frequencies that the processor or the kernel tells, and registers that may be
 * forbidden.
 */
#ifndef PAWL_HARNESS_CLOCK_TOLD_H
#define PAWL_HARNESS_CLOCK_TOLD_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Ticks per second out of the kernel's own conversion, ns = ticks * mult >> shift, as the page
 * of a perf event has it.  0 when mult is 0 or shift above 63.
 */
double pawl_told_of_scale(uint32_t mult, uint16_t shift);

/*
 * The same of this machine's tick counter; 0 when the kernel does not tell.
 * Cost: some system calls.  Source: perf_event_open(2), cap_user_time.
 */
double pawl_told_by_kernel(void);

/*
 * CPUID leaf 0x15: ticks = crystal * ebx / eax.  0 when one of the three is 0.  Leaf 0x16 is
 * never used: it is the rounded base frequency of the core.
 */
double pawl_told_of_crystal(uint32_t eax, uint32_t ebx, uint32_t ecx);

/*
 * Whether read() can be called without the processor refusing the instruction: it is called
 * once behind a handler of SIGILL, and the handler from before is put back.  An illegal
 * instruction of another thread meanwhile goes to that earlier handler.  Where there are no
 * signals the answer is false.
 */
bool pawl_clock_survives(uint64_t (*read)(void));

#endif
