/* Against stored samples nothing is ever a verdict, and a suspicion needs a long history. */
#include "tests/unit/reporter/judge/judge_fixture.h"

#include <stdlib.h>

#include "reporter/judge/judge.h"

#include "lib/base/banned.h"

#define N_RUNS 10

/* The level of session i: 100 with a drift of +-0.5 % between sessions. */
static double level_of(size_t i)
{
	return 100 * (1 + (i % 2 ? 0.005 : -0.005));
}

/* One session: ten runs around a level beside two anchors that always take 50 and 80. */
static struct bench *add_session(struct summary *s, double level)
{
	double x[N_RUNS];
	struct bench *b;
	struct track *t[2];
	int i;

	for (i = 0; i < N_RUNS; i++)
		x[i] = level * (1 + 0.0002 * (i - 4.5));
	b = add_pairs(s, "x", x, NULL, N_RUNS, 0.01);
	b->paired = false;
	b->iterations = 1000;
	t[0] = bench_add_track(b, "anchor-alu", NULL);
	assert_non_null(t[0]);
	for (i = 0; i < N_RUNS; i++)
		assert_int_equal(0, samples_add(&t[0]->head, &t[0]->n_head, 50, NULL));
	t[1] = bench_add_track(b, "anchor-malloc", NULL);
	assert_non_null(t[1]);
	for (i = 0; i < N_RUNS; i++)
		assert_int_equal(0, samples_add(&t[1]->head, &t[1]->n_head, 80, NULL));
	return b;
}

/* n ancestors, nearest first; the nearest one is at the level of session 0. */
static void fill_history(struct history *h, size_t n)
{
	size_t i;

	*h = (struct history)HISTORY_INIT;
	for (i = 0; i < n; i++) {
		struct summary s;

		judge_init(&s);
		add_session(&s, level_of(i));
		assert_int_equal(0, history_add(h, &s, NULL));
		summary_release(&s);
	}
}

/* A head at this level with the nearest ancestor's samples as its stored baseline. */
static struct bench *fill_head(struct summary *s, const struct history *h, double level)
{
	const struct metric *old = &h->v[0].benchmarks[0].metrics[0];
	struct bench *b;
	struct metric *m;
	size_t i;

	judge_init(s);
	b = add_session(s, level);
	m = &b->metrics[0];
	for (i = 0; i < old->n; i++)
		assert_int_equal(0, samples_add(&m->baseline_samples, &m->n_baseline,
						old->samples[i], NULL));
	return b;
}

static void judge_level(struct summary *s, struct history *h, size_t n, double level)
{
	struct err err = ERR_INIT;

	fill_history(h, n);
	fill_head(s, h, level);
	if (judge(s, h, &err))
		fail_msg("judge: %s", err.text);
}

static void release(struct summary *s, struct history *h)
{
	summary_release(s);
	history_release(h);
}

static void a_stored_baseline_makes_nothing_but_a_suspect(void **state)
{
	struct history h;
	struct summary s;
	const struct delta *d;

	(void)state;
	judge_level(&s, &h, 10, 120);
	d = delta_of(&s, "x");
	assert_int_equal(VERDICT_INCONCLUSIVE, d->verdict);
	assert_true(d->suspect);
	assert_near(120 / level_of(0), d->ratio, 1e-9);
	assert_true(d->low > 1 && d->low < d->ratio && d->ratio < d->high);
	assert_int_equal(0, judge_exit(&s, false));
	release(&s, &h);
}

/* No smaller change than the threshold would have been called. */
static void what_is_detectable_is_never_below_the_threshold(void **state)
{
	struct history h;
	struct summary s;
	struct bench *b;

	(void)state;
	fill_history(&h, 10);
	b = fill_head(&s, &h, 120);
	b->threshold = 0.5;
	assert_int_equal(0, judge(&s, &h, NULL));
	assert_true(isfinite(delta_of(&s, "x")->low));
	assert_near(0.5, delta_of(&s, "x")->noise_floor, 0);
	release(&s, &h);
}

static void a_stored_baseline_never_improves(void **state)
{
	struct history h;
	struct summary s;

	(void)state;
	judge_level(&s, &h, 10, 50);
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "x"));
	assert_false(delta_of(&s, "x")->suspect);
	release(&s, &h);
}

static void a_drift_like_the_earlier_ones_is_no_suspect(void **state)
{
	struct history h;
	struct summary s;

	(void)state;
	judge_level(&s, &h, 10, 100.5);
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "x"));
	assert_false(delta_of(&s, "x")->suspect);
	release(&s, &h);
}

/* Eight distances need nine sessions. */
static void a_short_history_makes_no_suspect(void **state)
{
	struct history h;
	struct summary s;
	const struct delta *d;

	(void)state;
	judge_level(&s, &h, 8, 200);
	d = delta_of(&s, "x");
	assert_int_equal(VERDICT_INCONCLUSIVE, d->verdict);
	assert_false(d->suspect);
	assert_true(isnan(d->p));
	assert_near(200 / level_of(0), d->ratio, 1e-9);
	assert_non_null(strstr(d->note, "too few"));
	release(&s, &h);
	judge_level(&s, &h, 9, 200);
	assert_true(delta_of(&s, "x")->suspect);
	release(&s, &h);
}

/* A new kernel starts a new series: what lies before it says nothing. */
static void another_kernel_ends_the_history(void **state)
{
	struct err err = ERR_INIT;
	struct history h;
	struct summary s;

	(void)state;
	fill_history(&h, 12);
	assert_int_equal(0, str_set(&h.v[5].machine.kernel, "5.10", NULL));
	fill_head(&s, &h, 200);
	assert_int_equal(0, judge(&s, &h, &err));
	assert_false(delta_of(&s, "x")->suspect);
	release(&s, &h);
}

/* Other N, other cache state: such a session is no yardstick. */
static void sessions_of_another_n_are_left_out(void **state)
{
	struct err err = ERR_INIT;
	struct history h;
	struct summary s;

	(void)state;
	fill_history(&h, 9);
	h.v[8].benchmarks[0].iterations = 500;
	fill_head(&s, &h, 200);
	assert_int_equal(0, judge(&s, &h, &err));
	assert_false(delta_of(&s, "x")->suspect);
	release(&s, &h);
}

/* The anchors ran slower by the same factor: the machine did, not the benchmark. */
static void what_the_anchors_show_too_is_no_suspect(void **state)
{
	struct err err = ERR_INIT;
	struct history h;
	struct summary s;
	struct bench *b;
	size_t t, i;

	(void)state;
	fill_history(&h, 10);
	b = fill_head(&s, &h, 1.3 * level_of(0));
	for (t = 0; t < b->n_tracks; t++)
		for (i = 0; i < b->tracks[t].n_head; i++)
			b->tracks[t].head[i] *= 1.3;
	assert_int_equal(0, judge(&s, &h, &err));
	assert_false(delta_of(&s, "x")->suspect);
	assert_near(1, delta_of(&s, "x")->ratio, 1e-9);
	release(&s, &h);
}

static void where_higher_is_better_less_is_suspect(void **state)
{
	struct err err = ERR_INIT;
	struct history h;
	struct summary s;
	struct bench *b;

	(void)state;
	fill_history(&h, 10);
	b = fill_head(&s, &h, 50);
	b->metrics[0].better = BETTER_HIGHER;
	assert_int_equal(0, judge(&s, &h, &err));
	assert_true(delta_of(&s, "x")->suspect);
	summary_release(&s);
	b = fill_head(&s, &h, 200);
	b->metrics[0].better = BETTER_HIGHER;
	assert_int_equal(0, judge(&s, &h, &err));
	assert_false(delta_of(&s, "x")->suspect);
	release(&s, &h);
}

/* One benchmark whose counter stayed 0 must not take the verdicts of all others along. */
static void stored_zeros_leave_the_others_judged(void **state)
{
	double zero[N_PAIRS] = { 0 };
	struct err err = ERR_INIT;
	struct history h = HISTORY_INIT;
	struct summary s;

	(void)state;
	judge_init(&s);
	add_pairs(&s, "zero", pairs_head, zero, N_PAIRS, 0.01)->paired = false;
	add_known(&s, "y", 0.01);
	if (judge(&s, &h, &err))
		fail_msg("judge: %s", err.text);
	assert_int_equal(VERDICT_REGRESSED, verdict_of_bench(&s, "y"));
	assert_int_equal(VERDICT_NO_BASELINE, verdict_of_bench(&s, "zero"));
	assert_non_null(summary_find(&s, "zero")->detail);
	summary_release(&s);
}

static void a_stored_one_does_not_count_in_the_family(void **state)
{
	struct err err = ERR_INIT;
	struct history h;
	struct summary s;

	(void)state;
	fill_history(&h, 10);
	fill_head(&s, &h, 120);
	add_known(&s, "y", 0.01);
	assert_int_equal(0, judge(&s, &h, &err));
	assert_near(KNOWN_P, delta_of(&s, "y")->p_adjusted, 0);
	assert_int_equal(1, judge_exit(&s, true));
	release(&s, &h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stored_baseline_makes_nothing_but_a_suspect),
		cmocka_unit_test(what_is_detectable_is_never_below_the_threshold),
		cmocka_unit_test(a_stored_baseline_never_improves),
		cmocka_unit_test(a_drift_like_the_earlier_ones_is_no_suspect),
		cmocka_unit_test(a_short_history_makes_no_suspect),
		cmocka_unit_test(another_kernel_ends_the_history),
		cmocka_unit_test(sessions_of_another_n_are_left_out),
		cmocka_unit_test(what_the_anchors_show_too_is_no_suspect),
		cmocka_unit_test(where_higher_is_better_less_is_suspect),
		cmocka_unit_test(stored_zeros_leave_the_others_judged),
		cmocka_unit_test(a_stored_one_does_not_count_in_the_family),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
