/*
 * What lib/stats/inversion.c takes from the transform, beside the sums counted one by one
 * (lib/stats/ways.c), and what it refuses to.
 */
#include "tests/unit/test_stats_near.h"
#include "tests/unit/coin_draws.h"

#include "lib/stats/inversion.h"
#include "lib/stats/ways.h"

#include "lib/base/banned.h"

static double counted(const size_t *weight, size_t n, size_t most)
{
	double *ways = malloc((most + 1) * sizeof(*ways)), sum = 0;

	assert_non_null(ways);
	ways_fill(weight, n, ways, most);
	for (size_t s = 0; s <= most; s++)
		sum += ldexp(ways[s], -(int)n);
	free(ways);
	return sum;
}

/* Twice the midranks of n values, of which up to `equal` are alike; returns their sum. */
static size_t fill_tied(struct coin *coin, size_t *weight, size_t n, size_t equal)
{
	for (size_t i = 0; i < n;) {
		size_t alike = 1 + coin_bits(coin) % equal;

		alike = alike < n - i ? alike : n - i;
		for (size_t k = 0; k < alike; k++)
			weight[i + k] = 2 * i + alike + 1;
		i += alike;
	}
	return n * (n + 1);
}

/* From the middle to 21 standard deviations below it, where 10^-110 are left. */
static void a_tail_is_the_one_that_is_counted(void **state)
{
	static const size_t equal[] = { 1, 2, 5, 20 };
	size_t weight[1000];
	struct coin coin;

	(void)state;
	coin_init(&coin, 41);
	for (size_t round = 0; round < 16; round++) {
		size_t n = round < 12 ? 450 + round : 1000;
		size_t all = fill_tied(&coin, weight, n, equal[round % 4]);
		double sigma = sqrt((double)n * ((double)n + 1) * (2 * (double)n + 1) / 6);
		size_t most = all / 2 - (size_t)((round < 12 ? 0.4 : 1.4) * (double)round * sigma);
		double tail = -1, plain = counted(weight, n, most);

		assert_true(inversion_tail(weight, n, most, &tail));
		assert_true(fabs(tail - plain) <= 1e-12 * plain);
	}
}

/* Whatever their sizes: what is shown is right. */
static void weights_of_any_kind_are_counted_or_refused(void **state)
{
	size_t weight[500], n_shown = 0;
	struct coin coin;

	(void)state;
	coin_init(&coin, 43);
	for (size_t round = 0; round < 60; round++) {
		size_t n = 350 + coin_bits(&coin) % 150, all = 0, last = 1, most;
		size_t step = 1 + round % 6, same = 1 + coin_bits(&coin) % 90;
		double tail = -1;

		for (size_t i = 0; i < n; i++) {
			last += i % same ? 0 : coin_bits(&coin) % (2 * step);
			weight[i] = last;
			all += last;
		}
		most = all / 2 - coin_bits(&coin) % (all / (2 + round % 9));
		if (inversion_tail(weight, n, most, &tail)) {
			double plain = counted(weight, n, most);

			assert_true(fabs(tail - plain) <= 1e-12 * plain);
			n_shown++;
		} else {
			assert_same(tail, -1);
		}
	}
	assert_in_range(n_shown, 5, 55);
}

/* All even, or all equal: on a grid, but on one grid. */
static void common_factors_are_taken_out(void **state)
{
	size_t weight[500];
	double tail = -1;

	(void)state;
	for (size_t i = 0; i < 500; i++)
		weight[i] = 2 * i + 2;
	assert_true(inversion_tail(weight, 500, 120001, &tail));
	assert_true(fabs(tail - counted(weight, 500, 120001)) <= 1e-12 * tail);
	for (size_t i = 0; i < 500; i++)
		weight[i] = 501;
	assert_true(inversion_tail(weight, 500, 230 * 501 + 500, &tail));
	assert_near(tail, "0.0405"); /* R: pbinom(230, 500, 0.5) */
}

/* Sums that are almost on a grid: there the transform rises again. */
static void what_the_transform_does_not_show_is_refused(void **state)
{
	size_t weight[500];
	double tail = -1;

	(void)state;
	for (size_t i = 0; i < 500; i++)
		weight[i] = i < 250 ? 1 : 1000;
	assert_false(inversion_tail(weight, 500, 125000, &tail));
	for (size_t i = 0; i < 500; i++)
		weight[i] = i + 1;
	assert_true(inversion_tail(weight, 500, 62625, &tail));
	tail = -1;
	assert_false(inversion_tail(weight, 100, 2525, &tail)); /* too few: it never falls enough */
	assert_false(inversion_tail(weight, 500, 0, &tail)); /* too far off: none is still a coin */
	assert_false(inversion_tail(weight, 0, 0, &tail));
	assert_same(tail, -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tail_is_the_one_that_is_counted),
		cmocka_unit_test(weights_of_any_kind_are_counted_or_refused),
		cmocka_unit_test(common_factors_are_taken_out),
		cmocka_unit_test(what_the_transform_does_not_show_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
