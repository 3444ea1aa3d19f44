#include "tests/unit/test_stats_near.h"

#include "lib/stats/family.h"
#include "lib/stats/walsh.h"

#include "lib/base/banned.h"

enum { N = 20, M = 20 };

struct fixture {
	double d[M][N];
	struct family_member member[M];
};

/* Around centre with spread; n_minus of the small sizes on the other side set p. */
static void set_sample(double *d, double centre, double spread)
{
	for (int i = 0; i < N; i++)
		d[i] = centre + spread * ((i + 0.5) / N - 0.5);
}

static void judge_member(struct family_member *member, const double *d)
{
	*member = (struct family_member){
		.d = d, .n = N, .alpha = 0.05, .delta_log = 0.01, .n_looks = 1
	};
	assert_int_equal(judge_pairs(d, N, 0.05, false, 0.01, &member->judged, NULL), 0);
}

/* 0..2: clear regressions; 3: clear improvement; 4: just significant; the rest: nothing. */
static struct fixture *fixture_new(void)
{
	struct fixture *made = calloc(1, sizeof(*made));

	assert_non_null(made);
	for (int b = 0; b < M; b++) {
		if (b < 3)
			set_sample(made->d[b], 0.03, 0.02 + 0.001 * b);
		else if (b == 3)
			set_sample(made->d[b], -0.03, 0.02);
		else if (b == 4)
			set_sample(made->d[b], 0.0105, 0.065);
		else
			set_sample(made->d[b], 0.0001 * b, 0.01);
		judge_member(&made->member[b], made->d[b]);
	}
	return made;
}

static void clear_changes_keep_their_call_with_a_wider_interval(void **state)
{
	struct fixture *f = fixture_new();
	struct walsh walsh = WALSH_INIT;
	double low, high, alone;

	(void)state;
	alone = f->member[0].judged.low;
	assert_int_equal(judge_family(f->member, M, 0.05, NULL), 0);
	assert_int_equal(f->member[0].judged.call, CALL_REGRESSED);
	assert_int_equal(f->member[3].judged.call, CALL_IMPROVED);
	assert_true(f->member[0].flagged && f->member[3].flagged);
	/* flagged: by hand, p = 2^-19 for 0..3; others as counted here */
	{
		size_t k = 0;

		for (int b = 0; b < M; b++)
			k += f->member[b].flagged;
		assert_near(f->member[0].judged.confidence / (1 - 0.05 * (double)k / M),
			    "1.00000000000000");
		assert_int_equal(walsh_build(f->d[0], N, &walsh, NULL), 0);
		walsh_interval(&walsh, 1 - 0.05 * (double)k / M, &low, &high);
		walsh_release(&walsh);
	}
	assert_same(f->member[0].judged.low, low);
	assert_same(f->member[0].judged.high, high);
	assert_true(low < alone);
	free(f);
}

static void significant_only_by_itself_becomes_inconclusive(void **state)
{
	struct fixture *f = fixture_new();
	double p;

	(void)state;
	/* nothing else is significant, so the family asks p <= .05/20 of it */
	for (int b = 0; b < M; b++) {
		if (b == 4)
			continue;
		set_sample(f->d[b], 0, 0.01);
		judge_member(&f->member[b], f->d[b]);
	}
	p = f->member[4].judged.p;
	assert_true(p <= 0.05 && p > 0.0025);
	assert_int_equal(f->member[4].judged.call, CALL_REGRESSED);
	assert_int_equal(judge_family(f->member, M, 0.05, NULL), 0);
	assert_int_equal(f->member[4].judged.call, CALL_INCONCLUSIVE);
	assert_false(f->member[4].flagged);
	assert_near(f->member[4].judged.p_adjusted / (M * p), "1.00000000000000");
	assert_same(f->member[4].judged.p, p);
	assert_same(f->member[4].judged.confidence, 0.95);
	assert_true(f->member[4].judged.pairs_needed > N);
	assert_true(isfinite(f->member[4].judged.pairs_needed));
	for (int b = 5; b < M; b++)
		assert_int_equal(f->member[b].judged.call, CALL_UNCHANGED);
	free(f);
}

static void one_benchmark_alone_keeps_its_own_verdict(void **state)
{
	struct fixture *f = fixture_new();
	struct judgement before;

	(void)state;
	for (int b = 0; b < 6; b++) {
		before = f->member[b].judged;
		assert_int_equal(judge_family(&f->member[b], 1, 0.05, NULL), 0);
		assert_int_equal(f->member[b].judged.call, before.call);
		assert_same(f->member[b].judged.low, before.low);
		assert_same(f->member[b].judged.p_adjusted, before.p);
	}
	free(f);
}

static void failed_benchmarks_still_count(void **state)
{
	struct fixture *f = fixture_new();
	double p = f->member[4].judged.p;
	struct family_member pair[2];

	(void)state;
	memset(pair, 0, sizeof(pair));
	pair[0] = f->member[4];
	pair[1].n_looks = 1;
	pair[1].judged.call = CALL_REGRESSED;
	assert_int_equal(judge_family(pair, 2, 0.05, NULL), 0);
	assert_near(pair[0].judged.p_adjusted / (2 * p), "1.00000000000000");
	assert_same(pair[1].judged.p_adjusted, 1);
	assert_false(pair[1].flagged);
	assert_int_equal(pair[1].judged.call, CALL_REGRESSED);
	free(f);
}

static void looks_multiply_the_p_value(void **state)
{
	struct fixture *f = fixture_new();
	double p = f->member[4].judged.p;

	(void)state;
	f->member[4].n_looks = 3;
	assert_int_equal(judge_family(&f->member[4], 1, 0.05, NULL), 0);
	assert_near(f->member[4].judged.p_adjusted / (3 * p), "1.00000000000000");
	f->member[5].n_looks = 1000;
	assert_int_equal(judge_family(&f->member[5], 1, 0.05, NULL), 0);
	assert_same(f->member[5].judged.p_adjusted, 1);
	free(f);
}

/* Adding harmless benchmarks can only take flags away. */
static void larger_family_never_flags_more(void **state)
{
	(void)state;
	for (size_t m = 5; m <= M; m++) {
		struct fixture *f = fixture_new();
		size_t called = 0;

		for (size_t b = 5; b < m; b++) {
			set_sample(f->d[b], 0, 0.01);
			judge_member(&f->member[b], f->d[b]);
		}
		assert_int_equal(judge_family(f->member, m, 0.05, NULL), 0);
		for (size_t b = 0; b < m; b++) {
			const struct judgement *j = &f->member[b].judged;

			if (j->call == CALL_REGRESSED || j->call == CALL_IMPROVED) {
				called++;
				assert_true(f->member[b].flagged);
				assert_true(j->low > 0 || j->high < 0);
			}
			assert_at_most(j->p, j->p_adjusted);
		}
		assert_in_range(called, 4, 5);
		free(f);
	}
}

static void own_stricter_level_is_never_relaxed(void **state)
{
	struct fixture *f = fixture_new();
	struct family_member member = f->member[0];
	double low;

	(void)state;
	member.alpha = 0.01;
	assert_int_equal(judge_pairs(f->d[0], N, 0.01, false, 0.01, &member.judged, NULL), 0);
	low = member.judged.low;
	assert_int_equal(judge_family(&member, 1, 0.05, NULL), 0);
	assert_same(member.judged.low, low);
	assert_same(member.judged.confidence, 0.99);
	free(f);
}

/*
 * With ties p and interval are two computations, and p may be small while the interval at the FCR
 * level reaches 0: "regressed" must not stand beside it.
 */
static void flagged_never_shows_an_interval_with_0_in_it(void **state)
{
	struct fixture *f = fixture_new();
	unsigned calls[4] = { 0 };

	(void)state;
	for (int spread = 1; spread < 200; spread++) {
		set_sample(f->d[4], 0.0151, 0.0005 * spread);
		for (int i = 0; i < N; i++)
			f->d[4][i] = 0.005 * round(f->d[4][i] / 0.005);
		for (int b = 0; b < M; b++)
			judge_member(&f->member[b], f->d[b]);
		assert_int_equal(judge_family(f->member, M, 0.05, NULL), 0);
		calls[f->member[4].judged.call]++;
		if (f->member[4].judged.call == CALL_REGRESSED)
			assert_true(f->member[4].judged.low > 0);
	}
	assert_true(calls[CALL_REGRESSED] > 20);
	assert_true(calls[CALL_INCONCLUSIVE] > 20);
	free(f);
}

static void bad_family_is_refused(void **state)
{
	struct fixture *f = fixture_new();
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(judge_family(f->member, M, 0, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	assert_int_equal(judge_family(f->member, M, 1, &err), -1);
	assert_int_equal(judge_family(f->member, M, (double)NAN, &err), -1);
	assert_int_equal(judge_family(f->member, 0, 0.05, &err), -1);
	f->member[2].judged.p = (double)NAN;
	assert_int_equal(judge_family(f->member, M, 0.05, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clear_changes_keep_their_call_with_a_wider_interval),
		cmocka_unit_test(significant_only_by_itself_becomes_inconclusive),
		cmocka_unit_test(one_benchmark_alone_keeps_its_own_verdict),
		cmocka_unit_test(failed_benchmarks_still_count),
		cmocka_unit_test(looks_multiply_the_p_value),
		cmocka_unit_test(larger_family_never_flags_more),
		cmocka_unit_test(own_stricter_level_is_never_relaxed),
		cmocka_unit_test(flagged_never_shows_an_interval_with_0_in_it),
		cmocka_unit_test(bad_family_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
