/*
 * Pairs that take a pool of layouts round and round, in noises that a machine has: how often the
 * interval holds the truth, and how often the same code has a small p.
 */
#include "tests/unit/lib/stats/simulation_fixture.h"

#include "lib/stats/verdict.h"

#include "lib/base/banned.h"

enum { POOL = 32, MOST = 200 };

struct cell {
	const char *name;
	double pair_sd;	   /* of what a pair has of its own */
	double far_share;  /* of pairs that lie far out, by 30 % */
	double layouts_sd; /* of what a layout adds */
	size_t pool, n;
};

/* A pair's own part, and for a few a state that changed between its runs. */
static double noise_of(struct coin *coin, const struct cell *cell)
{
	double far = coin_fraction(coin) < cell->far_share ? 0.3 : 0;

	return cell->pair_sd * normal_quantile(coin_fraction(coin)) +
	       (coin_toss(coin) ? far : -far);
}

static void draw(struct coin *coin, const struct cell *cell, double *d, double *key)
{
	double layouts[POOL];

	for (size_t i = 0; i < cell->pool; i++)
		layouts[i] = cell->layouts_sd * normal_quantile(coin_fraction(coin));
	for (size_t i = 0; i < cell->n; i++) {
		key[i] = (double)(i % cell->pool);
		d[i] = layouts[i % cell->pool] + noise_of(coin, cell);
	}
}

static void intervals_hold_over_layouts(void **state)
{
	static const struct cell cells[] = {
		{ "normal, layouts alike", 0.01, 0, 0, 32, 68 },
		{ "normal, layouts as far apart", 0.01, 0, 0.01, 32, 68 },
		{ "normal, layouts apart", 0.003, 0, 0.02, 32, 200 },
		{ "normal, few twice", 0.005, 0, 0.01, 32, 34 },
		{ "normal, ten layouts", 0.005, 0, 0.01, 10, 96 },
		{ "far out, layouts alike", 0.01, 0.2, 0, 32, 136 },
		{ "far out, layouts as far apart", 0.01, 0.2, 0.01, 32, 136 },
		{ "far out, layouts apart", 0.005, 0.15, 0.02, 32, 200 },
	};
	const struct judge_terms terms = { 0.01, 1, 1 };

	(void)state;
	for (size_t c = 0; c < sizeof(cells) / sizeof(cells[0]); c++) {
		double holds = 0, small = 0, halves = 0, of = 400 * scale(), d[MOST], key[MOST];
		struct judgement j;
		struct coin coin;

		coin_init(&coin, c);
		for (int i = 0; i < (int)of; i++) {
			draw(&coin, &cells[c], d, key);
			assert_int_equal(judge_clusters(d, key, cells[c].n, &terms, &j, NULL), 0);
			holds += j.low <= 0 && j.high >= 0;
			small += j.p <= 0.01;
			halves += 100 * j.half / of;
		}
		print_message("# %s: +-%.2f %%\n", cells[c].name, halves);
		count_is("  the 98 % interval holds 0", holds, of, 0.965, 1);
		count_is("  p of at most 1 %", small, of, 0, 0.0165);
	}
}

/* As many pairs as a benchmark may have: taken for independent they are far too sure. */
static void without_their_layouts_pairs_are_too_sure(void **state)
{
	static const struct cell cell = { "apart", 0.003, 0, 0.01, 32, 200 };
	const struct judge_terms terms = { 0.01, 1, 1 };
	double small = 0, of = 400, d[MOST], key[MOST];
	struct judgement j;
	struct coin coin;

	(void)state;
	coin_init(&coin, 7);
	for (int i = 0; i < (int)of; i++) {
		draw(&coin, &cell, d, key);
		assert_int_equal(judge_pairs(d, cell.n, &terms, &j, NULL), 0);
		small += j.p <= 0.01;
	}
	count_is("p of at most 1 %", small, of, 0.2, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_hold_over_layouts),
		cmocka_unit_test(without_their_layouts_pairs_are_too_sure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
