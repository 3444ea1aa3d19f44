/* SPDX-License-Identifier: MIT */
#include "harness/base/root.h"

double pawl_root(double x)
{
	if (!(x > 0))
		return 0;
	/* From above Newton's method falls monotonically until it has arrived. */
	double root = x > 1 ? x : 1;
	for (;;) {
		double next = (root + x / root) / 2;
		if (!(next < root))
			return root;
		root = next;
	}
}
