#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/base/root.h"
#include "harness/engine/spread.h"
#include "harness/engine/student.h"
#include "lib/stats/dist.h"

#include "lib/base/banned.h"

static struct spread s;

static bool near(double a, double b)
{
	double d = a - b;
	return d < 1e-12 * b && d > -1e-12 * b;
}

static void fill(const double *x, size_t n)
{
	pawl_spread_clear(&s);
	for (size_t i = 0; i < n; i++)
		assert_true(pawl_spread_add(&s, x[i]));
}

static void figures_of_a_known_sample(void **state)
{
	/* By hand: sum 40, squared deviations 9+1+1+1+0+0+4+16 = 32, sd = sqrt(32/7). */
	static const double x[] = { 9, 2, 4, 7, 4, 5, 4, 5 };
	struct spread_figures f;
	(void)state;
	fill(x, 8);
	pawl_spread_figures(&s, &f);
	assert_int_equal(f.n, 8);
	assert_true(f.mean == 5 && f.min == 2 && f.median == 4.5 && f.p99 == 9 && f.max == 9);
	assert_true(near(f.sd, 2.1380899352993952));
}

static void the_median_of_an_odd_number_is_the_middle_one(void **state)
{
	static const double x[] = { 3, 100, 1 };
	struct spread_figures f;
	(void)state;
	fill(x, 3);
	pawl_spread_figures(&s, &f);
	assert_true(f.median == 3);
}

static void p99_is_exceeded_by_no_more_than_one_in_a_hundred(void **state)
{
	struct spread_figures f;
	(void)state;
	pawl_spread_clear(&s);
	for (int i = 200; i > 0; i--)
		assert_true(pawl_spread_add(&s, i));
	pawl_spread_figures(&s, &f);
	assert_true(f.p99 == 198);
}

static void one_value_has_no_deviation_and_none_has_nothing(void **state)
{
	static const double x[] = { 3 };
	struct spread_figures f;
	(void)state;
	fill(x, 1);
	pawl_spread_figures(&s, &f);
	assert_true(f.mean == 3 && f.p99 == 3 && f.max == 3 && f.sd != f.sd);
	assert_true(f.low != f.low && f.high != f.high);
	pawl_spread_clear(&s);
	pawl_spread_figures(&s, &f);
	assert_int_equal(f.n, 0);
	assert_true(f.mean != f.mean && f.min != f.min && f.median != f.median);
	assert_true(f.p99 != f.p99);
}

static void a_large_offset_does_not_swallow_the_deviation(void **state)
{
	static const double x[] = { 1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16 };
	struct spread_figures f;
	(void)state;
	fill(x, 4);
	pawl_spread_figures(&s, &f);
	/* variance of 4, 7, 13, 16 is 30 */
	assert_true(near(f.sd, 5.477225575051661));
}

static void a_full_memory_refuses_and_halving_makes_room(void **state)
{
	(void)state;
	pawl_spread_clear(&s);
	for (int i = 0; i < SPREAD_CAPACITY; i++)
		assert_true(pawl_spread_add(&s, i % 2 ? 3 : 1));
	assert_false(pawl_spread_add(&s, 1));
	assert_int_equal(s.n, SPREAD_CAPACITY);
	pawl_spread_halve(&s);
	assert_int_equal(s.n, SPREAD_CAPACITY / 2);
	assert_true(s.mean == 2 && s.m2 == 0);
	assert_true(pawl_spread_add(&s, 2));
}

static void roots_are_right_over_the_whole_range(void **state)
{
	(void)state;
	assert_true(near(pawl_root(2), 1.4142135623730951));
	assert_true(pawl_root(4) == 2);
	assert_true(near(pawl_root(1e-300), 1e-150));
	assert_true(near(pawl_root(1e300), 1e150));
	assert_true(near(pawl_root(0.25), 0.5));
	assert_true(pawl_root(0) == 0 && pawl_root(-1) == 0);
}

static void the_interval_of_the_mean_is_students(void **state)
{
	/* 5 -+ 2.364624251592785 * sqrt(32/7) / sqrt(8): t of 7 degrees, see below. */
	static const double x[] = { 9, 2, 4, 7, 4, 5, 4, 5 };
	static const double two[] = { 1, 3 };
	struct spread_figures f;
	(void)state;
	fill(x, 8);
	pawl_spread_figures(&s, &f);
	assert_true(near(f.low, 3.2125120817637898));
	assert_true(near(f.high, 6.78748791823621));
	/* Two values a distance of 2 apart: 2 +- 12.706... times sqrt(2) / sqrt(2). */
	fill(two, 2);
	pawl_spread_figures(&s, &f);
	assert_true(near(f.high, 14.706204736175));
}

static void students_quantiles_are_right(void **state)
{
	/* Bisection on the closed form of A&S 26.7.3 and 26.7.4, in Python; tables round them. */
	static const struct {
		uint64_t df;
		double t;
	} known[] = { { 1, 12.706204736174698 },   { 2, 4.302652729749464 },
		      { 5, 2.5705818356363146 },   { 10, 2.2281388519862744 },
		      { 30, 2.042272456301238 },   { 100, 1.9839715185235518 },
		      { 1000, 1.9623390808264078 } };
	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		double off = pawl_student_95(known[i].df) / known[i].t - 1;
		assert_true(off < 2e-6 && off > -2e-6);
	}
	/* ... and against the other implementation, over the seam of table and expansion. */
	for (uint64_t df = 1; df < 5000; df += df < 40 ? 1 : 97) {
		double off = pawl_student_95(df) / student_quantile(0.975, (double)df) - 1;
		assert_true(off < 2e-6 && off > -2e-6);
	}
	assert_true(pawl_student_95(0) != pawl_student_95(0));
	assert_true(pawl_student_half(1, 3) != pawl_student_half(1, 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_of_a_known_sample),
		cmocka_unit_test(the_median_of_an_odd_number_is_the_middle_one),
		cmocka_unit_test(p99_is_exceeded_by_no_more_than_one_in_a_hundred),
		cmocka_unit_test(one_value_has_no_deviation_and_none_has_nothing),
		cmocka_unit_test(a_large_offset_does_not_swallow_the_deviation),
		cmocka_unit_test(a_full_memory_refuses_and_halving_makes_room),
		cmocka_unit_test(the_interval_of_the_mean_is_students),
		cmocka_unit_test(students_quantiles_are_right),
		cmocka_unit_test(roots_are_right_over_the_whole_range),
	};
	return cmocka_run_group_tests_name("harness/spread", tests, NULL, NULL);
}
