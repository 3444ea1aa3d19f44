#include "lib/stats/dist.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "lib/base/banned.h"

enum { MAX_TERMS = 2000000, MAX_STEPS = 200 };

/* From here on Student's distribution differs from the normal by less than 1e-12. */
static const double NORMAL_FROM_DF = 1e12;

double normal_cdf(double z)
{
	return 0.5 * erfc(-z / sqrt(2));
}

static double normal_density(double z)
{
	return exp(-0.5 * z * z) / sqrt(2 * acos(-1));
}

/* Distance of the p-quantile from 0 on the lower side, 0 < p <= 0.5. */
static double normal_distance(double p)
{
	double r = sqrt(-2 * log(p));
	double z = r - (2.515517 + r * (0.802853 + r * 0.010328)) /
			       (1 + r * (1.432788 + r * (0.189269 + r * 0.001308)));

	/* Halley's steps cube the error of the guess, 5e-4; the third only polishes. */
	for (int step = 0; step < 3; step++) {
		double off = (p - normal_cdf(-z)) / normal_density(z);

		if (!isfinite(off))
			break;
		z -= off / (1 + 0.5 * z * off);
	}
	return z;
}

/*
 * The last answers of a thread: the benchmarks of one comparison ask for the same two or three
 * thousands of times.
 */
static double normal_distance_again(double p)
{
	enum { KEPT = 4 };
	static _Thread_local double asked[KEPT], known[KEPT];
	static _Thread_local size_t next;
	size_t at;

	for (size_t i = 0; i < KEPT; i++)
		if (asked[i] == p)
			return known[i];
	at = next++ % KEPT;
	asked[at] = p;
	return known[at] = normal_distance(p);
}

double normal_quantile(double p)
{
	if (!(p >= 0 && p <= 1))
		return (double)NAN;
	if (p == 0)
		return -HUGE_VAL;
	if (p == 1)
		return HUGE_VAL;
	if (p == 0.5)
		return 0;
	return p < 0.5 ? -normal_distance_again(p) : normal_distance_again(1 - p);
}

/* The continued fraction of I_x(a, b), good where x is below the mean a / (a + b). */
static long double beta_fraction(long double x, long double a, long double b)
{
	const long double tiny = 1e-300L;
	long double c = 1, d = 1 - (a + b) * x / (a + 1), value;

	d = 1 / (fabsl(d) < tiny ? tiny : d);
	value = d;
	for (int m = 1; m < MAX_TERMS; m++) {
		long double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		long double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		long double factor;

		d = 1 + even * d;
		d = 1 / (fabsl(d) < tiny ? tiny : d);
		c = 1 + even / c;
		value *= (fabsl(c) < tiny ? tiny : c) * d;
		d = 1 + odd * d;
		d = 1 / (fabsl(d) < tiny ? tiny : d);
		c = 1 + odd / (fabsl(c) < tiny ? tiny : c);
		factor = c * d;
		value *= factor;
		if (fabsl(factor - 1) < 4 * LDBL_EPSILON)
			break;
	}
	return value;
}

static long double log_gamma(long double x)
{
	int sign;

	return lgammal_r(x, &sign);
}

/*
 * I_x(a, b) with y = 1 - x given apart, so that neither loses digits next to 0.  In long double
 * because the three logarithms of the gamma function nearly cancel for large a.
 */
static long double beta_part(long double x, long double y, long double a, long double b)
{
	long double front;

	if (x <= 0)
		return 0;
	if (y <= 0)
		return 1;
	front = expl(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * logl(x) + b * logl(y));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(y, b, a) / b;
}

/* P(T > t) for t >= 0 */
static double student_tail(double t, double df)
{
	long double square = (long double)t * (long double)t, v = (long double)df;

	if (!(df > 0) || isnan(t))
		return (double)NAN;
	if (df >= NORMAL_FROM_DF)
		return normal_cdf(-t);
	if (isinf(square))
		return 0;
	return (double)(0.5L * beta_part(v / (v + square), square / (v + square), 0.5L * v, 0.5L));
}

double student_two_sided(double t, double df)
{
	return 2 * student_tail(fabs(t), df);
}

static double student_density(double t, double df)
{
	long double v = (long double)df, square = (long double)t * (long double)t;

	if (df >= NORMAL_FROM_DF)
		return normal_density(t);
	return (double)expl(log_gamma((v + 1) / 2) - log_gamma(v / 2) - 0.5L * logl(v * acosl(-1)) -
			    (v + 1) / 2 * log1pl(square / v));
}

/* The t >= 0 with P(T > t) = p, 0 < p <= 0.5: Newton's steps, kept inside a bracket. */
static double student_distance(double p, double df)
{
	double low = 0, high = fmax(1, normal_distance(p)), t;

	while (student_tail(high, df) > p) {
		low = high;
		high *= 2;
		if (isinf(high))
			return high;
	}
	t = high;
	for (int step = 0; step < MAX_STEPS; step++) {
		double tail = student_tail(t, df), next;

		if (tail > p)
			low = t;
		else
			high = t;
		/* On the logarithm of the tail, where a step far out does not overshoot. */
		next = t + log(tail / p) * tail / student_density(t, df);
		if (!(next > low && next < high))
			next = 0.5 * low + 0.5 * high;
		if (fabs(next - t) <= 2 * DBL_EPSILON * t)
			return next;
		t = next;
	}
	return t;
}

/*
 * The last answers, by degrees of freedom: the benchmarks of one comparison ask for a few of them
 * thousands of times, and each costs as much as a verdict.  A thread has its own.
 */
static double student_distance_again(double p, double df)
{
	enum { KEPT = 64 };
	static _Thread_local struct {
		double p, df, t;
	} kept[KEPT];
	size_t at = df < 1e6 ? (size_t)df % KEPT : 0;

	if (kept[at].p != p || kept[at].df != df) {
		kept[at].t = student_distance(p, df);
		kept[at].p = p;
		kept[at].df = df;
	}
	return kept[at].t;
}

double student_quantile(double p, double df)
{
	if (!(p >= 0 && p <= 1 && df > 0))
		return (double)NAN;
	if (p == 0)
		return -HUGE_VAL;
	if (p == 1)
		return HUGE_VAL;
	if (p == 0.5)
		return 0;
	return p < 0.5 ? -student_distance_again(p, df) : student_distance_again(1 - p, df);
}
