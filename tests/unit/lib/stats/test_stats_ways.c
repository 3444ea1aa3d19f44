/*
 * What lib/stats/ways.c and the ranks of lib/stats/signedrank.c make in few steps, beside the plain
 * way: one coin after the other, ranks by sorting.  Not a bit may differ.
 */
#include "tests/unit/test_stats_near.h"
#include "tests/unit/coin_draws.h"

#include "lib/stats/signedrank.h"
#include "lib/stats/ways.h"

#include "lib/base/banned.h"

/* In doubles: all sums up to most. */
static double *one_coin_after_the_other(const size_t *weight, size_t n, size_t most)
{
	double *ways = calloc(most + 1, sizeof(*ways));

	assert_non_null(ways);
	ways[0] = 1;
	for (size_t i = 0; i < n; i++)
		for (size_t s = most + 1; s-- > weight[i];)
			ways[s] += ways[s - weight[i]];
	return ways;
}

static void assert_ways(const size_t *weight, size_t n, size_t most)
{
	double *plain = one_coin_after_the_other(weight, n, most);
	double *ways = malloc((most + 1) * sizeof(*ways));

	assert_non_null(ways);
	ways_fill(weight, n, ways, most);
	assert_memory_equal(ways, plain, (most + 1) * sizeof(*ways));
	free(plain);
	free(ways);
}

static void nothing_is_one_way_to_nothing(void **state)
{
	double ways = 0;

	(void)state;
	ways_fill(NULL, 0, &ways, 0);
	assert_same(ways, 1);
}

/* 1 2 2 3: by hand, up to half of 8. */
static void few_weights_are_counted_by_hand(void **state)
{
	static const size_t weight[] = { 1, 2, 2, 3 };
	double ways[5];

	(void)state;
	ways_fill(weight, 4, ways, 4);
	assert_same(ways[0], 1);
	assert_same(ways[1], 1); /* 1 */
	assert_same(ways[2], 2); /* 2, 2 */
	assert_same(ways[3], 3); /* 1 2, 1 2, 3 */
	assert_same(ways[4], 2); /* 2 2, 1 3 */
}

/* Weights that grow at random: equal, next to each other, and far apart; all limits from 0 on. */
static void ways_are_those_of_one_coin_after_the_other(void **state)
{
	size_t weight[130];
	struct coin coin;

	(void)state;
	coin_init(&coin, 17);
	for (size_t round = 0; round < 500; round++) {
		size_t n = 1 + coin_bits(&coin) % (round % 10 ? 20 : 130), all = 0, last = 1;

		for (size_t i = 0; i < n; i++) {
			last += coin_bits(&coin) % (1 + round % 7);
			weight[i] = last;
			all += last;
		}
		assert_ways(weight, n, all / 2);
		assert_ways(weight, n, coin_bits(&coin) % (all / 2 + 1));
	}
}

/* From so many weights on in halves: any limit, and weights of which one is as large as the rest.
 */
static void a_tail_is_the_sum_of_the_ways(void **state)
{
	size_t weight[400];
	struct coin coin;
	struct err err = ERR_INIT;

	(void)state;
	coin_init(&coin, 23);
	for (size_t round = 0; round < 40; round++) {
		size_t n = round < 8 ? round + 1 : 250 + coin_bits(&coin) % 150, all = 0, last = 1,
		       most;
		double *plain, sum = 0, tail = -1;

		for (size_t i = 0; i < n; i++) {
			last += i + 1 == n && round % 5 == 0 ? all
							     : coin_bits(&coin) % (1 + round % 7);
			weight[i] = last;
			all += last;
		}
		most = round % 3 ? coin_bits(&coin) % (all / 2 + 1) : all / 2;
		plain = one_coin_after_the_other(weight, n, most);
		for (size_t s = 0; s <= most; s++)
			sum += ldexp(plain[s], -(int)n);
		assert_int_equal(ways_tail(weight, n, most, &tail, &err), 0);
		assert_true(fabs(tail - sum) <= 1e-12 * sum);
		free(plain);
	}
}

struct plain {
	double p, statistic;
};

/* The definition: every size has the mean of its ranks, and a coin unless it is 0. */
static struct plain rank_plainly(const double *d, size_t n)
{
	size_t twice[400], n_twice = 0, positive = 0, negative = 0, zero = 0, least;
	struct plain out = { 0, 0 };
	double *ways;

	for (double size = 0; n_twice < n;) {
		size_t below = 0, equal = 0;
		double next = HUGE_VAL;

		for (size_t i = 0; i < n; i++) {
			below += fabs(d[i]) < size;
			equal += fabs(d[i]) == size;
			if (fabs(d[i]) > size && fabs(d[i]) < next)
				next = fabs(d[i]);
		}
		for (size_t i = 0; i < n; i++)
			if (fabs(d[i]) == size)
				*(d[i] > 0   ? &positive
				  : d[i] < 0 ? &negative
					     : &zero) += 2 * below + equal + 1;
		for (size_t i = 0; i < equal; i++)
			twice[n_twice++] = size > 0 ? 2 * below + equal + 1 : 0;
		size = next;
	}
	least = positive < negative ? positive : negative;
	for (n_twice = 0; n_twice < n && !twice[n_twice];)
		n_twice++;
	ways = one_coin_after_the_other(twice + n_twice, n - n_twice, least);
	for (size_t s = 0; s <= least; s++)
		out.p += ldexp(ways[s], (int)n_twice - (int)n);
	free(ways);
	out.p = fmin(1, 2 * out.p);
	out.statistic = 0.5 * (double)positive + 0.25 * (double)zero;
	return out;
}

/* Values of a coarse clock: with zeros, ties of either sign, all of one sign, and none tied. */
static double coarse(struct coin *coin, unsigned round)
{
	static const double steps[] = { 1, 3, 8, 40, 1e6 };
	double x = coin_fraction(coin) - 0.5 + 0.2 * (round % 6);

	return floor(steps[round % 5] * x) / 64;
}

static void ranks_are_those_of_the_definition(void **state)
{
	struct coin coin;
	double d[400];

	(void)state;
	coin_init(&coin, 23);
	for (unsigned round = 0; round < 1500; round++) {
		size_t n = 1 + coin_bits(&coin) % (round % 100 ? 50 : 400);
		struct signed_rank got;
		struct plain plain;

		for (size_t i = 0; i < n; i++)
			d[i] = coarse(&coin, round);
		plain = rank_plainly(d, n);
		assert_int_equal(signed_rank(d, n, 0.95, &got, NULL), 0);
		assert_same(got.p, plain.p);
		assert_same(got.statistic, plain.statistic);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_one_way_to_nothing),
		cmocka_unit_test(few_weights_are_counted_by_hand),
		cmocka_unit_test(ways_are_those_of_one_coin_after_the_other),
		cmocka_unit_test(a_tail_is_the_sum_of_the_ways),
		cmocka_unit_test(ranks_are_those_of_the_definition),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
