/* SPDX-License-Identifier: MIT */
/* peer_ubench - the operations under ubench.h. */
#include <ubench.h>

#include "tests/bench/harness/op.h"

static uint64_t state = 1;

UBENCH(op, empty)
{
	state = op_empty(state);
}

UBENCH(op, imul)
{
	state = op_imul(state);
}

UBENCH_MAIN()
