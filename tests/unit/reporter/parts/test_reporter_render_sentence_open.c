/* The closing sentence where something is left open, is missing, or is hostile. */
#include "tests/unit/reporter/sentence_fixture.h"

#include "lib/base/banned.h"

static void inconclusive_says_what_strict_makes_of_it(void **state)
{
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "a", UNDECIDED);
	fixture_judged(&s, "b", UNCHANGED);
	expect(&s, "1 of 2 benchmarks is inconclusive; 1 unchanged.");
	fixture_init(&s);
	fixture_judged(&s, "a", UNDECIDED);
	expect_with(&s, true, "a is inconclusive; with --strict that does not pass.");
}

/* Runs of 50 ms on either side: a pair is 0.1 s.  It ended after 3 pairs, at +- half. */
static struct bench *undecided(struct summary *s, const char *name, double half, unsigned last)
{
	struct bench *b = fixture_judged(s, name, UNDECIDED);
	struct metric *wall = bench_add_metric(b, "wall", "ns", BETTER_LOWER, NULL);

	assert_non_null(wall);
	assert_int_equal(0, samples_add(&wall->samples, &wall->n, 5e7, NULL));
	assert_int_equal(0, samples_add(&wall->baseline_samples, &wall->n_baseline, 5e7, NULL));
	b->metrics[0].delta.noise_floor = half;
	b->metrics[0].delta.low = exp(-half);
	b->metrics[0].delta.high = exp(half);
	b->threshold = 0.01;
	b->looks = (struct looks){ { 2, 3, last }, last > 3 ? 3 : 2 };
	return b;
}

/*
 * By hand, with qnorm(0.99) = 2.326348, qnorm(1 - 0.0025 / 3) = 3.143980, qnorm(0.9) = 1.281552:
 * of +-0.2 there are +-0.024495 after 200 pairs, an error of 0.010529; 3.143980 of these are
 * significant and more than half of the threshold and +-0.024495, and 1.281552 more are found nine
 * times in ten: 4.77 %, rounded up.
 */
static void advice_is_in_seconds_and_never_above_the_limit(void **state)
{
	struct summary s;

	(void)state;
	fixture_init(&s);
	undecided(&s, "a", 0.2, 200); /* 197 more */
	undecided(&s, "b", 0.1, 68);  /* 4.08 %; 65 would do: the option holds for both */
	expect(&s, "Both benchmarks are inconclusive; --pairs 200 would find changes from "
		   "4.8 % on, 39 s more.");
	fixture_init(&s);
	undecided(&s, "a", 0.2, 200);
	undecided(&s, "b", 0.1, 68);
	/* run at once: wall time was not measured */
	assert_int_equal(0, str_set(&s.benchmarks[1].metrics[0].name, "what decides", NULL));
	assert_int_equal(0, str_set(&s.benchmarks[1].gate, "what decides", NULL));
	assert_int_equal(0, str_set(&s.benchmarks[1].metrics[1].name, "cpu", NULL));
	expect(&s, "Both benchmarks are inconclusive; --pairs 200 would find changes from "
		   "4.8 % on, 39 s more.");
	fixture_init(&s);
	undecided(&s, "a", 0.02, 8);
	expect(&s, "a is inconclusive; --pairs 8 would find changes from 2.5 % on, less "
		   "than 1 s more.");
	fixture_init(&s);
	undecided(&s, "a", 0.004, 8); /* never less than what counts, and an error */
	expect(&s, "a is inconclusive; --pairs 8 would find changes from 1.2 % on, less "
		   "than 1 s more.");
	fixture_init(&s);
	undecided(&s, "a", (double)NAN, 200);
	expect(&s, "a is inconclusive.");
	fixture_init(&s);
	undecided(&s, "a", 0.02, 3); /* the last decision point is reached */
	expect(&s, "a is inconclusive.");
}

/* Two builds, each in one layout; the interval is +-2.7 %. */
static void of_one_layout(struct summary *s, double scatter, double noise_floor,
			  double identical_floor)
{
	struct bench *b;

	fixture_init(s);
	b = undecided(s, "a", 0.027, 200);
	b->metrics[0].delta.noise_floor = noise_floor;
	b->calibration = (struct calibration){ .n = 20, .floor = identical_floor };
	b->calibration.layouts = (struct layout_calibration){ .n = 16, .scatter = scatter };
	b->paired = true;
	assert_int_equal(0, str_set(&b->gate, b->metrics[0].name, NULL) ||
				    str_set(&b->binary_id, "aa", NULL) ||
				    str_set(&b->base_binary_id, "bb", NULL));
}

/*
 * Of +-2.7 % the layouts are +-2.6 (15 degrees of freedom at 0.99: 2.602480 %): more pairs find no
 * less, and are no advice.  Where they are +-0.1 they are one, and of identical code that differed
 * by 15 % they find that at least, and an error more.
 */
static void pairs_that_narrow_nothing_are_no_advice(void **state)
{
	struct summary s;

	(void)state;
	of_one_layout(&s, 0.01, 0.035, 0);
	expect(&s, "a is inconclusive.");
	of_one_layout(&s, 0.001 / 2.602480, 0.2, 0);
	expect(&s, "a is inconclusive; --pairs 200 would find changes from 1.2 % on, 20 s "
		   "more.");
	of_one_layout(&s, 0.001 / 2.602480, 0.2, 0.15);
	expect(&s, "a is inconclusive; --pairs 200 would find changes from 15.3 % on, 20 s "
		   "more.");
	of_one_layout(&s, 0.001 / 2.602480, 0.2, 0.5);
	expect(&s, "a is inconclusive.");
}

static struct bench *suspect(struct summary *s, const char *name, double ratio)
{
	struct bench *b =
		fixture_judged(s, name, ratio, ratio - 0.013, ratio + 0.013, VERDICT_INCONCLUSIVE);

	b->metrics[0].delta.suspect = true;
	return b;
}

static void a_suspect_asks_for_a_comparison(void **state)
{
	struct summary s;

	(void)state;
	fixture_init(&s);
	suspect(&s, "a", 1.034);
	expect(&s, "a looks 3.4 % slower [2.1, 4.7] than its stored baseline 0f1e2d3; to be "
		   "sure, build and run both: pawl compare 0f1e2d3..a1b2c3d.");
	fixture_init(&s);
	suspect(&s, "a", 1.034);
	suspect(&s, "b", 1.134);
	fixture_judged(&s, "c", UNCHANGED);
	expect(&s, "2 of 3 benchmarks are suspect, most of all b, which looks 13.4 % slower [12.1, "
		   "14.7] than its stored baseline 0f1e2d3; 1 unchanged; to be sure, build and run "
		   "both: pawl compare 0f1e2d3..a1b2c3d.");
	fixture_init(&s);
	suspect(&s, "a", 0.966);
	fixture_judged(&s, "b", UNCHANGED);
	expect(&s, "1 of 2 benchmarks is suspect: a looks 3.4 % faster [2.1, 4.7] than its stored "
		   "baseline 0f1e2d3; 1 unchanged; to be sure, build and run both: pawl "
		   "compare 0f1e2d3..a1b2c3d.");
	fixture_init(&s);
	s.commit.dirty = true;
	suspect(&s, "a", 1.034);
	expect(&s, "a looks 3.4 % slower [2.1, 4.7] than its stored baseline 0f1e2d3; to be sure, "
		   "build and run both: pawl compare --working-tree.");
}

static void no_benchmark_is_said_plainly(void **state)
{
	struct summary s;

	(void)state;
	fixture_init(&s);
	expect(&s, "No benchmark was run.");
}

static void hostile_and_long_names_stay_harmless(void **state)
{
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_judged(
		&s,
		"::error::\x1b[31mnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
		"\nnnnnnn",
		SLOWER);
	expect(&s, "\\::error::\\e[31mnnnnnnnnnnnnnnnn\xe2\x80\xa6nnnnnnnnnnnnnnnnnnnnnn\\nnnnnnn "
		   "regressed: it is 3.4 % slower [2.1, 4.7] than 0f1e2d3.");
}

static void figures_that_are_missing_are_left_out(void **state)
{
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "a", (double)NAN, (double)NAN, (double)NAN, VERDICT_REGRESSED);
	assert_int_equal(0, str_set(&s.baseline.commit, NULL, NULL));
	expect(&s, "a regressed: it is slower than the baseline.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(inconclusive_says_what_strict_makes_of_it),
		cmocka_unit_test(advice_is_in_seconds_and_never_above_the_limit),
		cmocka_unit_test(pairs_that_narrow_nothing_are_no_advice),
		cmocka_unit_test(a_suspect_asks_for_a_comparison),
		cmocka_unit_test(no_benchmark_is_said_plainly),
		cmocka_unit_test(hostile_and_long_names_stay_harmless),
		cmocka_unit_test(figures_that_are_missing_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
