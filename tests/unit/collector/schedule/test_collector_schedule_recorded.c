/*
 * The one rule on pairs that a real machine gave, its calm and its disturbed stretches as they
 * came. A change is put on top of them; which side it is put on is a coin, as in every pair.
 */
#include "tests/unit/collector/schedule/simulated_pairs.h"
#include "tests/unit/collector/schedule/recorded_pairs.h"

#include "lib/base/banned.h"

enum { RECORDED = sizeof(recorded_pairs) / sizeof(recorded_pairs[0]), COMPARISONS = 400 };

struct recording {
	size_t at;
	double effect;
	unsigned layouts; /* so many, which do not differ, in turn; 0: one */
	unsigned taken;
};

/* order 1: the base went first */
static int take_pair(void *ctx, const struct unit *u, struct pair *p, struct err *err)
{
	struct recording *m = ctx;
	double d = 1e-4 * recorded_pairs[m->at++ % RECORDED];

	(void)u;
	(void)err;
	simulate_pair(p, SIMULATED_NS, (p->order ? d : -d) + m->effect);
	if (m->layouts)
		p->layout = 1 + m->taken++ % m->layouts;
	return 0;
}

struct counts {
	double called, wrong, unchanged, pairs;
};

static struct counts compare_many(double effect, double threshold, unsigned layouts)
{
	struct bench_config config = { .threshold = threshold };
	struct schedule s = { .runs_min = POINTS_FEWEST,
			      .runs_max = POINTS_MOST,
			      .layouts = layouts };
	struct counts out = { 0 };

	for (size_t i = 0; i < COMPARISONS; i++) {
		struct recording m = { i * 131 % RECORDED, log1p(effect), layouts, 0 };
		const struct runner runner = { simulate_calibration, take_pair, &m };
		struct unit u = { .config = &config,
				  .format = FORMAT_PAWL,
				  .has_base = true,
				  .needs_base = true };
		enum call meant = effect > 0 ? CALL_REGRESSED : CALL_INCONCLUSIVE;

		s.seed = i;
		assert_int_equal(str_set(&u.name, "x", NULL), 0);
		assert_int_equal(schedule_run(&u, 1, &s, &runner, NULL), 0);
		out.called += u.judged.call == meant && effect > 0;
		out.unchanged += u.judged.call == CALL_UNCHANGED;
		out.wrong += u.judged.call != meant && u.judged.call != CALL_INCONCLUSIVE &&
			     u.judged.call != CALL_UNCHANGED;
		out.pairs += (double)u.n_pairs / COMPARISONS;
		unit_release(&u);
	}
	return out;
}

/* Who gives up in a disturbed stretch misses what the calm one behind it would have shown. */
static void a_change_is_found_behind_a_disturbed_stretch(void **state)
{
	struct counts two = compare_many(0.02, 0.01, 0), less = compare_many(0.0165, 0.005, 0);

	(void)state;
	count_is("+2 % at 1 % found", two.called, COMPARISONS, 0.95, 1);
	print_message("# with %.0f pairs\n", two.pairs);
	assert_at_most(two.pairs, 95);
	count_is("+1.65 % at 0.5 % found", less.called, COMPARISONS, 0.95, 1);
	print_message("# with %.0f pairs\n", less.pairs);
	assert_at_most(less.pairs, 110);
	assert_true(two.wrong + less.wrong == 0 && two.unchanged + less.unchanged == 0);
}

/* What a layout adds is 0 here, and its pairs, taken together, are no worse for what disturbs
 * single ones. */
static void layouts_that_come_again_cost_little(void **state)
{
	struct counts two = compare_many(0.02, 0.01, 32), less = compare_many(0.0165, 0.005, 32);

	(void)state;
	count_is("+2 % at 1 % found", two.called, COMPARISONS, 0.93, 1);
	print_message("# with %.0f pairs\n", two.pairs);
	assert_at_most(two.pairs, 85);
	count_is("+1.65 % at 0.5 % found", less.called, COMPARISONS, 0.88, 1);
	print_message("# with %.0f pairs\n", less.pairs);
	assert_true(two.wrong + less.wrong == 0 && two.unchanged + less.unchanged == 0);
}

static void no_change_is_not_called_with(unsigned layouts)
{
	struct counts got = compare_many(0, 0.01, layouts);

	print_message("# %.0f pairs, unchanged %.1f %%\n", got.pairs,
		      100 * got.unchanged / COMPARISONS);
	count_is("no change called", got.wrong, COMPARISONS, 0, 0.013);
	assert_at_most(got.pairs, 160);
}

static void no_change_is_not_called(void **state)
{
	(void)state;
	no_change_is_not_called_with(0);
	no_change_is_not_called_with(32);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_change_is_found_behind_a_disturbed_stretch),
		cmocka_unit_test(layouts_that_come_again_cost_little),
		cmocka_unit_test(no_change_is_not_called),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
