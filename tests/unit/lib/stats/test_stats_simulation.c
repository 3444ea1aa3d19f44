/*
 * What the verdict promises, counted on simulated machines: hostile noise, seeded, no clock.
 *
 * The log-ratio of a pair has a standard deviation of about 0.02, as measured on a shared virtual
 * machine with processes one after the other.
 *
 * PAWL_TEST_SLOW in the environment runs 25 times as many.  Bounds are the method's promises; the
 * counts are repeatable, so a bound that holds once holds always.
 */
#include "tests/unit/lib/stats/simulation_fixture.h"

#include "lib/stats/family.h"
#include "lib/stats/sequential.h"
#include "lib/stats/signedrank.h"

#include "lib/base/banned.h"

enum { PAIRS = 25, PAIRS_MAX = 30, FAMILY = 20 };

static struct judgement judge(const double *d, size_t n)
{
	struct judgement out = { 0 };

	assert_int_equal(judge_pairs(d, n, 0.05, false, log1p(0.01), &out, NULL), 0);
	return out;
}

struct tally {
	double call[4];
	double total, covered, significant;
};

static struct tally judge_many(uint64_t seed, double effect, int rounds)
{
	struct machine machine;
	struct tally tally = { .total = rounds };
	double d[PAIRS];

	machine_init(&machine, &SHARED_MACHINE, seed);
	for (int i = 0; i < rounds; i++) {
		struct judgement got;

		measure(&machine, d, PAIRS, effect);
		got = judge(d, PAIRS);
		tally.call[got.call]++;
		tally.covered += got.low <= effect && effect <= got.high;
		tally.significant += got.p <= 0.05;
	}
	return tally;
}

static void noise_is_as_wide_as_was_measured(void **state)
{
	static double d[5000];
	struct machine machine;
	double sd;

	(void)state;
	machine_init(&machine, &SHARED_MACHINE, 1);
	measure(&machine, d, 5000, 0);
	sd = sd_of(d, 5000);
	print_message("# standard deviation of a pair: %.4f\n", sd);
	assert_true(sd > 0.018 && sd < 0.023);
}

static void no_change_is_called_regressed_at_most_once_in_100(void **state)
{
	struct tally got = judge_many(2, 0, 5000 * scale());

	(void)state;
	count_is("no change called regressed", got.call[CALL_REGRESSED], got.total, 0, 0.01);
	count_is("no change called improved", got.call[CALL_IMPROVED], got.total, 0, 0.01);
	count_is("no change significant", got.significant, got.total, 0.035, 0.055);
}

static void two_percent_is_found_in_9_of_10(void **state)
{
	struct tally got = judge_many(3, log1p(0.02), 2000 * scale());

	(void)state;
	count_is("+2 % found", got.call[CALL_REGRESSED], got.total, 0.90, 1);
	count_is("+2 % called improved", got.call[CALL_IMPROVED], got.total, 0, 0);
	count_is("+2 % called unchanged", got.call[CALL_UNCHANGED], got.total, 0, 0.001);
	got = judge_many(4, -log1p(0.02), 2000 * scale());
	count_is("-2 % found", got.call[CALL_IMPROVED], got.total, 0.90, 1);
}

static void threshold_itself_is_called_unchanged_at_most_once_in_20(void **state)
{
	struct tally got = judge_many(5, log1p(0.01), 2000 * scale());

	(void)state;
	count_is("+1 % called unchanged", got.call[CALL_UNCHANGED], got.total, 0, 0.055);
	count_is("+1 % found", got.call[CALL_REGRESSED], got.total, 0.3, 0.7);
}

static void interval_covers_the_truth_95_times_in_100(void **state)
{
	struct tally none = judge_many(6, 0, 4000 * scale());
	struct tally two = judge_many(7, 0.02, 4000 * scale());

	(void)state;
	count_is("interval covers 0", none.covered, none.total, 0.94, 0.96);
	count_is("interval covers +2 %", two.covered, two.total, 0.94, 0.96);
}

struct family {
	double d[FAMILY][PAIRS];
	struct family_member member[FAMILY];
};

static void judge_one_family(struct machine *machine, struct family *family, int changed)
{
	for (int b = 0; b < FAMILY; b++) {
		double effect = b < changed ? log1p(0.02) : 0;

		measure(machine, family->d[b], PAIRS, effect);
		family->member[b] = (struct family_member){ .d = family->d[b],
							    .n = PAIRS,
							    .alpha = 0.05,
							    .delta_log = log1p(0.01),
							    .n_looks = 1 };
		family->member[b].judged = judge(family->d[b], PAIRS);
	}
	assert_int_equal(judge_family(family->member, FAMILY, 0.05, true, NULL), 0);
}

static bool is_called(const struct family_member *member)
{
	return member->judged.call == CALL_REGRESSED || member->judged.call == CALL_IMPROVED;
}

static void twenty_quiet_benchmarks_raise_any_alarm_at_most_once_in_20(void **state)
{
	int rounds = 300 * scale();
	struct machine machine;
	struct family family;
	double any = 0;

	(void)state;
	machine_init(&machine, &SHARED_MACHINE, 8);
	for (int i = 0; i < rounds; i++) {
		bool alarm = false;

		judge_one_family(&machine, &family, 0);
		for (int b = 0; b < FAMILY; b++)
			alarm = alarm || is_called(&family.member[b]);
		any += alarm;
	}
	count_is("any of 20 quiet benchmarks called", any, rounds, 0, 0.05);
}

static void two_of_twenty_are_found_with_few_false_ones(void **state)
{
	int rounds = 200 * scale();
	double found = 0, false_share = 0, covered = 0, shown = 0;
	struct machine machine;
	struct family family;

	(void)state;
	machine_init(&machine, &SHARED_MACHINE, 9);
	for (int i = 0; i < rounds; i++) {
		double right = 0, wrong = 0;

		judge_one_family(&machine, &family, 2);
		for (int b = 0; b < FAMILY; b++) {
			const struct judgement *judged = &family.member[b].judged;
			double truth = b < 2 ? log1p(0.02) : 0;

			if (!is_called(&family.member[b]))
				continue;
			right += b < 2;
			wrong += b >= 2;
			shown++;
			covered += judged->low <= truth && truth <= judged->high;
		}
		found += right;
		false_share += right + wrong > 0 ? wrong / (right + wrong) : 0;
	}
	count_is("+2 % found among 20", found, 2.0 * rounds, 0.8, 1);
	count_is("false ones among the called", false_share, rounds, 0, 0.05);
	count_is("intervals shown that cover", covered, shown, 0.95, 1);
}

static struct judgement judge_alone(const double *d, size_t n)
{
	struct family_member member = { .d = d,
					.n = n,
					.alpha = 0.05,
					.delta_log = log1p(0.01),
					.n_looks = 1,
					.judged = judge(d, n) };

	assert_int_equal(judge_family(&member, 1, FAMILY_FDR, true, NULL), 0);
	return member.judged;
}

/* Measured anew with as many pairs as "about N would decide" says, in noise of 10 %. */
static void as_many_pairs_as_it_says_mostly_decide(void **state)
{
	static const struct noise wide = { "wide", 0, 0, 0, 0.07, false, 0, 0 };
	enum { MOST = 1000 };
	int rounds = 150 * scale();
	double told = 0, decided = 0, pairs = 0;
	static double d[MOST];
	struct machine machine;

	(void)state;
	machine_init(&machine, &wide, 13);
	for (int i = 0; i < rounds; i++) {
		struct judgement got;

		measure(&machine, d, PAIRS_MAX, log1p(0.05));
		got = judge_alone(d, PAIRS_MAX);
		if (got.call != CALL_INCONCLUSIVE || !(got.pairs_needed <= MOST) ||
		    got.theta < log1p(0.01))
			continue;
		told++;
		pairs += got.pairs_needed;
		measure(&machine, d, (size_t)got.pairs_needed, log1p(0.05));
		decided += judge_alone(d, (size_t)got.pairs_needed).call == CALL_REGRESSED;
	}
	print_message("# told to take %.0f pairs\n", pairs / told);
	count_is("decided by as many pairs as it said", decided, told, 0.6, 1);
}

/* The same two schedules on the same pairs: with the levels, and "until significant". */
static void looking_early_is_paid_for_by_the_levels(void **state)
{
	static const unsigned looks[3] = { 20, 25, 30 };
	int rounds = 3000 * scale();
	double adjusted = 0, combined = 0, plain = 0, d[PAIRS_MAX];
	struct sequential_plan plan;
	struct machine machine;

	(void)state;
	assert_int_equal(sequential_plan_find(.05, looks, 3, &plan, NULL), 0);
	machine_init(&machine, &SHARED_MACHINE, 10);
	for (int i = 0; i < rounds; i++) {
		bool by_plan = false, by_p = false, naive = false;

		measure(&machine, d, PAIRS_MAX, 0);
		for (size_t k = 0; k < plan.n_looks; k++) {
			struct signed_rank got;

			assert_int_equal(signed_rank(d, plan.pairs[k], 0.95, &got, NULL), 0);
			by_plan = by_plan || got.p <= plan.level;
			by_p = by_p || sequential_p(got.p, plan.n_looks) <= 0.05;
			naive = naive || got.p <= 0.05;
		}
		adjusted += by_plan;
		combined += by_p;
		plain += naive;
	}
	count_is("significant at any look, plan's levels", adjusted, rounds, 0.03, 0.055);
	count_is("significant at any look, p times looks", combined, rounds, 0, 0.05);
	count_is("significant at any look, unadjusted", plain, rounds, 0.06, 0.12);
}

/*
 * Stopping by width costs a little: long runs with other seeds gave 5.3 % here and 5.5 % with
 * normal noise (verdict.h).  The bound is the larger of these and three standard errors of the
 * count; "until significant" at the same looks is far outside it, so the bound can tell them apart.
 */
static void stopping_by_width_costs_half_a_point_of_error(void **state)
{
	int rounds = 1500 * scale();
	double significant = 0, called = 0, naive = 0, pairs = 0, d[PAIRS_MAX];
	double bound = 0.055 + 3 * sqrt(0.055 * 0.945 / rounds);
	struct machine machine;

	(void)state;
	machine_init(&machine, &SHARED_MACHINE, 11);
	for (int i = 0; i < rounds; i++) {
		bool stopped = false, peeked = false;

		measure(&machine, d, PAIRS_MAX, 0);
		for (size_t n = 20; n <= PAIRS_MAX; n++) {
			struct judgement got = judge(d, n);
			bool narrow = false;

			peeked = peeked || got.p <= 0.05;
			if (stopped)
				continue;
			assert_int_equal(
				pairs_narrow_enough(d, n, 0.95, log1p(0.01), &narrow, NULL), 0);
			stopped = narrow || n == PAIRS_MAX;
			if (!stopped)
				continue;
			pairs += (double)n;
			significant += got.p <= 0.05;
			called += got.call == CALL_REGRESSED || got.call == CALL_IMPROVED;
		}
		naive += peeked;
	}
	print_message("# pairs until narrow enough: %.1f\n", pairs / rounds);
	count_is("significant when stopped by width", significant, rounds, 0.03, bound);
	count_is("called when stopped by width", called, rounds, 0, 0.01);
	count_is("significant at any of the same looks", naive, rounds, bound, 1);
}

/*
 * The control: the same machine measured as a block of base runs, then a block of head runs.  If
 * this were harmless, the noise above would prove nothing.
 */
static void blocks_in_place_of_coins_raise_alarm_after_alarm(void **state)
{
	int rounds = 500 * scale();
	double significant = 0, d[PAIRS];
	struct machine machine;

	(void)state;
	machine_init(&machine, &SHARED_MACHINE, 12);
	for (int i = 0; i < rounds; i++) {
		double base[PAIRS];

		for (int k = 0; k < PAIRS; k++)
			base[k] = run(&machine, k % 2);
		for (int k = 0; k < PAIRS; k++)
			d[k] = run(&machine, k % 2) - base[k];
		significant += judge(d, PAIRS).p <= 0.05;
	}
	count_is("significant when measured in blocks", significant, rounds, 0.3, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noise_is_as_wide_as_was_measured),
		cmocka_unit_test(no_change_is_called_regressed_at_most_once_in_100),
		cmocka_unit_test(two_percent_is_found_in_9_of_10),
		cmocka_unit_test(threshold_itself_is_called_unchanged_at_most_once_in_20),
		cmocka_unit_test(interval_covers_the_truth_95_times_in_100),
		cmocka_unit_test(twenty_quiet_benchmarks_raise_any_alarm_at_most_once_in_20),
		cmocka_unit_test(two_of_twenty_are_found_with_few_false_ones),
		cmocka_unit_test(as_many_pairs_as_it_says_mostly_decide),
		cmocka_unit_test(looking_early_is_paid_for_by_the_levels),
		cmocka_unit_test(stopping_by_width_costs_half_a_point_of_error),
		cmocka_unit_test(blocks_in_place_of_coins_raise_alarm_after_alarm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
