/*
 * The change that 'pawl calibrate' says is found nine times in ten: comparisons of a program with
 * itself say how large it is, and the collector's own schedule then finds it as often.  Seeded.
 */
#include "tests/unit/collector/schedule/simulated_pairs.h"

#include "lib/base/banned.h"

enum { CALIBRATIONS = 11, COMPARISONS = 400 };

struct made_up {
	struct noisy machine;
	double effect;
};

static int take_pair(void *ctx, const struct unit *u, struct pair *p, struct err *err)
{
	struct made_up *m = ctx;

	(void)u;
	(void)err;
	simulate_pair(p, SIMULATED_NS, pair_of(&m->machine, !p->order) + m->effect);
	return 0;
}

/* One comparison: how it was judged. */
static struct judgement compare_once(const struct noise *noise, double effect, uint64_t seed)
{
	const struct bench_config config = { .threshold = 0.01 };
	const struct schedule s = { .runs_min = POINTS_FEWEST,
				    .runs_max = POINTS_MOST,
				    .seed = seed };
	struct made_up m = { .effect = effect };
	const struct runner runner = { simulate_calibration, take_pair, &m };
	struct unit u = {
		.config = &config, .format = FORMAT_PAWL, .has_base = true, .needs_base = true
	};
	struct judgement j;

	machine_init(&m.machine, noise, seed);
	assert_int_equal(str_set(&u.name, "x", NULL), 0);
	assert_int_equal(schedule_run(&u, 1, &s, &runner, NULL), 0);
	judge_simulated(&u, 1, &j);
	unit_release(&u);
	return j;
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* By the median half of an interval of all pairs, as calibrations keep it. */
static double surely_found(const struct noise *noise)
{
	double halves[CALIBRATIONS];
	struct judgement j = { .n = 0 };

	for (size_t i = 0; i < CALIBRATIONS; i++) {
		j = compare_once(noise, 0, 1000 + i);
		halves[i] = j.half * sqrt((double)j.n / POINTS_MOST);
	}
	qsort(halves, CALIBRATIONS, sizeof(*halves), by_value);
	return judge_surely_found(&j.terms, halves[CALIBRATIONS / 2], 0);
}

static void nine_times_in_ten_it_is_found(void **state)
{
	static const struct noise noises[] = {
		{ "pairs of 0.7 %", 0, 0, 0, 0.005, false, 0, 0, 0, 0 },
		{ "pairs of 3 %", 0, 0, 0, 0.0212, false, 0, 0, 0, 0 },
		{ "pairs of 10 %", 0, 0, 0, 0.0707, false, 0, 0, 0, 0 },
		{ "heavy tails", 0.001, 0.0001, 0.0005, 0.021, true, 0, 0, 0, 0 },
		{ "shared machine", 0.003, 0.0008, 0.002, 0.009, false, 0.06, 0.03, 0, 0 },
	};

	(void)state;
	for (size_t k = 0; k < sizeof(noises) / sizeof(noises[0]); k++) {
		double effect = surely_found(&noises[k]), found = 0;

		for (size_t i = 0; i < COMPARISONS; i++)
			found += compare_once(&noises[k], effect, i).call == CALL_REGRESSED;
		printf("# %s: %.2f %%\n", noises[k].name, 100 * expm1(effect));
		count_is("found", found, COMPARISONS, 0.86, 1);
	}
}

/* By hand: the threshold and 1.2816 errors; 3.4532 and 1.2816 of them where noise is all. */
static void it_is_more_than_the_threshold(void **state)
{
	const struct judge_terms quiet = { 0.01, 1, 1 }, all = { 0, 9, 1 };

	(void)state;
	assert_near(judge_surely_found(&quiet, 0, 0), "0.01");
	assert_near(judge_surely_found(&quiet, 0, 0.03), "0.03");
	/* half 0.0023263: one error is 0.001 */
	assert_true(fabs(judge_surely_found(&quiet, 0.002326347874, 0) - 0.011281551566) < 1e-9);
	assert_true(fabs(judge_surely_found(&all, 2.326347874, 0) - (3.4525 + 1.2816)) < 1e-3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nine_times_in_ten_it_is_found),
		cmocka_unit_test(it_is_more_than_the_threshold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
