/* SPDX-License-Identifier: MIT */
#include "harness/counter/valgrind.h"

#include <stdio.h>
#include <string.h>

#include "harness/counter/callgrind.h"
#include "harness/counter/valgrind_child.h"
#include "harness/counter/valgrind_events.h"

#define UNKNOWN __builtin_nan("")

/* A counter is the sum of up to three events.  Reads and loads: of data. */
static const struct row {
	const char *name;
	int n;
	enum valgrind_event sum[3];
} rows[] = {
	{ "instructions", 1, { IR } },
	{ "branches", 2, { BC, BI } },
	{ "branch-misses", 2, { BCM, BIM } },
	{ "l1d-reads", 1, { DR } },
	{ "l1d-misses", 1, { D1MR } },
	{ "cache-references", 3, { I1MR, D1MR, D1MW } },
	{ "cache-misses", 3, { ILMR, DLMR, DLMW } },
	{ "llc-loads", 1, { D1MR } },
	{ "llc-misses", 1, { DLMR } },
};

static void fill(struct counter *out, const char *reason)
{
	for (int i = 0; i < COUNTER_MAX; i++) {
		out[i] = (struct counter){ .name = pawl_counter_name((size_t)i),
					   .state = COUNTER_ABSENT,
					   .value = UNKNOWN };
		(void)snprintf(out[i].reason, sizeof(out[i].reason), "%s", reason);
	}
}

/* Where the second region met less than the first (a miss that does not repeat): its mean. */
static double per_iteration(const struct valgrind_counts *c, const struct row *row)
{
	double once = 0, twice = 0;
	for (int i = 0; i < row->n; i++) {
		once += (double)c->once[row->sum[i]];
		twice += (double)c->twice[row->sum[i]];
	}
	if (twice < once)
		return twice / (2 * (double)c->n);
	return (twice - once) / (double)c->n;
}

void pawl_valgrind_report(const struct valgrind_counts *counts, struct counter *out)
{
	fill(out, "callgrind does not simulate it");
	for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
		for (int i = 0; i < COUNTER_MAX; i++) {
			if (strcmp(out[i].name, rows[r].name))
				continue;
			out[i].state = COUNTER_OK;
			out[i].simulated = true;
			out[i].value = per_iteration(counts, &rows[r]);
			out[i].reason[0] = '\0';
		}
	}
}

void pawl_valgrind_measure(const char *benchmark, int patience_ms, struct counter *out)
{
	struct valgrind_counts counts;
	char why[COUNTER_REASON] = "";
	if (!pawl_callgrind_is_built(why, sizeof(why)) ||
	    !pawl_valgrind_count(benchmark, patience_ms, &counts, why, sizeof(why)))
		fill(out, why);
	else
		pawl_valgrind_report(&counts, out);
}
