/* SPDX-License-Identifier: MIT */
/*
 * record - the JSON objects of docs/RECORD-LINES.md, without the line's end, into a text
 * of SESSION_MEMORY bytes.
 */
#ifndef PAWL_HARNESS_SPEAK_RECORD_H
#define PAWL_HARNESS_SPEAK_RECORD_H

#include <stdint.h>

#include "harness/counter/counter.h"
#include "harness/engine/engine.h"
#include "harness/base/text.h"

/* clock: the wall clock; ticks_hz: of the processor's tick counter, NaN without one. */
void pawl_record_hello(struct text *t, const struct clock *clock, double ticks_hz);
void pawl_record_benchmark(struct text *t, const struct pawl_bench *bench);
void pawl_record_order(struct text *t, uint64_t seed);
void pawl_record_calibration(struct text *t, const char *name, const struct measured *m);
void pawl_record_ready(struct text *t, uint64_t slice);
/* Behind an answer: another order may come. */
void pawl_record_next(struct text *t);
void pawl_record_slice(struct text *t, uint64_t slice, const struct slice *s);

/*
 * empty_ns: what was taken off for net_ns, or NaN; counters: COUNTER_MAX of them, or NULL when
 * none were asked for.
 */
void pawl_record_result(struct text *t, const struct pawl_bench *bench, const struct measured *m,
			double empty_ns, const struct counter *counters);

/* name may be NULL. */
void pawl_record_error(struct text *t, const char *name, const char *message);

/* clock: the wall clock, whose warnings, where there are any, it carries. */
void pawl_record_end(struct text *t, const struct clock *clock);

#endif
