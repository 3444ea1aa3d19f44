/* SPDX-License-Identifier: MIT */
/*
 * student - how far a mean of few values may be off.
 *
 * Source: W. S. Gosset ("Student"), "The probable error of a mean", Biometrika 6 (1908), 1-25;
 *         M. Abramowitz and I. A. Stegun (eds.), Handbook of Mathematical Functions (1964),
 *         26.7.5, the expansion for many degrees of freedom.
 */
#ifndef PAWL_HARNESS_ENGINE_STUDENT_H
#define PAWL_HARNESS_ENGINE_STUDENT_H

#include <stdint.h>

/*
 * The t with P(|T| <= t) = 0.95 of df degrees of freedom, within one part in a million.
 * NaN for df = 0.  Needs no libm.
 */
double pawl_student_95(uint64_t df);

/* Half the width of the 95 % confidence interval of a mean; NaN for n < 2. */
double pawl_student_half(uint64_t n, double sd);

#endif
