/* SPDX-License-Identifier: MIT */
/*
 * derive - figures that follow from counters and times: rates, ratios of two counters.
 *
 * A figure is there only when all it is made of was really counted: never 0 for nothing.
 */
#ifndef PAWL_HARNESS_COUNTER_DERIVE_H
#define PAWL_HARNESS_COUNTER_DERIVE_H

#include "harness/counter/counter.h"

enum derive { DERIVE_IPC, DERIVE_BRANCH, DERIVE_L1D, DERIVE_CACHE, DERIVE_LLC, DERIVE_N };

struct derived {
	const char *name; /* "ipc", "branch-miss-ratio", ... */
	double value;	  /* NaN: cannot be had */
	bool scaled;	  /* a part was extrapolated */
	bool simulated;	  /* both parts were: a mixture gives nothing */
};

/* Fills out[DERIVE_N] from COUNTER_MAX counters. */
void pawl_derive(const struct counter *counters, struct derived *out);

/* Static storage. */
const char *pawl_derive_name(enum derive which);

/* Of `each` (items or bytes of an operation) a second, when it takes so long; else NaN. */
double pawl_derive_rate(double each, double ns);

#endif
