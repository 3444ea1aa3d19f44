/*
 * What a suite gets out of a time budget: the collector's own schedule on simulated machines with a
 * clock of their own.  Seeded, no real clock: a bound that holds once holds always.
 *
 * PAWL_TEST_SLOW in the environment makes 25 times as many comparisons: the table of
 * docs/decisions/0023-time-where-it-decides.md.
 */
#include "tests/unit/collector/schedule/simulated_pairs.h"

#include "lib/base/banned.h"

enum { SUITE_MOST = 100, SPREADS = 5, LENGTHS = 3 };

/* Standard deviations of a pair, and lengths of one in ms: each combination is equally common. */
static const double spreads[SPREADS] = { 0.003, 0.007, 0.015, 0.03, 0.06 };
static const double lengths[LENGTHS] = { 10, 20, 80 };

static struct suite {
	struct noise noise[SUITE_MOST];
	struct noisy machine[SUITE_MOST];
	double ms[SUITE_MOST], effect[SUITE_MOST];
	const struct unit *first;
	double now_ms;
} suite;

static uint64_t suite_now(void)
{
	return 1000000u + (uint64_t)(1e6 * suite.now_ms);
}

static int suite_calibrate(void *ctx, struct unit *u, const struct side *side, struct err *err)
{
	(void)ctx;
	(void)side;
	(void)err;
	u->iterations = 64;
	u->run_ns = 5e5 * suite.ms[u - suite.first];
	return 0;
}

/* order 1: the base went first */
static int suite_pair(void *ctx, const struct unit *u, struct pair *p, struct err *err)
{
	size_t at = (size_t)(u - suite.first);
	double d = pair_of(&suite.machine[at], !p->order) + suite.effect[at];

	(void)ctx;
	(void)err;
	suite.now_ms += suite.ms[at];
	simulate_pair(p, SIMULATED_NS, d);
	return 0;
}

struct counts {
	double comparisons, benchmarks, decided, changed, found, false_calls, any_false, ms;
};

static void judge_suite(const struct unit *units, size_t m, struct counts *out)
{
	static struct judgement judged[SUITE_MOST];
	bool any = false;

	for (size_t i = 0; i < m; i++)
		judge_simulated(&units[i], m, &judged[i]);
	assert_int_equal(judge_family(judged, m, NULL), 0);
	for (size_t i = 0; i < m; i++) {
		bool called = judged[i].call == CALL_REGRESSED || judged[i].call == CALL_IMPROVED;
		bool moved = suite.effect[i] > 0;

		out->decided += judged[i].call != CALL_INCONCLUSIVE;
		out->changed += moved;
		out->found += moved && judged[i].call == CALL_REGRESSED;
		out->false_calls += !moved && called;
		any = any || (!moved && called);
	}
	out->any_false += any;
	out->benchmarks += (double)m;
	out->comparisons++;
}

static void start(struct unit *units, size_t m, uint64_t seed, size_t changed, double effect,
		  const struct bench_config *config)
{
	for (size_t i = 0; i < m; i++) {
		size_t kind = (size_t)(seed + i) % (SPREADS * LENGTHS);

		suite.noise[i] = (struct noise){ .core = spreads[kind % SPREADS] / sqrt(2) };
		suite.ms[i] = lengths[kind / SPREADS];
		suite.effect[i] = i < changed ? log1p(effect) : 0;
		machine_init(&suite.machine[i], &suite.noise[i], seed * SUITE_MOST + i);
		units[i].config = config;
		units[i].format = FORMAT_PAWL;
		units[i].has_base = units[i].needs_base = true;
		assert_int_equal(str_set(&units[i].name, "x", NULL), 0);
	}
	suite.now_ms = 0;
	suite.first = units;
}

/* budget_ms 0: none */
static struct counts compare_suites(size_t m, size_t changed, double effect, double budget_ms,
				    int n)
{
	const struct runner runner = { suite_calibrate, suite_pair, NULL };
	struct bench_config config = { .threshold = 0.01 };
	struct schedule s = { .runs_min = POINTS_FEWEST,
			      .runs_max = POINTS_MOST,
			      .now_ns = suite_now,
			      .deadline_ns =
				      budget_ms > 0 ? 1000000u + (uint64_t)(1e6 * budget_ms) : 0 };
	struct unit *units = calloc(m, sizeof(*units));
	struct counts out = { 0 };

	assert_non_null(units);
	for (int r = 0; r < n * scale(); r++) {
		s.seed = (uint64_t)r;
		start(units, m, s.seed, changed, effect, &config);
		assert_int_equal(schedule_run(units, m, &s, &runner, NULL), 0);
		judge_suite(units, m, &out);
		out.ms += suite.now_ms;
		for (size_t i = 0; i < m; i++)
			unit_release(&units[i]);
	}
	free(units);
	return out;
}

static void print_it(const char *what, size_t m, double share, const struct counts *c)
{
	print_message(
		"# %zu benchmarks, %s %.0f %% of the time: decided %.1f %%, +2 %% found %.1f %%\n",
		m, what, 100 * share, 100 * c->decided / c->benchmarks,
		100 * c->found / c->changed);
}

/* One of ten benchmarks is slower by 2 %; the time is that of measuring to the end. */
static void a_budget_decides_what_it_can(void **state)
{
	static const struct {
		size_t m;
		double share, decided, found;
	} rows[] = {
		{ 20, 0.1, 0.22, 0.25 },  { 20, 0.2, 0.37, 0.40 },  { 20, 0.3, 0.48, 0.55 },
		{ 20, 0.5, 0.67, 0.78 },  { 20, 0.7, 0.73, 0.85 },  { 100, 0.1, 0.21, 0.20 },
		{ 100, 0.2, 0.38, 0.45 }, { 100, 0.3, 0.47, 0.58 }, { 100, 0.5, 0.66, 0.80 },
		{ 100, 0.7, 0.73, 0.85 },
	};
	double whole = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t m = rows[i].m;
		struct counts got;

		if (!i || m != rows[i - 1].m) {
			got = compare_suites(m, m / 10, 0.02, 0, (int)(600 / m));
			whole = got.ms / got.comparisons;
			print_it("all of", m, 1, &got);
		}
		got = compare_suites(m, m / 10, 0.02, rows[i].share * whole, (int)(600 / m));
		print_it("a budget of", m, rows[i].share, &got);
		assert_at_most(rows[i].decided, got.decided / got.benchmarks);
		/* Of the short form's 60 changes a share is sure to 4 %. */
		assert_at_most(rows[i].found - (scale() > 1 ? 0 : 0.04), got.found / got.changed);
		assert_true(got.ms / got.comparisons <= rows[i].share * whole + 80);
	}
}

/* Which benchmark gets the next pair hangs on what was seen: that must not make false calls. */
static void choosing_makes_no_false_calls(void **state)
{
	static const struct {
		size_t m;
		double budget_ms;
		int n;
	} rows[] = {
		{ 2, 1000, 300 }, { 2, 4000, 300 }, { 5, 3000, 120 },
		{ 20, 3000, 30 }, { 20, 6000, 30 }, { 20, 15000, 30 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct counts got = compare_suites(rows[i].m, 0, 0, rows[i].budget_ms, rows[i].n);
		double slack = 3 * sqrt(0.004 / got.benchmarks),
		       any = 3 * sqrt(0.01 / got.comparisons);

		if (scale() > 1)
			slack = any = 0;
		print_message("# %zu benchmarks, %.0f s\n", rows[i].m, rows[i].budget_ms / 1000);
		count_is("no change called", got.false_calls, got.benchmarks, 0, 0.004 + slack);
		count_is("any of them", got.any_false, got.comparisons, 0, 0.01 + any);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_budget_decides_what_it_can),
		cmocka_unit_test(choosing_makes_no_false_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
