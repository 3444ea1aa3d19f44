/* SPDX-License-Identifier: MIT */
#include "tests/bench/harness/op.h"

#include "pawl_keep.h"

/* At the same place in a cache line in every program, and called, not inlined into a loop. */
#define PLACED __attribute__((aligned(64), noinline))

PLACED uint64_t op_empty(uint64_t x)
{
	return pawl_hide(x);
}

PLACED uint64_t op_imul(uint64_t x)
{
	x = pawl_hide(x * 2654435761u);
	x = pawl_hide(x * 2654435761u);
	x = pawl_hide(x * 2654435761u);
	x = pawl_hide(x * 2654435761u);
	x = pawl_hide(x * 2654435761u);
	x = pawl_hide(x * 2654435761u);
	x = pawl_hide(x * 2654435761u);
	return x * 2654435761u;
}

PLACED uint64_t op_empty_loop(uint64_t x, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		x = op_empty(x);
	return x;
}

PLACED uint64_t op_imul_loop(uint64_t x, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		x = op_imul(x);
	return x;
}
