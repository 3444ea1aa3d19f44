/* SPDX-License-Identifier: MIT */
/*
 * empty - the baseline: what a loop around nothing and a call of nothing cost.
 */
#include <stdint.h>

#include "include/pawl.h"

static void loop(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	(void)r;
	while (n--)
		pawl_clobber(); /* or the loop would be gone */
}

static void nothing(void)
{
}

static void call(void *ctx, uint64_t n, struct pawl_run *r)
{
	void (*callee)(void) = nothing;
	(void)ctx;
	(void)r;
	while (n--) {
		/* Unknown to the compiler, so that it has to call. */
		__asm__ __volatile__("" : "+r"(callee));
		callee();
	}
}

int main(int argc, char **argv)
{
	const struct pawl_bench list[] = {
		PAWL_BENCH("empty/loop", loop),
		PAWL_BENCH("empty/call", call),
	};
	return pawl_main(argc, argv, list, sizeof(list) / sizeof(list[0]));
}
