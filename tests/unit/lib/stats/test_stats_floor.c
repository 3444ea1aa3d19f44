#include <math.h>

#include "tests/unit/test_stats_near.h"
#include "tests/unit/coin_draws.h"

#include "lib/stats/verdict.h"

#include "lib/base/banned.h"

enum { PAIRS = 68, ROUNDS = 1000 };

static const double D = 0.01;

/* Pairs of +-1.5 % around a centre; some of them are far off, on both sides or on one. */
static double draw_spikes(struct coin *coin)
{
	bool is_far = coin_fraction(coin) < 0.15;

	return is_far ? 0.5 * (coin_fraction(coin) - 0.5) : 0;
}

static double draw_upwards(struct coin *coin)
{
	return 0.01 / (coin_fraction(coin) + 0.01) - 0.05;
}

static double draw_downwards(struct coin *coin)
{
	return -draw_upwards(coin);
}

/*
 * p and both ends of the interval take the ranks that suit the tails from where each of them looks,
 * so the interval's length alone says too little of p: it named floors of a quarter of what was not
 * called.
 */
static void what_is_not_called_lies_below_the_noise_floor(void **state)
{
	double (*const tails[])(struct coin *) = { draw_spikes, draw_upwards, draw_downwards };
	const struct judge_terms terms = { D, 9, 1 };
	double d[PAIRS];
	struct coin coin;
	size_t n_open = 0;

	(void)state;
	coin_init(&coin, 1);
	for (size_t i = 0; i < 3 * (size_t)ROUNDS; i++) {
		double centre = 0.005 + 0.04 * (double)(i / 3) / ROUNDS;
		struct judgement got = { .n = 0 };

		for (size_t k = 0; k < PAIRS; k++)
			d[k] = centre + 0.03 * (coin_fraction(&coin) - 0.5) + tails[i % 3](&coin);
		assert_int_equal(judge_pairs(d, PAIRS, &terms, &got, NULL), 0);
		if (got.call == CALL_REGRESSED || got.call == CALL_IMPROVED || got.sticks)
			continue;
		n_open += fabs(got.theta) > D;
		assert_at_most(fabs(got.theta), got.noise_floor);
	}
	assert_true(n_open > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_called_lies_below_the_noise_floor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
