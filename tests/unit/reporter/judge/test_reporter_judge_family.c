/* Many benchmarks judged together: which count in the family, and what that costs. */
#include "tests/unit/reporter/judge/judge_fixture.h"

#include <stdio.h>

#include "lib/base/banned.h"

static void of_twenty_only_the_true_change_is_called(void **state)
{
	struct summary s;
	struct tally t;
	char name[32];
	int i;

	(void)state;
	judge_init(&s);
	for (i = 0; i < 19; i++) {
		snprintf(name, sizeof(name), "noise%d", i);
		add_noise(&s, name);
	}
	add_change(&s, "true", 3);
	judge_well(&s);
	tally_of(&s, &t);
	assert_int_equal(VERDICT_REGRESSED, verdict_of_bench(&s, "true"));
	assert_int_equal(1, t.n[VERDICT_REGRESSED]);
	assert_int_equal(0, t.n[VERDICT_IMPROVED]);
	assert_int_equal(20, t.n_benchmarks);
	/* 17 of 17 pairs up: p = 2 / 2^17, times 20 */
	assert_near(0x1p-16, delta_of(&s, "true")->p, 0);
	assert_near(20 * 0x1p-16, delta_of(&s, "true")->p_adjusted, 1e-15);
	assert_near(0.98, delta_of(&s, "true")->confidence, 1e-12);
	summary_release(&s);
}

/* p 0.0005 is enough for one benchmark, not for one of twenty. */
static void a_weak_one_of_twenty_is_inconclusive(void **state)
{
	struct summary s;
	char name[32];
	int i;

	(void)state;
	judge_init(&s);
	for (i = 0; i < 19; i++) {
		snprintf(name, sizeof(name), "noise%d", i);
		add_noise(&s, name);
	}
	add_known(&s, "weak", 0.01);
	judge_well(&s);
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "weak"));
	assert_near(20 * KNOWN_P, delta_of(&s, "weak")->p_adjusted, 1e-15);
	summary_release(&s);
}

/* Two were run: 18 p is over 0.005, though the other one gave no number. */
static void a_failed_one_counts_in_the_family(void **state)
{
	struct summary s;
	struct bench *b;

	(void)state;
	judge_init(&s);
	fixture_failed(&s, "broken", "exited with status 3");
	add_weak(&s, "x");
	judge_well(&s);
	assert_int_equal(VERDICT_FAILED, verdict_of_bench(&s, "broken"));
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "x"));
	assert_near(18 * KNOWN_P, delta_of(&s, "x")->p_adjusted, 1e-15);
	assert_int_equal(4, judge_exit(&s, true));
	b = summary_find(&s, "broken");
	b->status = BENCH_TIMEOUT;
	assert_int_equal(VERDICT_FAILED, verdict_of_bench(&s, "broken"));
	assert_int_equal(4, judge_exit(&s, false));
	summary_release(&s);
}

static void what_was_not_run_does_not_count_in_the_family(void **state)
{
	struct summary s;
	struct bench *b;

	(void)state;
	judge_init(&s);
	b = fixture_bench(&s, "same");
	b->paired = false;
	assert_int_equal(0, str_set(&b->binary_id, "aa", NULL));
	assert_int_equal(0, str_set(&b->base_binary_id, "aa", NULL));
	b = fixture_bench(&s, "gone");
	b->paired = false;
	b->status = BENCH_REMOVED;
	add_weak(&s, "x");
	judge_well(&s);
	assert_int_equal(VERDICT_REGRESSED, verdict_of_bench(&s, "x"));
	assert_int_equal(VERDICT_REMOVED, verdict_of_bench(&s, "gone"));
	assert_int_equal(VERDICT_IDENTICAL, verdict_of_bench(&s, "same"));
	assert_null(bench_delta(summary_find(&s, "same")));
	summary_release(&s);
}

/* They were run and count. */
static void pairs_without_a_ratio_count_in_the_family(void **state)
{
	double zero[N_PAIRS] = { 0 };
	struct summary s;

	(void)state;
	judge_init(&s);
	add_pairs(&s, "x", zero, zero, N_PAIRS, 0.01);
	add_weak(&s, "y");
	judge_well(&s);
	assert_near(18 * KNOWN_P, delta_of(&s, "y")->p_adjusted, 1e-15);
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "y"));
	summary_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_twenty_only_the_true_change_is_called),
		cmocka_unit_test(a_weak_one_of_twenty_is_inconclusive),
		cmocka_unit_test(a_failed_one_counts_in_the_family),
		cmocka_unit_test(what_was_not_run_does_not_count_in_the_family),
		cmocka_unit_test(pairs_without_a_ratio_count_in_the_family),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
