#include "tests/unit/test_stats_near.h"
#include "tests/unit/coin_draws.h"

#include "lib/base/banned.h"

static void seed_1_gives_the_published_tosses(void **state)
{
	static const int bit[20] = { 0, 1, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 1, 0 };
	struct coin coin;

	(void)state;
	coin_init(&coin, 1);
	for (int i = 0; i < 20; i++)
		assert_int_equal(coin_toss(&coin), bit[i]);
}

/* (s >> 33) % 10 of the first twenty states from seed 42. */
static void seed_42_gives_the_published_indices(void **state)
{
	static const unsigned index[20] = { 4, 6, 8, 3, 4, 6, 9, 0, 6, 5,
					    4, 0, 2, 4, 8, 9, 0, 9, 9, 4 };
	struct coin coin;

	(void)state;
	coin_init(&coin, 42);
	for (int i = 0; i < 20; i++)
		assert_int_equal(coin_bits(&coin) % 10, index[i]);
}

static void same_seed_gives_the_same_order(void **state)
{
	size_t a[50], b[50];
	struct coin one, other;

	(void)state;
	for (size_t i = 0; i < 50; i++)
		a[i] = b[i] = i;
	coin_init(&one, 0);
	coin_init(&other, 0);
	coin_shuffle(&one, a, 50);
	coin_shuffle(&other, b, 50);
	assert_memory_equal(a, b, sizeof(a));
	coin_shuffle(&other, b, 50);
	assert_memory_not_equal(a, b, sizeof(a));
}

static void shuffling_keeps_every_number_once(void **state)
{
	size_t order[100];
	bool seen[100] = { false };
	struct coin coin;

	(void)state;
	for (size_t i = 0; i < 100; i++)
		order[i] = i;
	coin_init(&coin, 9);
	coin_shuffle(&coin, order, 100);
	for (size_t i = 0; i < 100; i++) {
		assert_in_range(order[i], 0, 99);
		assert_false(seen[order[i]]);
		seen[order[i]] = true;
	}
	coin_shuffle(&coin, order, 0);
	coin_shuffle(&coin, order, 1);
}

/*
 * Of 1,000 seeds: how many of the first 40 numbers begin with the toss that the one k before began
 * with: half of 40,000 - 1,000 k, give or take five times a coin's own deviation.
 */
static void neighbouring_numbers_begin_apart(void **state)
{
	(void)state;
	for (int k = 1; k <= 12; k++) {
		double alike = 0, pairs = 1000.0 * (40 - k);

		for (uint64_t seed = 0; seed < 1000; seed++) {
			bool first[40];

			for (uint64_t i = 0; i < 40; i++) {
				struct coin coin;

				coin_init_at(&coin, seed, i);
				first[i] = coin_toss(&coin);
				alike += i >= (uint64_t)k && first[i] == first[i - (uint64_t)k];
			}
		}
		assert_at_most(fabs(alike - pairs / 2), 5 * sqrt(pairs) / 2);
	}
}

/* The second draw tells nothing of the first one. */
static void a_number_is_repeatable_and_its_draws_are_apart(void **state)
{
	struct coin a, b;
	double alike = 0;

	(void)state;
	for (uint64_t i = 0; i < 10000; i++) {
		coin_init_at(&a, 7, i);
		coin_init_at(&b, 7, i);
		assert_int_equal(a.state, b.state);
		alike += coin_toss(&a) == (coin_below(&a, 256) >= 128);
	}
	assert_at_most(fabs(alike - 5000), 5 * 50);
}

/* 24 orders of 4, 24000 shuffles: chi-square with 23 df is below 49.7 with P = .999. */
static void every_order_is_equally_likely(void **state)
{
	unsigned count[256] = { 0 };
	double chi = 0;
	unsigned seen = 0;
	struct coin coin;

	(void)state;
	coin_init(&coin, 20261120);
	for (int round = 0; round < 24000; round++) {
		size_t o[4] = { 0, 1, 2, 3 };

		coin_shuffle(&coin, o, 4);
		count[o[0] | o[1] << 2 | o[2] << 4 | o[3] << 6]++;
	}
	for (int i = 0; i < 256; i++) {
		seen += count[i] > 0;
		if (count[i])
			chi += (count[i] - 1000.0) * (count[i] - 1000.0) / 1000.0;
	}
	assert_int_equal(seen, 24);
	assert_at_most(chi, 49.7);
}

static void tosses_are_fair_and_do_not_follow_each_other(void **state)
{
	unsigned heads = 0, repeats = 0;
	struct coin coin;
	bool last;

	(void)state;
	coin_init(&coin, 7);
	last = coin_toss(&coin);
	for (int i = 0; i < 100000; i++) {
		bool toss = coin_toss(&coin);

		heads += toss;
		repeats += toss == last;
		last = toss;
	}
	/* four standard deviations of 158 */
	assert_in_range(heads, 50000 - 632, 50000 + 632);
	assert_in_range(repeats, 50000 - 632, 50000 + 632);
}

static void numbers_stay_below_their_bound(void **state)
{
	struct coin coin;

	(void)state;
	coin_init(&coin, UINT64_MAX);
	for (int i = 0; i < 1000; i++) {
		double f = coin_fraction(&coin);

		assert_int_equal(coin_below(&coin, 1), 0);
		assert_in_range(coin_below(&coin, 3), 0, 2);
		assert_in_range(coin_below(&coin, UINT32_MAX), 0, UINT32_MAX - 1);
		assert_true(f > 0 && f < 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seed_1_gives_the_published_tosses),
		cmocka_unit_test(seed_42_gives_the_published_indices),
		cmocka_unit_test(same_seed_gives_the_same_order),
		cmocka_unit_test(shuffling_keeps_every_number_once),
		cmocka_unit_test(neighbouring_numbers_begin_apart),
		cmocka_unit_test(a_number_is_repeatable_and_its_draws_are_apart),
		cmocka_unit_test(every_order_is_equally_likely),
		cmocka_unit_test(tosses_are_fair_and_do_not_follow_each_other),
		cmocka_unit_test(numbers_stay_below_their_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
