/* SPDX-License-Identifier: MIT */
/*
 * clock_say - what to beware of about a clock, in sentences.
 */
#ifndef PAWL_HARNESS_CLOCK_SAY_H
#define PAWL_HARNESS_CLOCK_SAY_H

#include "harness/base/text.h"
#include "harness/clock/clock.h"

#define CLOCK_WARNING 200

/*
 * Warning i of an open clock, into out[CLOCK_WARNING]: one sentence without its end.
 * Returns false, and leaves out alone, after the last.
 */
bool pawl_clock_warning(const struct clock *clock, unsigned i, char *out);

/* `["...", ...]`: the warnings of an open clock. */
void pawl_clock_warnings(struct text *t, const struct clock *clock);

#endif
