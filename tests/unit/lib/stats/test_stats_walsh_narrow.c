/* Averages of near values alone, and when tails are heavy, for which they are. */
#include "tests/unit/test_stats_near.h"

#include "lib/stats/walsh.h"

#include "lib/base/banned.h"

/* The sum of the ranks of |d - centre| of those above it, ranks above reach as reach. */
static size_t sum_above(const double *d, size_t n, size_t reach, double centre)
{
	size_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		size_t rank = 0;

		for (size_t k = 0; k < n; k++)
			rank += fabs(d[k] - centre) <= fabs(d[i] - centre);
		sum += d[i] > centre ? (rank < reach ? rank : reach) : 0;
	}
	return sum;
}

/* Which is why their order statistics are the interval, and their median the estimate. */
static void as_many_averages_lie_above_a_centre_as_the_ranks_there_add_up_to(void **state)
{
	double d[29];

	(void)state;
	for (size_t n = 1; n <= 29; n++) {
		struct walsh walsh = WALSH_INIT;

		for (size_t i = 0; i < n; i++)
			d[i] = sin((double)(i * i + n)) / (1.01 + sin((double)(7 * i)));
		assert_int_equal(walsh_build(d, n, &walsh, NULL), 0);
		for (int narrow = 0; narrow < 2; narrow++) {
			for (int at = -20; at <= 20; at++) {
				size_t above = 0;

				for (size_t k = 0; k < walsh.n_sums; k++)
					above += walsh_nth(&walsh, k) > 0.0517 * at;
				assert_int_equal(above, sum_above(d, n, walsh.reach, 0.0517 * at));
			}
			assert_int_equal(walsh_narrow(&walsh, NULL), 0);
		}
		walsh_release(&walsh);
	}
}

/* By counting all subsets of 1 2 3 4 4 ... 4, as of 13 values. */
static void narrowed_ranks_have_their_own_distribution(void **state)
{
	double tail[24], counted[24] = { 0 };

	(void)state;
	walsh_null(13, 4, tail);
	for (unsigned heads = 0; heads < 1u << 13; heads++) {
		size_t sum = 0;

		for (unsigned i = 0; i < 13; i++)
			sum += heads >> i & 1 ? (i < 4 ? i + 1 : 4) : 0;
		if (sum < 24)
			counted[sum] += ldexp(1, -13);
	}
	for (size_t t = 0; t <= 23; t++) { /* of 46 */
		counted[t] += t ? counted[t - 1] : 0;
		assert_same(tail[t], counted[t]);
	}
}

/* Of twelve values two are a tenth or more; of the median's own distance there are six. */
static void tails_are_heavy_where_a_tenth_lies_far_out(void **state)
{
	static const double far[] = { -9, 9, 1.2 };
	double d[12];

	(void)state;
	for (int n_far = 0; n_far < 3; n_far++) {
		for (size_t n = 11; n <= 12; n++) {
			struct walsh walsh = WALSH_INIT;

			for (size_t i = 0; i < n; i++)
				d[i] = (double)i / 11 - 0.5;
			for (int i = 0; i < n_far; i++)
				d[4 * i] = far[i];
			assert_int_equal(walsh_build(d, n, &walsh, NULL), 0);
			assert_true(walsh_is_heavy(&walsh, 0) == (n_far == 2 && n == 12));
			walsh_release(&walsh);
		}
	}
}

/* Twelve around 1: seen from 0, four MADs away, the two far ones are not far. */
static void what_is_far_depends_on_where_it_is_seen_from(void **state)
{
	static const double d[12] = {
		0.8, 0.85, 0.9, 0.95, 0.97, 1, 1.03, 1.05, 1.1, 1.15, 2, 0.1
	};
	struct walsh walsh = WALSH_INIT;

	(void)state;
	assert_int_equal(walsh_build(d, 12, &walsh, NULL), 0);
	assert_true(walsh_is_heavy(&walsh, 1));
	assert_false(walsh_is_heavy(&walsh, 0));
	assert_false(walsh_is_heavy(&walsh, -HUGE_VAL));
	assert_false(walsh_is_heavy(&walsh, (double)NAN));
	walsh_release(&walsh);
}

/* On which side each lies is nothing that the choice may see: all 4,096 orders of signs. */
static void seen_from_zero_signs_say_nothing(void **state)
{
	static const double size[12] = { 0.1, 0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.9, 1, 4, 5 };

	(void)state;
	for (unsigned signs = 0; signs < 4096; signs++) {
		struct walsh walsh = WALSH_INIT;
		double d[12];

		for (int i = 0; i < 12; i++)
			d[i] = signs >> i & 1 ? size[i] : -size[i];
		assert_int_equal(walsh_build(d, 12, &walsh, NULL), 0);
		assert_true(walsh_is_heavy(&walsh, 0));
		walsh_release(&walsh);
	}
}

/* Half of them or more are equal: nothing to scale a distance by. */
static void tails_of_a_coarse_clock_are_not_heavy(void **state)
{
	static const double d[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, -1, 5, -5 };
	struct walsh walsh = WALSH_INIT;

	(void)state;
	assert_int_equal(walsh_build(d, 12, &walsh, NULL), 0);
	assert_false(walsh_is_heavy(&walsh, 0));
	walsh_release(&walsh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_many_averages_lie_above_a_centre_as_the_ranks_there_add_up_to),
		cmocka_unit_test(narrowed_ranks_have_their_own_distribution),
		cmocka_unit_test(tails_are_heavy_where_a_tenth_lies_far_out),
		cmocka_unit_test(what_is_far_depends_on_where_it_is_seen_from),
		cmocka_unit_test(seen_from_zero_signs_say_nothing),
		cmocka_unit_test(tails_of_a_coarse_clock_are_not_heavy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
