/*
 * near - known answers for the tests of lib/stats, compared as precisely as they are written.
 *
 * "R" and "SciPy" beside a number mean R 4.2.2 and SciPy 1.10.1.
 */
#ifndef PAWL_TEST_STATS_NEAR_H
#define PAWL_TEST_STATS_NEAR_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The distance of the last digit written in text: "1.50" -> 0.01, "2e-5" -> 1e-5. */
static inline double near_unit(const char *text)
{
	const char *dot = strchr(text, '.'), *e = strpbrk(text, "eE");
	size_t digits = strcspn(text, "eE");
	int power = e ? (int)strtol(e + 1, NULL, 10) : 0;

	if (dot)
		power -= (int)(digits - (size_t)(dot - text) - 1);
	return pow(10, power);
}

/*
 * actual rounds to the decimal number in text, all of its digits counted (trailing zeros too).
 * The slack beyond half a unit is rounding of the arithmetic itself.
 */
static inline void near_at(double actual, const char *text, const char *file, int line)
{
	double expected = strtod(text, NULL);
	double slack = 0.5 * near_unit(text) + 8e-15 * fabs(expected);

	if (fabs(actual - expected) <= slack)
		return;
	print_error("%.17g is not %s\n", actual, text);
	_fail(file, line);
}
#define assert_near(actual, text) near_at(actual, text, __FILE__, __LINE__)

/* The same double, infinities included; NaN equals nothing. */
static inline void same_at(double actual, double expected, const char *file, int line)
{
	if (actual <= expected && actual >= expected)
		return;
	print_error("%.17g is not %.17g\n", actual, expected);
	_fail(file, line);
}
#define assert_same(actual, expected) same_at(actual, expected, __FILE__, __LINE__)

/* left <= right, as numbers. */
static inline void at_most_at(double left, double right, const char *file, int line)
{
	if (left <= right)
		return;
	print_error("%.17g is more than %.17g\n", left, right);
	_fail(file, line);
}
#define assert_at_most(left, right) at_most_at(left, right, __FILE__, __LINE__)

/* The samples that all known answers are about (made up for the purpose). */
static const double KNOWN_X[10] = { 10.11, 10.32, 9.93,	 10.24, 10.05,
				    10.46, 9.87,  10.18, 10.29, 12.50 };
static const double KNOWN_Y[10] = { 10.43, 10.64, 10.15, 10.56, 10.37,
				    10.88, 10.09, 10.41, 10.62, 10.73 };
static const double KNOWN_A[12] = { 100.3, 101.2, 99.8,	 100.9, 102.4, 100.1,
				    131.7, 100.6, 101.9, 99.5,	100.2, 103.3 };
static const double KNOWN_B[12] = { 102.1, 102.9, 101.5, 101.7, 104.9, 101.3,
				    103.0, 102.8, 103.1, 101.9, 168.4, 104.0 };
static const double KNOWN_E[10] = { .0021, -.0013, .0034,  .0009, -.0027,
				    .0015, .0002,  -.0008, .0019, -.0004 };

static inline void known_d(double out[10])
{
	for (int i = 0; i < 10; i++)
		out[i] = log(KNOWN_Y[i]) - log(KNOWN_X[i]);
}

static inline void known_ab(double out[12])
{
	for (int i = 0; i < 12; i++)
		out[i] = log(KNOWN_B[i] / KNOWN_A[i]);
}

#endif
