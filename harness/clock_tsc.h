/* SPDX-License-Identifier: MIT */
/*
 * clock_tsc - the time stamp counter of x86 processors, fenced.
 *
 * begin: lfence; rdtsc; lfence.  end: rdtscp; lfence.  rdtscp waits for all that comes before
 * it, the fences keep what follows from starting early.  CPUID as a fence is not used: under
 * a hypervisor it costs microseconds and what it costs varies.
 *
 * Source: Intel, "How to Benchmark Code Execution Times on Intel IA-32 and IA-64" (2010), for
 * the pairing; AMD64 manual volume 3, RDTSCP and LFENCE.
 */
#ifndef PAWL_HARNESS_CLOCK_TSC_H
#define PAWL_HARNESS_CLOCK_TSC_H

#include <stdint.h>

/*
 * Errors: -ENOTSUP on another processor, without rdtscp or without a counter whose rate never
 *         changes; -EPERM where prctl(PR_SET_TSC) forbids reading it.
 */
int pawl_tsc_probe(const char **out_reason);

uint64_t pawl_tsc_begin(void);
uint64_t pawl_tsc_end(void);

#endif
