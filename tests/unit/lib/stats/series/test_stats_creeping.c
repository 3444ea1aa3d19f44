#include "tests/unit/test_stats_near.h"
#include "tests/unit/coin_draws.h"

#include <stdlib.h>

#include "lib/stats/dist.h"
#include "lib/stats/series/creeping.h"

#include "lib/base/banned.h"

#define MOST 1000
#define LEAST 0.0295588022415444 /* ln(1.03) */

static double x[MOST];
static bool known[MOST];

static struct creeping look(size_t n)
{
	struct creeping c = { .found = true };

	assert_int_equal(creeping_find(x, known, n, LEAST, &c, NULL), 0);
	return c;
}

static void clear(void)
{
	size_t i;

	for (i = 0; i < MOST; i++) {
		x[i] = 0;
		known[i] = false;
	}
}

/* By hand: 12 blocks of 4, 0.008 each; eleven of them. */
static void line_is_found_with_its_rise(void **state)
{
	struct creeping c;
	size_t i;

	(void)state;
	clear();
	for (i = 0; i < 48; i++)
		x[i] = 0.002 * (double)i;
	c = look(48);
	assert_true(c.found);
	assert_int_equal(c.from, 0);
	assert_near(c.change, "0.088");
	assert_true(c.se < 1e-9);
	assert_false(look(47).found);
}

/* Of 0.0002 a point the newest 48 and 96 are too few: 192 rise by 11 blocks of 0.0032. */
static void longest_stretch_that_rises_is_told(void **state)
{
	struct creeping c;
	size_t i;

	(void)state;
	clear();
	for (i = 0; i < 200; i++)
		x[i] = 0.0002 * (double)i;
	c = look(200);
	assert_true(c.found);
	assert_int_equal(c.from, 8);
	assert_near(c.change, "0.0352");
}

static void what_falls_or_rises_too_little_is_none(void **state)
{
	size_t i;

	(void)state;
	clear();
	for (i = 0; i < 400; i++)
		x[i] = -0.002 * (double)i;
	assert_false(look(400).found);
	for (i = 0; i < 400; i++)
		x[i] = 0.00007 * (double)i;
	assert_false(look(400).found); /* 384 points by 0.0246 */
}

static void step_is_no_creep_wherever_it_is(void **state)
{
	size_t at, i;

	(void)state;
	for (at = 1; at < 384; at++) {
		clear();
		for (i = at; i < 384; i++)
			x[i] = 0.5;
		if (look(384).found)
			fail_msg("a step at %zu", at);
	}
}

/* Fifteen steps of 2 % each are a line from afar. */
static void stairs_that_are_known_are_none(void **state)
{
	size_t i;

	(void)state;
	clear();
	for (i = 0; i < 384; i++) {
		x[i] = 0.02 * (double)(i / 24) + 1e-4 * (double)(i * 7 % 5);
		known[i] = i && i % 24 == 0;
	}
	assert_false(look(384).found);
	for (i = 0; i < 384; i++)
		known[i] = false;
	assert_true(look(384).found);
}

/* By hand: 384 points in blocks of 32, of which those around the step do not count. */
static void what_lies_beside_a_known_step_is_found_without_it(void **state)
{
	struct creeping c;
	size_t i;

	(void)state;
	clear();
	known[190] = true; /* two before it is */
	for (i = 0; i < 384; i++)
		x[i] = 0.0002 * (double)i + (i < 192 ? 0 : 0.3);
	c = look(384);
	assert_true(c.found);
	assert_int_equal(c.from, 0);
	assert_near(c.change, "0.0704"); /* 11 blocks of 0.0064 */
}

static void what_is_no_number_is_refused(void **state)
{
	struct creeping c = { .from = 77 };
	struct err err = ERR_INIT;

	(void)state;
	clear();
	x[60] = NAN;
	assert_int_equal(creeping_find(x, NULL, 100, LEAST, &c, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	assert_int_equal(creeping_find(x, NULL, 50, 0, &c, &err), -1);
	assert_int_equal(creeping_find(x, NULL, 50, NAN, &c, &err), -1);
	assert_int_equal(c.from, 77);
	assert_int_equal(creeping_find(x, NULL, 0, LEAST, &c, &err), 0);
	assert_false(c.found);
}

/* ---- simulated histories ---------------------------------------------------------------- */

struct history {
	double alone, slow, r; /* standard deviations; of the slow part neighbours correlate by r */
	double step;	       /* at the 500th, and known a little beside it */
	double rise;	       /* a point, ... */
	size_t from, n_rise, most; /* ... so many; how many may be, or must be, found of 1,000 */
};

static double normal(struct coin *coin)
{
	return normal_quantile(coin_fraction(coin));
}

static void make(const struct history *h, struct coin *coin)
{
	double slow = h->slow * normal(coin);
	size_t i;

	clear();
	for (i = 0; i < MOST; i++) {
		slow = h->r * slow + sqrt(1 - h->r * h->r) * h->slow * normal(coin);
		x[i] = slow + h->alone * normal(coin) + (i < 500 ? 0 : h->step);
		if (i > h->from)
			x[i] += h->rise * fmin((double)(i - h->from), (double)h->n_rise);
	}
	known[497 + coin_bits(coin) % 7] = h->step > 0;
}

/* As points come: looked at each time that four are new. */
static bool is_found(void)
{
	size_t n;

	for (n = CREEPING_LEAST_POINTS; n <= MOST; n += 4)
		if (look(n).found)
			return true;
	return false;
}

static size_t n_found(const struct history *h, size_t n, uint64_t seed)
{
	struct coin coin;
	size_t i, found = 0;

	coin_init(&coin, seed);
	for (i = 0; i < n; i++) {
		make(h, &coin);
		found += is_found();
	}
	return found;
}

static size_t scale(void)
{
	return getenv("PAWL_TEST_SLOW") ? 2000 : 40;
}

/* At most 1 of 1,000. */
static void quiet_histories_are_none(void **state)
{
	static const struct history all[] = {
		{ .alone = 0.01 },
		{ .slow = 0.01, .r = 0.5 },
		{ .slow = 0.01, .r = 0.7 },
		{ .slow = 0.01, .r = 0.9 },
		{ .alone = 0.01, .slow = 0.005, .r = 0.9 },
		{ .alone = 0.03 },
		{ .alone = 0.01, .step = 0.05 },
		{ .slow = 0.01, .r = 0.7, .step = 0.05 },
		{ .alone = 0.01, .step = 0.2 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		size_t found = n_found(&all[i], scale(), 7 + i);

		print_message("# history %zu: %zu of %zu\n", i, found, scale());
		assert_true(found * 1000 <= scale());
	}
}

/* At least so many of 1,000. */
static void creeps_are_found(void **state)
{
	static const struct history all[] = {
		{ .alone = 0.01, .rise = 0.001, .from = 500, .n_rise = 100, .most = 900 },
		{ .alone = 0.01, .rise = 0.0002, .from = 500, .n_rise = 400, .most = 990 },
		{ .slow = 0.01, .r = 0.5, .rise = 0.0005, .from = 500, .n_rise = 200, .most = 900 },
		{ .alone = 0.003, .rise = 0.002, .from = 500, .n_rise = 50, .most = 980 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		size_t n = scale() / 4, found = n_found(&all[i], n, 77 + i);

		print_message("# creep %zu: %zu of %zu\n", i, found, n);
		assert_true(found * 1000 >= all[i].most * n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(line_is_found_with_its_rise),
		cmocka_unit_test(longest_stretch_that_rises_is_told),
		cmocka_unit_test(what_falls_or_rises_too_little_is_none),
		cmocka_unit_test(step_is_no_creep_wherever_it_is),
		cmocka_unit_test(stairs_that_are_known_are_none),
		cmocka_unit_test(what_lies_beside_a_known_step_is_found_without_it),
		cmocka_unit_test(what_is_no_number_is_refused),
		cmocka_unit_test(quiet_histories_are_none),
		cmocka_unit_test(creeps_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
