/* SPDX-License-Identifier: MIT */
#include "harness/engine/student.h"

#include <stddef.h>

#include "harness/base/root.h"

/* Of 1 to 12 degrees of freedom, from the closed form 26.7.3 and 26.7.4. */
static const double small[] = {
	12.706204736175, 4.302652729749, 3.182446305284, 2.776445105198,
	2.570581835636,	 2.446911851145, 2.364624251593, 2.306004135204,
	2.262157162798,	 2.228138851986, 2.200985160092, 2.178812829667,
};

double pawl_student_95(uint64_t df)
{
	/* z is the normal distribution's 0.975 quantile, g1 .. g4 the terms of 26.7.5 at z. */
	const double z = 1.959963984540054;
	const double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z, z9 = z7 * z * z;
	const double g1 = (z3 + z) / 4;
	const double g2 = (5 * z5 + 16 * z3 + 3 * z) / 96;
	const double g3 = (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384;
	const double g4 = (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / 92160;
	double v = (double)df;
	if (df == 0)
		return __builtin_nan("");
	if (df <= sizeof(small) / sizeof(small[0]))
		return small[df - 1];
	return z + (g1 + (g2 + (g3 + g4 / v) / v) / v) / v;
}

double pawl_student_half(uint64_t n, double sd)
{
	if (n < 2)
		return __builtin_nan("");
	return pawl_student_95(n - 1) * sd / pawl_root((double)n);
}
