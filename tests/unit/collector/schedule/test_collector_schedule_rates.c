/*
 * How often a sequential comparison is wrong: the real schedule on a simulated machine, its pairs
 * judged together.  Noise as in test_stats_simulation.c, seeded; no clock.
 *
 * PAWL_TEST_SLOW in the environment makes 20 times as many comparisons.
 */
#include "tests/unit/test_stats_near.h"
#include "tests/unit/coin_draws.h"

#include "collector/schedule/schedule.h"
#include "lib/stats/dist.h"
#include "lib/stats/family.h"
#include "lib/stats/sequential.h"

#include "lib/base/banned.h"

enum { FAMILY = 20 };

static const double ORDER_EFFECT = 0.003, TREND = 0.0008, WALK = 0.002;
static const double CORE = 0.009, SPIKE_SHARE = 0.06, SPIKE_MEAN = 0.03;

static struct sim {
	struct coin coin;
	double level;
	double effect; /* units with slices are slower by this at the head, log scale */
} sim;

static double normal(void)
{
	return normal_quantile(coin_fraction(&sim.coin));
}

static double run_once(bool second)
{
	double t;

	sim.level += TREND + WALK * normal();
	t = sim.level + (second ? ORDER_EFFECT : 0) + CORE * normal();
	if (coin_fraction(&sim.coin) < SPIKE_SHARE)
		t -= SPIKE_MEAN * log(coin_fraction(&sim.coin));
	return t;
}

static int sim_calibrate(void *ctx, struct unit *u, const struct side *side, struct err *err)
{
	(void)ctx;
	(void)side;
	(void)err;
	u->iterations = 64;
	u->run_ns = 1000;
	return 0;
}

static int sim_pair(void *ctx, const struct unit *u, struct pair *p, struct err *err)
{
	double first = run_once(false), second = run_once(true);
	double d = p->order ? second - first : first - second; /* order 1: the base went first */

	(void)ctx;
	(void)err;
	d += u->slices ? sim.effect : 0;
	p->head = (struct run){ .wall_ns = 1000 * exp(d), .cpu_ns = 1000 * exp(d) };
	p->base = (struct run){ .wall_ns = 1000, .cpu_ns = 1000 };
	p->log_ratio_cpu = p->log_ratio_wall = d;
	return 0;
}

struct counts {
	double comparisons, any_false, false_calls, found, pairs, taken_back;
};

static void judge_units(struct unit *units, size_t m, size_t changed, double level,
			struct counts *out)
{
	struct family_member member[FAMILY];
	double *d[FAMILY];
	bool any = false;

	memset(member, 0, sizeof(member));
	for (size_t i = 0; i < m; i++) {
		size_t n = units[i].n_pairs;

		d[i] = malloc(n * sizeof(double));
		assert_non_null(d[i]);
		for (size_t k = 0; k < n; k++)
			d[i][k] = units[i].pairs[k].log_ratio_cpu;
		member[i] = (struct family_member){ .d = d[i],
						    .n = n,
						    .alpha = level,
						    .delta_log = log1p(0.01),
						    .n_looks = units[i].looks.n };
		assert_int_equal(
			judge_pairs(d[i], n, level, true, log1p(0.01), &member[i].judged, NULL), 0);
		out->pairs += (double)n;
	}
	assert_int_equal(judge_family(member, m, FAMILY_FDR, true, NULL), 0);
	for (size_t i = 0; i < m; i++) {
		enum call call = member[i].judged.call;
		bool called = call == CALL_REGRESSED || call == CALL_IMPROVED;

		out->found += i < changed && call == CALL_REGRESSED;
		out->false_calls += i >= changed && called;
		any = any || (i >= changed && called);
		/* closed before the last look: by "unchanged", or by a change that must stand */
		out->taken_back += member[i].n < units[i].looks.pairs[units[i].looks.n - 1] &&
				   call == CALL_INCONCLUSIVE;
		free(d[i]);
	}
	out->any_false += any;
	out->comparisons++;
}

static struct counts compare_many(size_t m, size_t changed, int rounds, uint64_t seed)
{
	static const unsigned looks[3] = { 20, 25, 30 };
	const struct runner runner = { sim_calibrate, sim_pair, NULL };
	struct bench_config config = { .threshold = 0.01 };
	struct schedule s = { .runs_min = 20, .runs_max = 30, .confidence = 0.95 };
	struct sequential_plan plan;
	struct counts out = { 0 };

	assert_int_equal(sequential_plan_find(.05, looks, 3, &plan, NULL), 0);
	coin_init(&sim.coin, seed);
	sim.level = 0;
	sim.effect = log1p(0.02);
	if (getenv("PAWL_TEST_SLOW"))
		rounds *= 20;
	for (int r = 0; r < rounds; r++) {
		struct unit units[FAMILY];

		memset(units, 0, sizeof(units));
		for (size_t i = 0; i < m; i++) {
			units[i].config = &config;
			units[i].format = FORMAT_PAWL;
			units[i].has_base = units[i].needs_base = true;
			units[i].slices = i < changed; /* the runner's mark of a changed one */
			units[i].looks = (struct looks){ { 20, 25, 30 }, 3, plan.level };
			units[i].confirm_at = 60;
			assert_int_equal(str_set(&units[i].name, "x", NULL), 0);
		}
		s.seed = seed + (uint64_t)r;
		assert_int_equal(schedule_run(units, m, &s, &runner, NULL), 0);
		judge_units(units, m, changed, plan.level, &out);
		for (size_t i = 0; i < m; i++)
			unit_release(&units[i]);
	}
	return out;
}

static void is_at_most(const char *what, double count, double of, double most)
{
	print_message("# %s: %.2f %% of %.0f\n", what, 100 * count / of, of);
	assert_at_most(count / of, most);
}

static void one_quiet_benchmark_is_rarely_called(void **state)
{
	struct counts got = compare_many(1, 0, 2000, 1);

	(void)state;
	is_at_most("no change called", got.false_calls, got.comparisons, 0.02);
	print_message("# pairs: %.1f\n", got.pairs / got.comparisons);
}

static void twenty_quiet_ones_raise_any_alarm_at_most_once_in_20(void **state)
{
	struct counts got = compare_many(FAMILY, 0, 200, 2);

	(void)state;
	is_at_most("any of 20 quiet ones called", got.any_false, got.comparisons, 0.05);
	is_at_most("closed early and not upheld", got.taken_back, got.comparisons * FAMILY, 0);
}

static void two_percent_is_found_in_9_of_10(void **state)
{
	struct counts got = compare_many(1, 1, 1000, 3);

	(void)state;
	is_at_most("+2 % missed", got.comparisons - got.found, got.comparisons, 0.10);
	is_at_most("closed early and not upheld", got.taken_back, got.comparisons, 0);
	print_message("# pairs: %.1f\n", got.pairs / got.comparisons);
}

static void two_of_twenty_are_found_and_upheld(void **state)
{
	struct counts got = compare_many(FAMILY, 2, 200, 4);

	(void)state;
	is_at_most("+2 % missed among 20", 2 * got.comparisons - got.found, 2 * got.comparisons,
		   0.20);
	is_at_most("any false one beside", got.any_false, got.comparisons, 0.05);
	is_at_most("closed early and not upheld", got.taken_back, got.comparisons * FAMILY, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_quiet_benchmark_is_rarely_called),
		cmocka_unit_test(twenty_quiet_ones_raise_any_alarm_at_most_once_in_20),
		cmocka_unit_test(two_percent_is_found_in_9_of_10),
		cmocka_unit_test(two_of_twenty_are_found_and_upheld),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
