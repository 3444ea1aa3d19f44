/* Pairs of one layout say nothing about others: judged over layouts, whatever their number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/judge/pairs.h"
#include "lib/judge/point.h"
#include "lib/judge/spread.h"

#include "lib/base/banned.h"

/* Changes of twelve layouts, in percent: of a program that moves by up to 1 %. */
static const double of_layouts[12] = {
	1.1, -0.4, 0.9, 0.2, 1.6, -0.7, 0.5, 1.3, -0.1, 0.8, 0.3, 1.9
};

static struct summary s;
static struct bench *b;
static struct metric *m;

static int begin(void **state)
{
	(void)state;
	summary_init(&s);
	b = summary_add_bench(&s, "parse", NULL);
	assert_non_null(b);
	b->threshold = 0.01;
	b->paired = true;
	b->looks = (struct looks){ { 12, 17, 24 }, 3 };
	assert_int_equal(str_set(&b->gate, "cpu", NULL), 0);
	m = bench_add_metric(b, "cpu", "ns", BETTER_LOWER, NULL);
	assert_non_null(m);
	return 0;
}

static int end(void **state)
{
	(void)state;
	summary_release(&s);
	return 0;
}

static void add_pair(double change)
{
	assert_int_equal(samples_add(&m->baseline_samples, &m->n_baseline, 1000, NULL), 0);
	assert_int_equal(samples_add(&m->samples, &m->n, 1000 * exp(change), NULL), 0);
}

static void set_layouts(const double *numbers, size_t n)
{
	struct track *t = bench_add_track(b, SUMMARY_LAYOUTS, NULL);
	size_t i;

	assert_non_null(t);
	for (i = 0; i < n; i++)
		assert_int_equal(samples_add(&t->head, &t->n_head, numbers[i], NULL), 0);
}

static struct judgement judged(void)
{
	struct pair_changes how;
	struct judgement j;

	assert_int_equal(pairs_judge(b, m, 1, &j, &how, NULL), 0);
	return j;
}

static void close_to(double a, double b_)
{
	if (!(fabs(a - b_) < 1e-12))
		fail_msg("%.17g is not %.17g", a, b_);
}

/* 24 pairs of 12 layouts, each 0.3 % to either side of its layout's change. */
static void add_twice(void)
{
	double numbers[24];
	size_t i;

	for (i = 0; i < 24; i++) {
		numbers[i] = 1 + (double)(i % 12);
		add_pair(of_layouts[i % 12] / 100 + (i < 12 ? 0.003 : -0.003));
	}
	set_layouts(numbers, 24);
}

/* Whatever is added to all pairs of some layouts: twelve coins cannot be surer than 2^-11. */
static void twice_twelve_layouts_are_twelve_coins(void **state)
{
	struct judgement j;
	size_t i;

	(void)state;
	add_twice();
	for (i = 0; i < 24; i++)
		m->samples[i] *= exp(0.05);
	j = judged();
	assert_int_equal(j.n, 24);
	close_to(j.p, ldexp(1, -11));
}

/* Counts of one layout are the same in each run: what is rare is rare among layouts. */
static void counts_are_judged_by_their_layouts_means(void **state)
{
	struct judgement j;
	double numbers[24];
	size_t i;

	(void)state;
	assert_int_equal(str_set(&m->unit, "count", NULL), 0);
	for (i = 0; i < 24; i++) {
		numbers[i] = 1 + (double)(i % 12);
		add_pair(i % 12 == 3 ? 0.1 : 0);
	}
	set_layouts(numbers, 24);
	j = judged();
	assert_true(j.is_rare);
}

/* Taken for 24 pairs, the same changes are surer than their layouts are. */
static void reused_layouts_are_no_new_pairs(void **state)
{
	struct judgement clusters, pairs;

	(void)state;
	add_twice();
	clusters = judged();
	assert_int_equal(str_set(&b->tracks[0].name, "unknown", NULL), 0);
	pairs = judged();
	assert_int_equal(pairs.n, 24);
	assert_true(pairs.p < clusters.p);
	assert_true(pairs.high - pairs.low < clusters.high - clusters.low);
}

static void layouts_of_one_pair_each_change_nothing(void **state)
{
	double numbers[12];
	struct judgement with, without;
	size_t i;

	(void)state;
	for (i = 0; i < 12; i++) {
		numbers[i] = 12 - (double)i;
		add_pair(of_layouts[i] / 100);
	}
	without = judged();
	set_layouts(numbers, 12);
	with = judged();
	assert_memory_equal(&with, &without, sizeof(with));
}

/* Everything ran in the second layout: there is nothing to tell layouts by. */
static void a_single_layout_changes_nothing(void **state)
{
	static const double numbers[12] = { 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2 };
	struct judgement with, without;
	size_t i;

	(void)state;
	for (i = 0; i < 12; i++)
		add_pair(of_layouts[i] / 100);
	without = judged();
	set_layouts(numbers, 12);
	with = judged();
	assert_memory_equal(&with, &without, sizeof(with));
}

static void what_stands_out_is_of_pairs(void **state)
{
	struct judgement j;

	(void)state;
	add_twice();
	m->samples[3] *= 2;
	j = judged();
	assert_int_equal(j.n, 24);
	assert_int_equal(j.n_disturbed, 1);
}

static void a_history_has_the_same_step(void **state)
{
	struct judgement j;
	struct point p;

	(void)state;
	add_twice();
	assert_int_equal(str_set(&s.baseline.commit, "0011aabb", NULL), 0);
	assert_int_equal(str_set(&s.baseline.how, "rebuilt", NULL), 0);
	j = judged();
	assert_int_equal(point_of(&s, b, "cpu", &p, NULL), 0);
	assert_int_equal(p.step, POINT_PAIRED);
	assert_int_equal(p.n_pairs, j.n);
	assert_true(p.layouts && !memcmp(p.layouts, b->tracks[0].head, 24 * 8));
	free(p.d);
}

/* By hand: within 24 x 0.003^2 / 12; between the variance of the twelve less half of that. */
static void the_spread_is_told(void **state)
{
	struct layout_spread l;
	double mean = 0, squares = 0, within = 24 * 0.003 * 0.003 / 12, between;
	size_t i;

	(void)state;
	add_twice();
	for (i = 0; i < 12; i++)
		mean += of_layouts[i] / 1200;
	for (i = 0; i < 12; i++)
		squares += pow(of_layouts[i] / 100 - mean, 2);
	between = squares / 11 - within / 2;
	assert_int_equal(pairs_layouts(b, m, &l, NULL), 0);
	assert_int_equal(l.n, 12);
	close_to(l.within, within);
	close_to(l.between, between);
	close_to(l.floor, expm1(1.959963984540054 * sqrt(between)));
}

static void no_layouts_have_no_spread(void **state)
{
	struct layout_spread l;

	(void)state;
	add_pair(0.01);
	assert_int_equal(pairs_layouts(b, m, &l, NULL), 0);
	assert_int_equal(l.n, 0);
	assert_true(isnan(l.between) && isnan(l.within) && isnan(l.floor));
}

/*
 * Twelve pairs of different layouts, twice each: half of the variance between is one layout's; the
 * variance of the means is that of the twelve, noise and all.
 */
static void the_spread_of_one_layout_is_half(void **state)
{
	struct layout_calibration found;
	struct layout_spread l;
	double mean = 0, squares = 0;
	size_t i;

	(void)state;
	add_twice();
	for (i = 0; i < 12; i++)
		mean += of_layouts[i] / 1200;
	for (i = 0; i < 12; i++)
		squares += pow(of_layouts[i] / 100 - mean, 2);
	assert_int_equal(pairs_layouts(b, m, &l, NULL), 0);
	assert_int_equal(spread_of_layouts(b, m, &found, NULL), 0);
	assert_int_equal(found.n, 12);
	close_to(found.spread, sqrt(l.between / 2));
	close_to(found.floor, l.floor);
	close_to(found.scatter, sqrt(squares / 11));
	assert_true(found.low > 0 && found.low < found.spread && found.spread < found.high);
}

static void without_layouts_there_is_no_spread(void **state)
{
	struct layout_calibration found;
	size_t i;

	(void)state;
	for (i = 0; i < 24; i++)
		add_pair(of_layouts[i % 12] / 100);
	assert_int_equal(spread_of_layouts(b, m, &found, NULL), 0);
	assert_int_equal(found.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(twice_twelve_layouts_are_twelve_coins, begin, end),
		cmocka_unit_test_setup_teardown(counts_are_judged_by_their_layouts_means, begin,
						end),
		cmocka_unit_test_setup_teardown(reused_layouts_are_no_new_pairs, begin, end),
		cmocka_unit_test_setup_teardown(layouts_of_one_pair_each_change_nothing, begin,
						end),
		cmocka_unit_test_setup_teardown(a_single_layout_changes_nothing, begin, end),
		cmocka_unit_test_setup_teardown(what_stands_out_is_of_pairs, begin, end),
		cmocka_unit_test_setup_teardown(a_history_has_the_same_step, begin, end),
		cmocka_unit_test_setup_teardown(the_spread_is_told, begin, end),
		cmocka_unit_test_setup_teardown(no_layouts_have_no_spread, begin, end),
		cmocka_unit_test_setup_teardown(the_spread_of_one_layout_is_half, begin, end),
		cmocka_unit_test_setup_teardown(without_layouts_there_is_no_spread, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
