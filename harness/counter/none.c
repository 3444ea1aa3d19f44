/* SPDX-License-Identifier: MIT */
/* Systems without perf_event_open(2): every counter is absent, and says so. */
#include "harness/counter/passes.h"

#ifndef __linux__

#include <errno.h>

/* Those of passes.c. */
static const char *const names[COUNTER_MAX] = {
	"cycles",      "instructions", "branches",   "branch-misses",	 "kernel-instructions",
	"page-faults", "l1d-reads",    "l1d-misses", "cache-references", "cache-misses",
	"llc-loads",   "llc-misses",
};

struct counter_calls {
	int none;
};

const struct counter_calls pawl_counter_system = { 0 };

const char *pawl_counter_name(size_t i)
{
	return i < COUNTER_MAX ? names[i] : NULL;
}

void pawl_counters_measure(const struct counter_calls *calls, const struct counter_how *how,
			   const struct counter_work *work, struct counter *out)
{
	(void)calls, (void)how, (void)work;
	for (int i = 0; i < COUNTER_MAX; i++) {
		out[i].name = names[i];
		out[i].value = __builtin_nan("");
		out[i].state =
			pawl_counter_explain(-ENOSYS, -ENOSYS, out[i].reason, COUNTER_REASON);
	}
}

/* Nobody is counting, so nobody calls these. */
void pawl_group_begin(struct counter_group *g)
{
	(void)g;
}

void pawl_group_end(struct counter_group *g)
{
	(void)g;
}

#endif
