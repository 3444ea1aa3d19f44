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
	assert_int_equal(judge_family(f->member, M, 0.05, true, NULL), 0);
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
	assert_int_equal(judge_family(f->member, M, 0.05, true, NULL), 0);
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
		if (b == 4) /* in noise beyond the threshold, see below */
			continue;
		before = f->member[b].judged;
		assert_int_equal(judge_family(&f->member[b], 1, 0.05, true, NULL), 0);
		assert_int_equal(f->member[b].judged.call, before.call);
		assert_same(f->member[b].judged.low, before.low);
		assert_same(f->member[b].judged.p_adjusted, before.p);
	}
	free(f);
}

/* Judges n pairs alone, of one look, and then as a family of one. */
static struct judgement alone_of(const double *d, size_t n)
{
	struct family_member member = {
		.d = d, .n = n, .alpha = 0.05, .delta_log = 0.01, .n_looks = 1
	};

	assert_int_equal(judge_pairs(d, n, 0.05, false, 0.01, &member.judged, NULL), 0);
	assert_int_equal(judge_family(&member, 1, FAMILY_FDR, true, NULL), 0);
	return member.judged;
}

/*
 * -0.022 to 0.043, evenly: 13 of 20 are positive, 7 of them larger than any negative one.  Its
 * noise, +-0.0102 at 95 %, is beyond the threshold, and p = 0.043.
 */
static void what_noise_beyond_the_threshold_may_have_made_is_inconclusive(void **state)
{
	struct fixture *f = fixture_new();
	struct judgement got;

	(void)state;
	assert_int_equal(f->member[4].judged.call, CALL_REGRESSED);
	assert_true(f->member[4].judged.p < 0.05);
	got = alone_of(f->d[4], N);
	assert_int_equal(got.call, CALL_INCONCLUSIVE);
	assert_true(got.low > 0 && got.theta >= 0.01); /* still shown as it is */
	assert_true(got.pairs_needed > N);
	for (int i = 0; i < N; i++)
		f->d[4][i] = -f->d[4][i];
	assert_int_equal(alone_of(f->d[4], N).call, CALL_INCONCLUSIVE); /* of whichever sign */
	free(f);
}

/* The same spread, three times as far from 0. */
static void a_change_that_stands_out_of_such_noise_is_called(void **state)
{
	double d[N];

	(void)state;
	set_sample(d, 0.03, 0.065);
	assert_int_equal(alone_of(d, N).call, CALL_REGRESSED);
	set_sample(d, -0.03, 0.065);
	assert_int_equal(alone_of(d, N).call, CALL_IMPROVED);
}

/* Three times the work in 8 pairs with noise of 20 %: p = 2^-7, no smaller one is to be had. */
static void few_pairs_suffice_for_what_is_far_beyond_their_noise(void **state)
{
	static const double d[8] = { 1.1, 0.95, 1.3, 1.0, 1.2, 1.15, 0.9, 1.05 };
	struct judgement got = alone_of(d, 8);

	(void)state;
	assert_same(got.p, 0.0078125);
	assert_int_equal(got.call, CALL_REGRESSED);
}

/* +-0.0078 around 0.0131: an interval of +-0.0117 leaves out 0 as well. */
static void noise_within_the_threshold_is_filtered_by_it_already(void **state)
{
	double d[N];
	struct judgement got;

	(void)state;
	set_sample(d, 0.0131, 0.05);
	got = alone_of(d, N);
	assert_true(got.theta - 0.75 * (got.high - got.low) > 0);
	assert_int_equal(got.call, CALL_REGRESSED);
}

static void the_noise_floor_says_what_would_have_been_called(void **state)
{
	double d[N], half;
	struct judgement got;

	(void)state;
	set_sample(d, 0.001, 0.1);
	got = alone_of(d, N);
	half = 0.5 * (got.high - got.low);
	assert_true(half > 0.01);
	assert_near(got.noise_floor / half, "1.50000000000000");
	set_sample(d, 0.001, 0.01);
	assert_same(alone_of(d, N).noise_floor, 0.01);
}

/* As the only one that differs among m, it comes to no less when others are flagged, too. */
static void a_member_alone_knows_the_least_that_it_comes_to(void **state)
{
	struct fixture *f = fixture_new();
	struct family_member alone[M];

	(void)state;
	memcpy(alone, f->member, sizeof(alone));
	assert_int_equal(judge_family(f->member, M, FAMILY_FDR, true, NULL), 0);
	for (int b = 0; b < M; b++) {
		assert_int_equal(judge_in_family(&alone[b], M, NULL), 0);
		assert_int_equal(alone[b].judged.call, f->member[b].judged.call);
		assert_true(alone[b].judged.p_adjusted >= f->member[b].judged.p_adjusted);
	}
	assert_int_equal(alone[0].judged.call, CALL_REGRESSED);
	assert_same(alone[0].judged.p_adjusted, M * alone[0].judged.p);
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
	assert_int_equal(judge_family(pair, 2, 0.05, true, NULL), 0);
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
	assert_int_equal(judge_family(&f->member[4], 1, 0.05, true, NULL), 0);
	assert_near(f->member[4].judged.p_adjusted / (3 * p), "1.00000000000000");
	f->member[5].n_looks = 1000;
	assert_int_equal(judge_family(&f->member[5], 1, 0.05, true, NULL), 0);
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
		assert_int_equal(judge_family(f->member, m, 0.05, true, NULL), 0);
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
	assert_int_equal(judge_family(&member, 1, 0.05, true, NULL), 0);
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
		assert_int_equal(judge_family(f->member, M, 0.05, true, NULL), 0);
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
	assert_int_equal(judge_family(f->member, M, 0, true, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	assert_int_equal(judge_family(f->member, M, 1, true, &err), -1);
	assert_int_equal(judge_family(f->member, M, (double)NAN, true, &err), -1);
	assert_int_equal(judge_family(f->member, 0, 0.05, true, &err), -1);
	f->member[2].judged.p = (double)NAN;
	assert_int_equal(judge_family(f->member, M, 0.05, true, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clear_changes_keep_their_call_with_a_wider_interval),
		cmocka_unit_test(significant_only_by_itself_becomes_inconclusive),
		cmocka_unit_test(one_benchmark_alone_keeps_its_own_verdict),
		cmocka_unit_test(what_noise_beyond_the_threshold_may_have_made_is_inconclusive),
		cmocka_unit_test(a_change_that_stands_out_of_such_noise_is_called),
		cmocka_unit_test(few_pairs_suffice_for_what_is_far_beyond_their_noise),
		cmocka_unit_test(noise_within_the_threshold_is_filtered_by_it_already),
		cmocka_unit_test(the_noise_floor_says_what_would_have_been_called),
		cmocka_unit_test(a_member_alone_knows_the_least_that_it_comes_to),
		cmocka_unit_test(failed_benchmarks_still_count),
		cmocka_unit_test(looks_multiply_the_p_value),
		cmocka_unit_test(larger_family_never_flags_more),
		cmocka_unit_test(own_stricter_level_is_never_relaxed),
		cmocka_unit_test(flagged_never_shows_an_interval_with_0_in_it),
		cmocka_unit_test(bad_family_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
