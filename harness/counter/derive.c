/* SPDX-License-Identifier: MIT */
#include "harness/counter/derive.h"

#define UNKNOWN __builtin_nan("")

static const struct ratio {
	const char *name, *part, *whole;
} ratios[DERIVE_N] = {
	[DERIVE_IPC] = { "ipc", "instructions", "cycles" },
	[DERIVE_BRANCH] = { "branch-miss-ratio", "branch-misses", "branches" },
	[DERIVE_L1D] = { "l1d-miss-ratio", "l1d-misses", "l1d-reads" },
	[DERIVE_CACHE] = { "cache-miss-ratio", "cache-misses", "cache-references" },
	[DERIVE_LLC] = { "llc-miss-ratio", "llc-misses", "llc-loads" },
};

const char *pawl_derive_name(enum derive which)
{
	return which < DERIVE_N ? ratios[which].name : "";
}

void pawl_derive(const struct counter *counters, struct derived *out)
{
	for (int i = 0; i < DERIVE_N; i++) {
		const struct counter *part = pawl_counter_valued(counters, ratios[i].part);
		const struct counter *whole = pawl_counter_valued(counters, ratios[i].whole);
		struct derived d = { .name = ratios[i].name, .value = UNKNOWN };
		if (part && whole && whole->value > 0 && part->simulated == whole->simulated) {
			d.value = part->value / whole->value;
			d.scaled = part->state == COUNTER_SCALED || whole->state == COUNTER_SCALED;
			d.simulated = part->simulated;
		}
		out[i] = d;
	}
}

double pawl_derive_rate(double each, double ns)
{
	return each > 0 && ns > 0 ? each / ns * 1e9 : UNKNOWN;
}
