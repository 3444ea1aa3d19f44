#include "tests/unit/test_stats_near.h"

#include "lib/stats/sample.h"
#include "lib/stats/walsh.h"

#include "lib/base/banned.h"

/* P(T <= t) for n values, t <= n(n+1)/4 */
static double tail_of(size_t n, size_t t)
{
	size_t half = n * (n + 1) / 4;
	double *tail = malloc((half + 1) * sizeof(*tail)), p;

	assert_non_null(tail);
	assert_in_range(t, 0, half);
	walsh_null(n, n, tail);
	p = tail[t];
	free(tail);
	return p;
}

/* The largest t with P(T <= t) <= alpha/2: how many averages lie below the interval's low end. */
static long cut_of(size_t n, double alpha)
{
	struct walsh walsh = WALSH_INIT;
	double d[100], low = 0, high = 0;
	long k = 0;

	for (size_t i = 0; i < n; i++)
		d[i] = sqrt((double)(i + 1)) + (double)i / 1e3; /* all averages differ */
	assert_int_equal(walsh_build(d, n, &walsh, NULL), 0);
	walsh_interval(&walsh, 1 - alpha, &low, &high);
	while (!isinf(low) && walsh_nth(&walsh, (size_t)k) < low)
		k++;
	walsh_release(&walsh);
	return isinf(low) ? -1 : k;
}

/* R: psignrank(k, n) */
static void tail_equals_psignrank(void **state)
{
	(void)state;
	assert_near(tail_of(20, 52), "0.0242204666137695");
	assert_near(tail_of(25, 89), "0.0241312086582184");
	assert_near(tail_of(30, 137), "0.0248550605028868");
	assert_near(tail_of(50, 434), "0.0247232034003");
	assert_near(tail_of(10, 8), "0.0244140625000000");
}

static void tail_is_counted_by_hand_for_three(void **state)
{
	/* sums of subsets of {1,2,3}: 0 1 2 3 3 4 5 6, each 1/8 */
	static const double count[] = { 1, 2, 3, 5 };

	(void)state;
	for (size_t t = 0; t <= 3; t++)
		assert_same(tail_of(3, t), count[t] / 8);
	assert_same(tail_of(1, 0), 0.5);
}

static void half_of_the_distribution_lies_below_its_middle(void **state)
{
	(void)state;
	assert_true(fabs(tail_of(30, 232) - 0.5) < 1e-12); /* 0..465 has no middle sum */
}

/* The cuts of the method's table. */
static void cuts_equal_the_published_ones(void **state)
{
	static const size_t n[] = { 10, 15, 20, 25, 30, 50, 100 };
	static const struct {
		double alpha;
		long k[7];
	} row[] = {
		{ .05, { 8, 25, 52, 89, 137, 434, 1955 } },
		{ .01, { 3, 15, 37, 68, 109, 373, 1779 } },
		{ .01874, { 4, 19, 42, 75, 119, 395, 1843 } },
		{ .10, { 10, 30, 60, 100, 151, 466, 2045 } },
	};

	(void)state;
	for (size_t r = 0; r < 4; r++)
		for (size_t i = 0; i < 7; i++)
			assert_int_equal(cut_of(n[i], row[r].alpha), row[r].k[i]);
	assert_int_equal(cut_of(5, .05), -1);
	assert_int_equal(cut_of(6, .05), 0);
}

static double confidence_of(size_t n)
{
	long k = cut_of(n, .05);

	return 1 - 2 * tail_of(n, (size_t)k);
}

static void exact_confidence_is_the_published_one(void **state)
{
	(void)state;
	assert_near(confidence_of(10), ".951171875000");
	assert_near(confidence_of(20), ".951559067");
	assert_near(confidence_of(25), ".951737583");
	assert_near(confidence_of(30), ".950289879");
	assert_near(confidence_of(100), ".950076240");
}

static void median_and_interval_come_from_the_sorted_averages(void **state)
{
	static const double d[] = { 4, 1, 9 }; /* averages 1 2.5 4 5 6.5 9 */
	struct walsh walsh = WALSH_INIT;
	double low = 0, high = 0;

	(void)state;
	assert_int_equal(walsh_build(d, 3, &walsh, NULL), 0);
	assert_int_equal(walsh.n_sums, 6);
	assert_same(walsh_nth(&walsh, 1), 2.5);
	assert_same(walsh_median(&walsh), 4.5);
	/* P(T <= 0) = .125: [W_1, W_6] holds with 75 %, P(T <= 1) = .25: [W_2, W_5] with 50 % */
	assert_same(walsh_interval(&walsh, 0.75, &low, &high), 0.75);
	assert_same(low, 1);
	assert_same(high, 9);
	assert_same(walsh_interval(&walsh, 0.5, &low, &high), 0.5);
	assert_same(low, 2.5);
	assert_same(high, 6.5);
	assert_same(walsh_interval(&walsh, 0.76, &low, &high), 1);
	assert_same(low, -HUGE_VAL);
	assert_same(high, HUGE_VAL);
	walsh_release(&walsh);
	assert_null(walsh.x);
}

static void ends_never_pass_each_other(void **state)
{
	double d[40];

	(void)state;
	for (size_t n = 1; n <= 40; n++) {
		struct walsh walsh = WALSH_INIT;
		double low, high;

		for (size_t i = 0; i < n; i++)
			d[i] = sin((double)(i * i));
		assert_int_equal(walsh_build(d, n, &walsh, NULL), 0);
		walsh_interval(&walsh, 1e-9, &low, &high);
		assert_at_most(low, walsh_median(&walsh));
		assert_at_most(walsh_median(&walsh), high);
		walsh_release(&walsh);
	}
}

static void huge_values_have_finite_averages(void **state)
{
	static const double d[] = { 1.7e308, 1.6e308, -1.7e308 };
	struct walsh walsh = WALSH_INIT;

	(void)state;
	assert_int_equal(walsh_build(d, 3, &walsh, NULL), 0);
	for (size_t i = 0; i < walsh.n_sums; i++)
		assert_true(isfinite(walsh_nth(&walsh, i)));
	walsh_release(&walsh);
}

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* All averages of values fewer than so many places apart, sorted: what walsh_nth() finds without.
 */
static double *averages_sorted(const double *d, size_t n, size_t reach)
{
	double *w = malloc(n * (n + 1) / 2 * sizeof(*w)), x[WALSH_MAX];
	size_t at = 0;

	assert_non_null(w);
	memcpy(x, d, n * sizeof(*x));
	qsort(x, n, sizeof(*x), by_value);
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n && j < i + reach; j++)
			w[at++] = 0.5 * x[i] + 0.5 * x[j];
	qsort(w, at, sizeof(*w), by_value);
	return w;
}

/* Smooth, of few values, all equal, and spread over 600 orders of magnitude. */
static double value_of_kind(int kind, size_t i)
{
	double x = sin((double)(i * i));

	if (kind == 1)
		return floor(4 * x) / 8;
	if (kind == 2)
		return 7;
	return kind == 3 ? copysign(exp(700 * fabs(x)), x) : x;
}

static void ranks_are_those_of(const double *d, size_t n, bool narrow)
{
	struct walsh walsh = WALSH_INIT;
	double *w;

	assert_int_equal(walsh_build(d, n, &walsh, NULL), 0);
	if (narrow)
		assert_int_equal(walsh_narrow(&walsh, NULL), 0);
	assert_int_equal(walsh.reach, narrow ? (n + 3) / 4 : n);
	w = averages_sorted(d, n, walsh.reach);
	for (size_t k = 0; k < walsh.n_sums; k++)
		assert_same(walsh_nth(&walsh, k), w[k]);
	walsh_release(&walsh);
	free(w);
}

static void each_rank_is_that_of_the_sorted_averages(void **state)
{
	double d[300];

	(void)state;
	for (int kind = 0; kind < 4; kind++) {
		for (size_t n = 1; n <= 70; n++) {
			for (size_t i = 0; i < n; i++)
				d[i] = value_of_kind(kind, i);
			ranks_are_those_of(d, n, false);
			ranks_are_those_of(d, n, true);
		}
	}
	for (size_t i = 0; i < 300; i++)
		d[i] = sin((double)(i * i));
	ranks_are_those_of(d, 300, true);
}

/* Of random, equal, rising and falling values, and of few different ones. */
static void a_selected_value_is_that_of_the_sorted_row(void **state)
{
	double x[300], sorted[300];

	(void)state;
	for (int kind = 0; kind < 5; kind++) {
		for (size_t n = 1; n <= 300; n += 1 + n / 7) {
			for (size_t k = 0; k < n; k += 1 + n / 40) {
				for (size_t i = 0; i < n; i++)
					sorted[i] = x[i] = kind < 3    ? value_of_kind(kind, i)
							   : kind == 3 ? (double)i
								       : -(double)i;
				qsort(sorted, n, sizeof(*sorted), by_value);
				assert_same(sample_select(x, n, k), sorted[k]);
				for (size_t i = 0; i < n; i++)
					assert_true(i < k ? x[i] <= x[k] : x[i] >= x[k]);
			}
		}
	}
}

/* One rank and one halving at a time: the definition. */
static void distribution_is_that_of_one_coin_after_the_other(void **state)
{
	static const size_t n[] = { 1, 2, 3, 4, 5, 29, 30, 31, 64, 101, 300 };

	(void)state;
	for (size_t k = 0; k < sizeof(n) / sizeof(n[0]); k++) {
		size_t half = n[k] * (n[k] + 1) / 4;
		double *slow = calloc(half + 1, sizeof(*slow)), *fast = malloc((half + 1) * 8);
		double sum = 0;

		assert_true(slow && fast);
		slow[0] = 1;
		for (size_t r = 1; r <= n[k]; r++)
			for (size_t s = half + 1; s-- > 0;)
				slow[s] = 0.5 * (slow[s] + (s >= r ? slow[s - r] : 0));
		walsh_null(n[k], n[k], fast);
		for (size_t s = 0; s <= half; s++)
			assert_same(fast[s], sum += slow[s]);
		free(slow);
		free(fast);
	}
}

static void distribution_is_worked_out_once(void **state)
{
	static const double d[3] = { 1, 2, 4 };
	struct walsh first = WALSH_INIT, second = WALSH_INIT;

	(void)state;
	assert_int_equal(walsh_build(d, 3, &first, NULL), 0);
	assert_int_equal(walsh_build(d + 1, 2, &second, NULL), 0);
	assert_ptr_not_equal(first.tail, second.tail);
	walsh_release(&second);
	assert_int_equal(walsh_build(d, 3, &second, NULL), 0);
	assert_ptr_equal(first.tail, second.tail);
	walsh_release(&first);
	assert_same(second.tail[0], 0.125);
	walsh_release(&second);
}

/* A document with benchmarks of every length must not keep 667 MB: 41 of 1.9 MB each, 32 MB stay.
 */
static void distributions_kept_are_limited(void **state)
{
	static const double d[WALSH_MAX];
	size_t n_own = 0;

	(void)state;
	for (size_t n = 984; n <= WALSH_MAX; n++) {
		struct walsh walsh = WALSH_INIT;

		assert_int_equal(walsh_build(d, n, &walsh, NULL), 0);
		assert_same(walsh.tail[0], ldexp(1, -(int)n));
		n_own += walsh.own != NULL;
		walsh_release(&walsh);
	}
	assert_in_range(n_own, 1, 4);
}

static void largest_size_still_has_a_distribution(void **state)
{
	(void)state;
	assert_true(tail_of(WALSH_MAX, 0) > 0);
	/* about the middle of a symmetric distribution on 0..500500 */
	assert_true(fabs(tail_of(WALSH_MAX, 250249) + tail_of(WALSH_MAX, 250250) - 1) < 1e-11);
}

static void bad_input_is_refused_and_nothing_is_written(void **state)
{
	static const double bad[] = { 1, (double)NAN, 3 };
	static double many[WALSH_MAX + 1];
	struct walsh walsh = WALSH_INIT;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(walsh_build(bad, 3, &walsh, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	assert_int_equal(walsh_build(bad, 0, &walsh, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	assert_int_equal(walsh_build(many, WALSH_MAX + 1, &walsh, &err), -1);
	assert_int_equal(err.code, ERR_LIMIT);
	assert_null(walsh.x);
	walsh_release(&walsh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tail_equals_psignrank),
		cmocka_unit_test(tail_is_counted_by_hand_for_three),
		cmocka_unit_test(half_of_the_distribution_lies_below_its_middle),
		cmocka_unit_test(cuts_equal_the_published_ones),
		cmocka_unit_test(exact_confidence_is_the_published_one),
		cmocka_unit_test(median_and_interval_come_from_the_sorted_averages),
		cmocka_unit_test(ends_never_pass_each_other),
		cmocka_unit_test(huge_values_have_finite_averages),
		cmocka_unit_test(a_selected_value_is_that_of_the_sorted_row),
		cmocka_unit_test(each_rank_is_that_of_the_sorted_averages),
		cmocka_unit_test(distribution_is_that_of_one_coin_after_the_other),
		cmocka_unit_test(distribution_is_worked_out_once),
		cmocka_unit_test(distributions_kept_are_limited),
		cmocka_unit_test(largest_size_still_has_a_distribution),
		cmocka_unit_test(bad_input_is_refused_and_nothing_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
