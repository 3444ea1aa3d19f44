/*
 * What choosing between pairs at once and in turn costs and brings: the collector's own schedule on
 * simulated machines.  Seeded, no clock: a bound that holds once holds always.
 *
 * PAWL_TEST_SLOW in the environment makes 25 times as many comparisons, for the table of
 * docs/decisions/0026-duets.md.
 */
#include "tests/unit/collector/schedule/simulated_pairs.h"

#include "collector/schedule/duet.h"

#include "lib/base/banned.h"

/* Standard deviation of a pair in turn, and at once; how much longer a run takes beside another. */
struct ways {
	double in_turn, at_once, slower;
};

static struct sim {
	struct ways ways;
	struct noise noise[2];
	struct noisy machine[2];
	struct noisy common;
	double level, effect, ms;
	bool fails_at_once, has_threads;
	size_t n_run, n_at_once;
} sim = { .ms = 80 };

static int sim_calibrate(void *ctx, struct unit *u, const struct side *side, struct err *err)
{
	(void)ctx;
	(void)side;
	(void)err;
	u->iterations = 1;
	u->run_ns = 1e6 * sim.ms;
	return 0;
}

/* order 1: the base went first */
static int sim_pair(void *ctx, const struct unit *u, struct pair *p, struct err *err)
{
	double d = pair_of(&sim.machine[u->at_once], !p->order) + sim.effect, ns;

	/* The machine's level drifts by as much as pairs scatter, and each pair has its own. */
	sim.level = 0.9 * sim.level + sqrt(0.19) * sim.ways.in_turn * normal(&sim.common);
	ns = 1e6 * sim.ms *
	     exp((u->at_once ? sim.ways.slower : 0) + sim.level +
		 sim.ways.in_turn / 2 * normal(&sim.common));

	(void)ctx;
	(void)err;
	sim.n_run++;
	sim.n_at_once += u->at_once;
	simulate_pair(p, ns, d);
	p->head.has_threads = sim.has_threads;
	p->head.n_left = u->at_once; /* a mark */
	if (u->at_once && sim.fails_at_once)
		p->base.failure = strdup("its port is taken");
	return 0;
}

struct counts {
	double n, at_once, called, unchanged, found, pairs;
};

static void count(const struct unit *u, struct counts *out)
{
	struct judgement j;

	judge_simulated(u, 1, &j);
	out->n++;
	out->at_once += u->at_once;
	out->called += j.call == CALL_REGRESSED || j.call == CALL_IMPROVED;
	out->unchanged += j.call == CALL_UNCHANGED;
	out->found += j.call == CALL_REGRESSED;
	out->pairs += (double)sim.n_run;
}

static struct counts compare_many(struct ways ways, double effect, int n)
{
	const struct runner runner = { sim_calibrate, sim_pair, NULL };
	struct bench_config config = { .threshold = 0.01 };
	struct schedule s = { .runs_min = POINTS_FEWEST, .runs_max = POINTS_MOST };
	char base[] = "base", head[] = "head";
	struct counts out = { 0 };

	sim.ways = ways;
	sim.effect = log1p(effect);
	sim.noise[0].core = ways.in_turn / sqrt(2);
	sim.noise[1].core = ways.at_once / sqrt(2);
	for (int r = 0; r < n * scale(); r++) {
		struct unit u = { .config = &config, .format = FORMAT_COMMAND };

		s.seed = (uint64_t)r;
		sim.n_run = 0;
		machine_init(&sim.common, NULL, s.seed);
		machine_init(&sim.machine[0], &sim.noise[0], 2 * s.seed);
		machine_init(&sim.machine[1], &sim.noise[1], 2 * s.seed + 1);
		u.has_base = u.needs_base = true;
		assert_int_equal(str_set(&u.name, "x", NULL), 0);
		assert_int_equal(str_set(&u.base.dir, base, NULL), 0);
		assert_int_equal(str_set(&u.head.dir, head, NULL), 0);
		assert_int_equal(schedule_run(&u, 1, &s, &runner, NULL), 0);
		count(&u, &out);
		unit_release(&u);
	}
	return out;
}

/* Against what pairs in turn alone need, decision 20's table: 12, 44 and 110 pairs. */
static void pairs_at_once_are_chosen_where_they_decide_sooner(void **state)
{
	static const struct {
		struct ways ways;
		double at_once_least, at_once_most, pairs, pairs_changed;
	} rows[] = {
		{ { 0.007, 0.003, 0 }, 0, 0.25, 16, 16 }, /* in turn decides at once */
		{ { 0.012, 0.005, 0 }, 0.35, 1, 23, 20 },
		{ { 0.022, 0.006, 0 }, 0.7, 1, 31, 25 },
		{ { 0.03, 0.01, 0 }, 0.7, 1, 43, 30 },
		{ { 0.06, 0.02, 0 }, 0.7, 1, 77, 57 },
		{ { 0.03, 0.03, 0 }, 0, 0.35, 122, 54 }, /* no better: what trying it costs */
		{ { 0.03, 0.06, 0 }, 0, 0.1, 122, 54 },
		{ { 0.03, 0.01, 0.1 }, 0, 0.02, 122, 54 }, /* slowed down beside another */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct ways *w = &rows[i].ways;
		struct counts same = compare_many(*w, 0, 300), moved = compare_many(*w, 0.02, 300);

		print_message("# %.1f %% in turn, %.1f %% and %.0f %% slower at once: no change "
			      "%.1f pairs, +2 %% %.1f\n",
			      100 * w->in_turn, 100 * w->at_once, 100 * w->slower,
			      same.pairs / same.n, moved.pairs / moved.n);
		count_is("at once", same.at_once, same.n, rows[i].at_once_least,
			 rows[i].at_once_most);
		count_is("no change called", same.called, same.n, 0,
			 0.004 + (scale() > 1 ? 0 : 3 * sqrt(0.004 / same.n)));
		count_is("+2 % found", moved.found, moved.n, w->in_turn > 0.05 ? 0.8 : 0.985, 1);
		assert_at_most(same.pairs / same.n, rows[i].pairs);
		assert_at_most(moved.pairs / moved.n, rows[i].pairs_changed);
	}
}

/* The schedule of one unit that is tried, with a change to it first. */
static void run_one(struct unit *u, struct bench_config *config)
{
	const struct runner runner = { sim_calibrate, sim_pair, NULL };
	const struct schedule s = { .runs_min = POINTS_FEWEST, .runs_max = POINTS_MOST };

	config->threshold = 0.01;
	sim.ways = (struct ways){ 0.03, 0.005, 0 };
	sim.effect = 0;
	sim.n_run = sim.n_at_once = 0;
	machine_init(&sim.common, NULL, 4);
	for (int i = 0; i < 2; i++) {
		sim.noise[i].core = (i ? sim.ways.at_once : sim.ways.in_turn) / sqrt(2);
		machine_init(&sim.machine[i], &sim.noise[i], 4);
	}
	u->config = config;
	u->format = u->format ? u->format : FORMAT_COMMAND;
	u->has_base = u->needs_base = true;
	assert_int_equal(str_set(&u->name, "x", NULL), 0);
	assert_int_equal(str_set(&u->base.dir, "base", NULL), 0);
	if (!u->head.dir)
		assert_int_equal(str_set(&u->head.dir, "head", NULL), 0);
	assert_int_equal(schedule_run(u, 1, &s, &runner, NULL), 0);
}

static void the_pairs_that_ran_as_chosen_are_kept_and_no_others(void **state)
{
	struct bench_config config = { 0 };
	struct unit u = { 0 };

	(void)state;
	run_one(&u, &config);
	assert_true(u.at_once);
	assert_int_equal(u.n_pairs, sim.n_at_once);
	assert_int_equal(1 + DUET_IN_TURN + sim.n_at_once, sim.n_run); /* a warm-up, and in turn */
	for (size_t i = 0; i < u.n_pairs; i++)
		assert_true(u.pairs[i].head.n_left == 1);
	unit_release(&u);
}

static void what_fails_beside_the_other_side_runs_in_turn(void **state)
{
	struct bench_config config = { 0 };
	struct unit u = { 0 };

	(void)state;
	sim.fails_at_once = true;
	run_one(&u, &config);
	sim.fails_at_once = false;
	assert_false(u.at_once);
	assert_null(u.failure);
	assert_int_equal(1, sim.n_at_once);
	assert_int_equal(0, u.n_void);
	assert_int_equal(u.n_pairs, sim.n_run - 2);
	for (size_t i = 0; i < u.n_pairs; i++)
		assert_true(u.pairs[i].head.n_left == 0);
	unit_release(&u);
}

/* Each of them alone forbids it. */
static void it_is_tried_of_nothing_else(void **state)
{
	char wall[] = "wall", items[] = "items";

	(void)state;
	for (int i = 0; i < 7; i++) {
		struct bench_config config = { 0 };
		struct unit u = { 0 };

		config.in_turn = i == 0;
		config.metric = i == 1 ? wall : i == 2 ? items : NULL;
		sim.has_threads = i == 3;
		sim.ms = i == 4 ? 0.99e-6 * DUET_SHORTEST_NS : 80;
		if (i == 5) /* the same folder: what they leave there is the other's */
			assert_int_equal(str_set(&u.head.dir, "base", NULL), 0);
		u.format = i == 6 ? FORMAT_GOOGLE : FORMAT_COMMAND;
		run_one(&u, &config);
		assert_int_equal(0, sim.n_at_once);
		unit_release(&u);
	}
	sim.has_threads = false;
	sim.ms = 80;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_at_once_are_chosen_where_they_decide_sooner),
		cmocka_unit_test(the_pairs_that_ran_as_chosen_are_kept_and_no_others),
		cmocka_unit_test(what_fails_beside_the_other_side_runs_in_turn),
		cmocka_unit_test(it_is_tried_of_nothing_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
