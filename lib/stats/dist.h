/*
 * dist - the normal distribution and Student's.
 *
 * Relative error below 1e-12 for the probabilities, also far out in the tails, and for the
 * quantiles.  None of these can fail: a parameter outside the stated range gives NaN, and
 * callers check what they pass.
 *
 * Source: M. Abramowitz and I. A. Stegun (eds.), Handbook of Mathematical Functions (1964):
 *         26.2.23 (first guess of the normal quantile), 26.5.8 (continued fraction),
 *         26.7.1 (Student from the incomplete beta function); the continued fraction is evaluated
 *         by W. J. Lentz's method, Applied Optics 15 (1976) 668-671.
 */
#ifndef PAWL_STATS_DIST_H
#define PAWL_STATS_DIST_H

/* P(Z <= z).  Any z. */
double normal_cdf(double z);

/* The z with P(Z <= z) = p.  0 < p < 1; p = 0 gives -inf, p = 1 gives +inf, else NaN. */
double normal_quantile(double p);

/*
 * 2 P(T > |t|), the two-sided p value of df > 0 degrees of freedom, not necessarily whole.  Any t,
 * infinite ones included.  Cost: O(sqrt(df)).
 */
double student_two_sided(double t, double df);

/*
 * The t with P(T <= t) = p.  0 < p < 1, df > 0; p = 0 gives -inf, p = 1 gives +inf.
 * Cost: 10 to 50 us; nothing where this thread has asked lately.
 */
double student_quantile(double p, double df);

#endif
