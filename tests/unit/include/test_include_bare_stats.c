#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <cmocka.h>

#include "include/pawl_bare_stats.h"

#include "lib/base/banned.h"

static uint64_t seed = 42;

/* xorshift64* of Vigna (2016); 0..1 */
static double random_share(void)
{
	seed ^= seed >> 12;
	seed ^= seed << 25;
	seed ^= seed >> 27;
	return (double)(seed * 2685821657736338717u >> 11) / 9007199254740992.0;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void spread_is_that_of_two_passes(void **state)
{
	static double x[5000];
	struct pawl_bare_spread s;
	double sum = 0, squares = 0;
	(void)state;
	pawl_bare_spread_clear(&s);
	for (size_t i = 0; i < 5000; i++) {
		x[i] = 1e9 + random_share(); /* sums of squares would lose everything */
		pawl_bare_spread_add(&s, x[i]);
		sum += x[i];
	}
	for (size_t i = 0; i < 5000; i++)
		squares += (x[i] - sum / 5000) * (x[i] - sum / 5000);
	qsort(x, 5000, sizeof(x[0]), by_size);
	assert_true(fabs(s.mean - sum / 5000) < 1e-5);
	assert_true(fabs(pawl_bare_variance(&s) - squares / 4999) < 1e-6 * squares / 4999);
	assert_true(s.n == 5000 && s.min == x[0] && s.max == x[4999]);
}

static void equal_samples_have_no_variance(void **state)
{
	struct pawl_bare_spread s;
	(void)state;
	pawl_bare_spread_clear(&s);
	assert_true(pawl_bare_variance(&s) == 0);
	for (int i = 0; i < 1000; i++)
		pawl_bare_spread_add(&s, 2.1);
	assert_true(s.m2 == 0 && s.mean == 2.1 && s.min == 2.1 && s.max == 2.1);
}

static void negative_samples_have_a_largest_one(void **state)
{
	struct pawl_bare_spread s;
	(void)state;
	pawl_bare_spread_clear(&s);
	pawl_bare_spread_add(&s, -3);
	pawl_bare_spread_add(&s, -1);
	assert_true(s.min == -3 && s.max == -1 && s.mean == -2 && pawl_bare_variance(&s) == 2);
}

static void a_root_is_that_of_libm(void **state)
{
	static const double x[] = { 1, 2, 0.25, 1e-300, 4.5e-9, 32 / 7.0, 1e15, 1e300, 1.7e308 };
	(void)state;
	for (size_t i = 0; i < sizeof(x) / sizeof(x[0]); i++)
		assert_true(fabs(pawl_bare_root(x[i]) / sqrt(x[i]) - 1) < 1e-15);
	assert_true(pawl_bare_root(0) == 0 && pawl_bare_root(-1) == 0);
	assert_true(pawl_bare_root(strtod("nan", NULL)) == 0);
}

static void p99_is_exact_up_to_1599_samples(void **state)
{
	static const uint32_t sizes[] = { 1, 2, 5, 6, 16, 17, 99, 100, 101, 200, 1000, 1599 };
	static double x[1599];
	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct pawl_bare_tail t;
		uint32_t n = sizes[i];
		int exact = 0;
		double got;
		pawl_bare_tail_clear(&t, 990);
		for (uint32_t j = 0; j < n; j++) {
			x[j] = random_share() < 0.02 ? 1000 + random_share() : random_share();
			pawl_bare_tail_add(&t, x[j]);
		}
		qsort(x, n, sizeof(x[0]), by_size);
		got = pawl_bare_tail_value(&t, &exact);
		/* nearest rank: the value at ceil(0.99 n), counted from 1 */
		assert_true(exact && got == x[(n * 99 + 99) / 100 - 1]);
	}
}

static void markers_are_those_of_the_paper(void **state)
{
	/* Jain and Chlamtac's own example, p = 0.5; their table ends with these heights. */
	static const double x[] = { 0.02,  0.15,  0.74,	 3.39,	0.83,  22.37, 10.15,
				    15.43, 38.62, 15.92, 34.60, 10.28, 1.47,  0.40,
				    0.05,  11.39, 0.27,	 0.42,	0.09,  11.37 };
	static const double heights[] = { 0.02, 0.49, 4.44, 17.20, 38.62 };
	struct pawl_bare_tail t;
	int exact = 0;
	(void)state;
	pawl_bare_tail_clear(&t, 500);
	for (size_t i = 0; i < 20; i++)
		pawl_bare_tail_add(&t, x[i]);
	for (size_t i = 0; i < 5; i++)
		assert_true(fabs(t.height[i] - heights[i]) < 0.005);
	/* Sorted by hand, the tenth of twenty is 1.47: what was kept beats the estimate. */
	assert_true(pawl_bare_tail_value(&t, &exact) == 1.47 && exact);
}

static void a_long_run_is_estimated_near_the_true_quantile(void **state)
{
	struct pawl_bare_tail t;
	int exact = 1;
	(void)state;
	pawl_bare_tail_clear(&t, 990);
	for (int i = 0; i < 100000; i++)
		pawl_bare_tail_add(&t, random_share());
	assert_true(fabs(pawl_bare_tail_value(&t, &exact) - 0.99) < 0.002);
	assert_false(exact);
	/* Falling values, the hard order for markers: true is 99000. */
	pawl_bare_tail_clear(&t, 990);
	for (int i = 100000; i > 0; i--)
		pawl_bare_tail_add(&t, i);
	assert_true(fabs(pawl_bare_tail_value(&t, &exact) - 99000) < 1500);
}

static void an_estimate_never_exceeds_what_it_cannot(void **state)
{
	struct pawl_bare_tail t;
	int exact = 1;
	(void)state;
	/* Always the same but for nine late interrupts: parabolas through them would rise. */
	pawl_bare_tail_clear(&t, 990);
	for (int i = 0; i < 2000; i++)
		pawl_bare_tail_add(&t, i >= 1990 && i != 1995 ? 5000 : 7);
	assert_true(pawl_bare_tail_value(&t, &exact) == 7 && !exact);
}

static void no_samples_have_no_quantile(void **state)
{
	struct pawl_bare_tail t;
	int exact = 0;
	(void)state;
	pawl_bare_tail_clear(&t, 990);
	assert_true(pawl_bare_tail_value(&t, &exact) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spread_is_that_of_two_passes),
		cmocka_unit_test(equal_samples_have_no_variance),
		cmocka_unit_test(negative_samples_have_a_largest_one),
		cmocka_unit_test(a_root_is_that_of_libm),
		cmocka_unit_test(p99_is_exact_up_to_1599_samples),
		cmocka_unit_test(markers_are_those_of_the_paper),
		cmocka_unit_test(a_long_run_is_estimated_near_the_true_quantile),
		cmocka_unit_test(an_estimate_never_exceeds_what_it_cannot),
		cmocka_unit_test(no_samples_have_no_quantile),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
