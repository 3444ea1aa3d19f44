/* SPDX-License-Identifier: MIT */
#include "tests/bench/harness/op.h"

#include "pawl_keep.h"

uint64_t op_empty(uint64_t x)
{
	return x;
}

uint64_t op_imul(uint64_t x)
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
