/*
 * Verdicts of one layout: widened by what layouts do, which was estimated from few of them. Figures
 * by hand, and counted on simulated layouts.
 */
#include "tests/unit/lib/stats/simulation_fixture.h"

#include "lib/stats/clusters.h"
#include "lib/stats/verdict.h"

#include "lib/base/banned.h"

enum { PAIRS = 20, LAYOUTS = 16, OF_EACH = 3 };

static struct judgement judge(const double *d, size_t n)
{
	const struct judge_terms terms = { log1p(0.01), 1, 1 };
	struct judgement out = { .n = 0 };

	assert_int_equal(judge_pairs(d, n, &terms, &out, NULL), 0);
	return out;
}

/* 20 pairs, evenly and narrowly around 3 %. */
static void three_percent(double *d)
{
	for (int i = 0; i < PAIRS; i++)
		d[i] = 0.03 + 0.001 * ((i * 7 % PAIRS + 0.5) / PAIRS - 0.5);
}

/*
 * Student's t of 15 degrees of freedom is 2.602480 at 0.99 (R: qt(0.99, 15)): 1 % between two
 * layouts makes the half-width 0.0260248, beside which that of the pairs is next to nothing.  p is
 * that of t = 3 with 15 degrees: 0.008973 (R: 2 * pt(-3, 15)).
 */
static void known_figures(void **state)
{
	struct judgement before, after;
	double d[PAIRS];

	(void)state;
	three_percent(d);
	before = after = judge(d, PAIRS);
	assert_int_equal(before.call, CALL_REGRESSED);
	judge_widen(&after, (struct widening){ 0.0001, 15, 0 });
	assert_same(after.theta, before.theta);
	assert_true(fabs(after.theta - after.low - hypot(0.0260248, before.theta - before.low)) <
		    1e-7);
	assert_true(fabs(after.high - after.theta - hypot(0.0260248, before.high - before.theta)) <
		    1e-7);
	assert_true(fabs(after.p - 0.008973) < 2e-4);
	assert_same(after.p_adjusted, after.p);
	assert_int_equal(after.call, CALL_INCONCLUSIVE);
	assert_true(after.noise_floor > 0.0325 &&
		    after.noise_floor < 0.0345); /* qt(.9975, 15) = 3.286 */
}

static void what_layouts_cannot_make_stays_called(void **state)
{
	struct judgement j;
	double d[PAIRS];

	(void)state;
	three_percent(d);
	j = judge(d, PAIRS);
	judge_widen(&j, (struct widening){ 0.003 * 0.003, 15, 0 });
	assert_int_equal(j.call, CALL_REGRESSED);
}

/* +-2.6 % of layouts stay, however many pairs there are: they decide neither 3 % nor nothing. */
static void more_pairs_do_not_narrow_it(void **state)
{
	struct judgement j;
	double d[PAIRS];

	(void)state;
	three_percent(d);
	j = judge(d, PAIRS);
	assert_true(judge_would_decide(&j, 200, 0));
	judge_widen(&j, (struct widening){ 0.0001, 15, 0 });
	assert_false(judge_would_decide(&j, 200, 0));
	assert_false(judge_would_decide(&j, 100000, 1));
	j = judge(d, PAIRS);
	judge_widen(&j, (struct widening){ 0.002 * 0.002, 15, 0 });
	assert_true(judge_would_decide(&j, 24, 0));
}

static void no_spread_changes_nothing(void **state)
{
	struct judgement before, after;
	double d[PAIRS];

	(void)state;
	three_percent(d);
	before = after = judge(d, PAIRS);
	judge_widen(&after, (struct widening){ 0, 15, 0 });
	assert_memory_equal(&before, &after, sizeof(before));
	before = after = judge(d, 5); /* too few for an interval */
	judge_widen(&after, (struct widening){ 0.0001, 15, 0 });
	assert_memory_equal(&before, &after, sizeof(before));
}

/* ---- counted ---------------------------------------------------------------------------- */

/* What a calibration finds of that spread between layouts, where a pair scatters by 1 %. */
static struct clusters_spread calibrate(struct noisy *machine, double spread)
{
	double d[LAYOUTS * OF_EACH], key[LAYOUTS * OF_EACH], moved[LAYOUTS];
	struct clusters_spread found;

	for (int k = 0; k < LAYOUTS; k++)
		moved[k] = spread * (normal(machine) - normal(machine));
	for (int i = 0; i < LAYOUTS * OF_EACH; i++) {
		key[i] = i % LAYOUTS;
		d[i] = moved[i % LAYOUTS] + 0.01 * normal(machine);
	}
	clusters_spread(d, key, LAYOUTS * OF_EACH, &found);
	return found;
}

static bool is_called(const struct judgement *j)
{
	return j->call == CALL_REGRESSED || j->call == CALL_IMPROVED;
}

/* Two builds of one source, each in a layout of its own; 20 pairs. */
static void builds_of_one_source_are_seldom_called(void **state)
{
	static const double spreads[] = { 0, 0.0025, 0.005, 0.01, 0.02 };
	int rounds = 2000 * scale();
	struct noisy machine;

	(void)state;
	machine_init(&machine, &SHARED_MACHINE, 12);
	for (size_t s = 0; s < 5; s++) {
		double called = 0, called_before = 0, covered = 0, of_spread = 0;

		for (int i = 0; i < rounds; i++) {
			struct clusters_spread known = calibrate(&machine, spreads[s]);
			double d[PAIRS], moved = spreads[s] * (normal(&machine) - normal(&machine));
			double truth = 2 * spreads[s] * spreads[s];
			struct judgement j;

			for (int k = 0; k < PAIRS; k++)
				d[k] = moved + 0.01 * normal(&machine);
			j = judge(d, PAIRS);
			called_before += is_called(&j);
			judge_widen(&j, (struct widening){ known.means, LAYOUTS - 1, 0 });
			called += is_called(&j);
			covered += j.low <= 0 && 0 <= j.high;
			of_spread += known.low <= truth && truth <= known.high;
		}
		print_message("# layouts scatter by %.2f %%\n", 100 * spreads[s]);
		count_is("called of one layout", called_before, rounds, 0, 1);
		count_is("called when widened", called, rounds, 0, 0.0055);
		count_is("intervals that hold the truth", covered, rounds, 0.975, 1);
		count_is("intervals of the spread that hold it", of_spread, rounds, 0.94, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_figures),
		cmocka_unit_test(what_layouts_cannot_make_stays_called),
		cmocka_unit_test(more_pairs_do_not_narrow_it),
		cmocka_unit_test(no_spread_changes_nothing),
		cmocka_unit_test(builds_of_one_source_are_seldom_called),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
