/* SPDX-License-Identifier: MIT */
/*
 * counter_self - a counter read from user space, without a system call.
 *
 * The kernel keeps a page for each event: which of the processor's counters it is on, and
 * what is to be added.  It holds for the thread that opened the event, and only while the page
 * is mapped.  An event is closed only after its page is unmapped: else it keeps its counter.
 */
#ifndef PAWL_HARNESS_COUNTER_SELF_H
#define PAWL_HARNESS_COUNTER_SELF_H

#include "harness/counter/perf.h"

/*
 * The event's count now.  false: it is on no counter just now, or the kernel does not let user
 * space read it; read(2) tells it then.
 *
 * Cost: some ns.  Source: perf_event_open(2), the sequence lock of struct perf_event_mmap_page.
 */
bool pawl_self_read(const struct counter_calls *calls, const void *page, uint64_t *out);

/* counter_calls.pmc of this processor. */
bool pawl_self_pmc(uint32_t number, uint64_t *out);

/* perf_event_attr.config1 that asks for access from user space; 0 where none is needed. */
uint64_t pawl_self_config1(void);

#endif
