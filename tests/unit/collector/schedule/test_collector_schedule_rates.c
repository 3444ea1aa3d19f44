/*
 * What the one rule promises: the collector's own schedule on simulated machines, what it measured
 * judged together as the report does it.  Seeded, no clock: a bound that holds once holds always.
 *
 * PAWL_TEST_SLOW in the environment makes 100 times as many comparisons, and prints the table of
 * docs/decisions/0020-one-rule.md.
 */
#include "tests/unit/collector/schedule/simulated_pairs.h"

#include "lib/base/banned.h"

enum { SUITE_MOST = 1000 };

#define NORMAL(name, pair_sd) \
	{ \
		name, 0, 0, 0, (pair_sd) / 1.4142135623730951, false, 0, 0, 0, 0 \
	}

static const struct noise noises[] = {
	NORMAL("pairs of 0.3 %", 0.003),
	NORMAL("pairs of 0.7 %", 0.007),
	NORMAL("pairs of 3 %", 0.03),
	NORMAL("pairs of 6 %", 0.06),
	NORMAL("pairs of 20 %", 0.20),
	{ "heavy tails", 0.001, 0.0001, 0.0005, 0.021, true, 0, 0, 0, 0 },
	{ "shared machine", 0.003, 0.0008, 0.002, 0.009, false, 0.06, 0.03, 0, 0 },
	{ "far", 0.005, 0, 0.01, 0.06, false, 0.1, 0.1, 0, 0 },
	{ "two states", 0.001, 0, 0.001, 0.002, false, 0, 0, 0.05, 0 },
};
enum { SD_07 = 1, SD_3, SD_6, FAR = 7, N_NOISES = sizeof(noises) / sizeof(noises[0]) };

static const struct noise STICKING = { "sticking", 0, 0, 0, 0.005, false, 0, 0, 0.03, 0.9 };

static struct sim {
	struct noisy machine[SUITE_MOST];
	const struct unit *first;
	size_t changed;
	double effect; /* of the first `changed` units, log scale */
} sim;

/* order 1: the base went first */
static int sim_pair(void *ctx, const struct unit *u, struct pair *p, struct err *err)
{
	size_t at = (size_t)(u - sim.first);
	double d = pair_of(&sim.machine[at], !p->order) + (at < sim.changed ? sim.effect : 0);

	(void)ctx;
	(void)err;
	simulate_pair(p, SIMULATED_NS, d);
	return 0;
}

struct counts {
	double comparisons, any_false, taken_back, told;
	double quiet, false_calls, unchanged, quiet_pairs;
	double changed, found, wrong_way, changed_unchanged, changed_pairs;
};

static void count_units(const struct unit *units, size_t m, struct counts *out)
{
	static struct judgement judged[SUITE_MOST];
	bool any = false;

	for (size_t i = 0; i < m; i++)
		judge_simulated(&units[i], m, &judged[i]);
	assert_int_equal(judge_family(judged, m, NULL), 0);
	for (size_t i = 0; i < m; i++) {
		const struct judgement *j = &judged[i];
		bool called = j->call == CALL_REGRESSED || j->call == CALL_IMPROVED;
		bool moved = i < sim.changed;

		*(moved ? &out->changed : &out->quiet) += 1;
		*(moved ? &out->changed_pairs : &out->quiet_pairs) += (double)j->n;
		*(moved ? &out->changed_unchanged : &out->unchanged) += j->call == CALL_UNCHANGED;
		out->found += moved && j->call == CALL_REGRESSED;
		out->wrong_way += moved && j->call == CALL_IMPROVED;
		out->false_calls += !moved && called;
		any = any || (!moved && called);
		out->told += j->sticks;
		/* it ended because it was decided: judging all together must agree */
		out->taken_back += units[i].judged.n == j->n && j->call != units[i].judged.call &&
				   units[i].judged.call != CALL_INCONCLUSIVE;
	}
	out->any_false += any;
	out->comparisons++;
}

/*
 * Comparisons of m benchmarks, the first `changed` slower by `effect`: 50 times `rounds` in the
 * long run, of which the short one's half a round is a sample.
 */
static struct counts compare_many(const struct noise *noise, size_t m, size_t changed,
				  double effect, unsigned most, int rounds)
{
	const struct runner runner = { simulate_calibration, sim_pair, NULL };
	struct bench_config config = { .threshold = 0.01 };
	struct schedule s = { .runs_min = POINTS_FEWEST, .runs_max = (int)most };
	struct unit *units = calloc(m, sizeof(*units));
	struct counts out = { 0 };

	assert_non_null(units);
	sim.first = units;
	sim.changed = changed;
	sim.effect = log1p(effect);
	rounds = getenv("PAWL_TEST_SLOW") ? rounds * 50 : (rounds + 1) / 2;
	for (int r = 0; r < rounds; r++) {
		s.seed = (uint64_t)r;
		for (size_t i = 0; i < m; i++) {
			machine_init(&sim.machine[i], noise, (uint64_t)r * SUITE_MOST + i);
			units[i].config = &config;
			units[i].format = FORMAT_PAWL;
			units[i].has_base = units[i].needs_base = true;
			assert_int_equal(str_set(&units[i].name, "x", NULL), 0);
		}
		assert_int_equal(schedule_run(units, m, &s, &runner, NULL), 0);
		count_units(units, m, &out);
		for (size_t i = 0; i < m; i++)
			unit_release(&units[i]);
	}
	free(units);
	return out;
}

/* The promise, and what chance adds to a count: one standard error in the long run, three else. */
static double promise(double share, double of)
{
	double error = sqrt(share * (1 - share) / of);

	return share + (getenv("PAWL_TEST_SLOW") ? 1 : 3) * error;
}

static void no_change_alone_is_called_at_most_4_times_in_1000(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_NOISES; i++) {
		struct counts got = compare_many(&noises[i], 1, 0, 0, POINTS_MOST, 400);

		print_message("# %s: %.1f pairs, unchanged %.1f %%\n", noises[i].name,
			      got.quiet_pairs / got.quiet, 100 * got.unchanged / got.quiet);
		count_is("no change called", got.false_calls, got.quiet, 0,
			 promise(0.004, got.quiet));
	}
}

static void no_change_in_20_is_called_in_one_commit_of_100(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_NOISES; i++) {
		struct counts got = compare_many(&noises[i], 20, 0, 0, POINTS_MOST, 20);

		count_is(noises[i].name, got.any_false, got.comparisons, 0,
			 promise(0.01, got.comparisons));
		assert_true(got.taken_back == 0);
	}
}

/* What must be found, and what it may cost: the rows of the table. */
static void changes_are_found_with_the_pairs_of_the_table(void **state)
{
	static const struct {
		size_t noise, m, changed;
		double effect;
		unsigned most;
		int rounds;
		double found, pairs;
	} rows[] = {
		{ SD_07, 1, 1, 0.02, POINTS_MOST, 100, 1.000, 13 },
		{ SD_07, 1, 1, 0.02, POINTS_MOST_LONG, 100, 1.000, 13 },
		{ SD_3, 1, 1, 0.02, POINTS_MOST, 100, 0.995, 46 },
		{ SD_3, 1, 1, 0.02, POINTS_MOST_LONG, 100, 0.995, 46 },
		{ SD_3, 1, 1, 0.015, POINTS_MOST, 100, 0.998, 83 },
		{ SD_3, 1, 1, 0.015, POINTS_MOST_LONG, 100, 0.980, 80 },
		{ SD_6, 1, 1, 0.03, POINTS_MOST, 100, 0.995, 74 },
		{ SD_6, 1, 1, 0.02, POINTS_MOST, 100, 0.880, 185 },
		{ SD_6, 1, 1, 0.03, POINTS_MOST_LONG, 100, 0.980, 72 },
		{ FAR, 1, 1, 0.15, POINTS_MOST, 100, 0.999, 20 },
		{ SD_3, 1, 1, 0.02, POINTS_MOST_QUICK, 100, 0.92, 40 },
		{ SD_3, 20, 1, 0.02, POINTS_MOST, 10, 0.999, 66 },
		{ SD_3, 1000, 10, 0.02, POINTS_MOST, 1, 0.990, 96 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct counts got;
		char what[120];

		if (rows[i].m == SUITE_MOST && !getenv("PAWL_TEST_SLOW"))
			continue; /* a fifth of all time */
		got = compare_many(&noises[rows[i].noise], rows[i].m, rows[i].changed,
				   rows[i].effect, rows[i].most, rows[i].rounds);
		snprintf(what, sizeof(what), "%s, %zu of %zu at %+.1f %%, to %u: %.1f pairs, found",
			 noises[rows[i].noise].name, rows[i].changed, rows[i].m,
			 100 * rows[i].effect, rows[i].most, got.changed_pairs / got.changed);
		count_is(what, got.found, got.changed, 1 - promise(1 - rows[i].found, got.changed),
			 1);
		assert_at_most(got.changed_pairs / got.changed, rows[i].pairs * 1.05);
		assert_true(got.wrong_way == 0 && got.taken_back == 0);
	}
}

static void no_change_is_unchanged_with_the_pairs_of_the_table(void **state)
{
	static const struct {
		size_t noise;
		unsigned most;
		double unchanged, pairs;
	} rows[] = {
		{ SD_07, POINTS_MOST, 0.999, 13 },     { SD_07, POINTS_MOST_LONG, 0.999, 13 },
		{ SD_3, POINTS_MOST, 0.995, 118 },     { SD_3, POINTS_MOST_LONG, 0.97, 113 },
		{ SD_3, POINTS_MOST_QUICK, 0.15, 60 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct counts got =
			compare_many(&noises[rows[i].noise], 1, 0, 0, rows[i].most, 200);
		char what[120];

		snprintf(what, sizeof(what), "%s, no change, to %u: %.1f pairs, unchanged",
			 noises[rows[i].noise].name, rows[i].most, got.quiet_pairs / got.quiet);
		count_is(what, got.unchanged, got.quiet,
			 1 - promise(1 - rows[i].unchanged, got.quiet), 1);
		assert_at_most(got.quiet_pairs / got.quiet, rows[i].pairs * 1.05);
	}
}

/* A real change below the threshold is not called by luck, one far below hardly ever. */
static void less_than_the_threshold_is_rarely_called(void **state)
{
	static const struct {
		double effect, most;
	} rows[] = { { 0.003, 0.012 }, { 0.005, 0.04 }, { 0.0065, 0.11 } };

	(void)state;
	for (size_t noise = SD_07; noise <= SD_3; noise++) {
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			struct counts got = compare_many(&noises[noise], 1, 1, rows[i].effect,
							 POINTS_MOST, 200);
			char what[120];

			snprintf(what, sizeof(what), "%s, %+.2f %% called", noises[noise].name,
				 100 * rows[i].effect);
			count_is(what, got.found, got.changed, 0,
				 promise(rows[i].most, got.changed));
		}
	}
}

/* The threshold itself: called half of the time, and hardly ever unchanged. */
static void the_threshold_itself_is_not_ruled_out(void **state)
{
	struct counts got = compare_many(&noises[SD_3], 1, 1, 0.01, POINTS_MOST, 200);

	(void)state;
	count_is("+1 % unchanged", got.changed_unchanged, got.changed, 0,
		 promise(0.05, got.changed));
	count_is("+1 % found", got.found, got.changed, 0.4, 0.7);
}

/* Nothing that looks at pairs alone can tell it from a change; but it is told where it switches. */
static void what_sticks_to_one_side_is_told(void **state)
{
	struct counts got = compare_many(&STICKING, 1, 0, 0, POINTS_MOST, 200);
	struct counts quiet = compare_many(&noises[SD_3], 1, 0, 0, POINTS_MOST, 200);

	(void)state;
	print_message("# a state of 3 %% that a side keeps: called %.1f %% of %.0f\n",
		      100 * got.false_calls / got.quiet, got.quiet);
	count_is("told", got.told, got.comparisons, 0.10, 1);
	count_is("told of pairs that are independent", quiet.told, quiet.comparisons, 0,
		 promise(0.002, quiet.comparisons));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_change_alone_is_called_at_most_4_times_in_1000),
		cmocka_unit_test(no_change_in_20_is_called_in_one_commit_of_100),
		cmocka_unit_test(changes_are_found_with_the_pairs_of_the_table),
		cmocka_unit_test(no_change_is_unchanged_with_the_pairs_of_the_table),
		cmocka_unit_test(less_than_the_threshold_is_rarely_called),
		cmocka_unit_test(the_threshold_itself_is_not_ruled_out),
		cmocka_unit_test(what_sticks_to_one_side_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
