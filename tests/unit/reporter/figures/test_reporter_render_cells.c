#include "tests/unit/reporter_fixture.h"

#include <stdio.h>

#include "reporter/figures/cells.h"
#include "reporter/figures/scale.h"

#include "lib/base/banned.h"

static void value_is(double value, const char *unit, const char *expected)
{
	struct buf out = BUF_INIT;

	scale_value(value, unit, &out);
	assert_string_equal(buf_str(&out), expected);
	buf_release(&out);
}

static void durations_have_three_digits_and_a_unit(void **state)
{
	(void)state;
	value_is(1.214e6, "ns", "1.21 ms");
	value_is(999.6, "ns", "1.00 us");
	value_is(0, "ns", "0.00 ns");
	value_is(2.5e9, "ns", "2.50 s");
}

static void bytes_count_in_powers_of_1024(void **state)
{
	(void)state;
	value_is(512, "bytes", "512 B");
	value_is(1536, "bytes", "1.50 KiB");
	value_is(34.0 * 1048576, "bytes", "34.0 MiB");
	value_is(999.0 * 1048576, "bytes", "999 MiB");
	value_is(1000.0 * 1048576, "bytes", "0.98 GiB");
}

static void plain_numbers_keep_their_unit(void **state)
{
	(void)state;
	value_is(7, "1", "7");
	value_is(7, "", "7");
	value_is(7, NULL, "7");
	value_is(1234567, "1", "1.23 M");
	value_is(1234567, "op", "1.23 M op");
	value_is(0.25, "op", "0.25 op");
	value_is(0.000012, "1", "1.2e-05");
	value_is(-12.34, "1", "-12.3");
	value_is(1e300, "1", "1e+288 T");
}

static void a_number_that_is_none_is_a_dash(void **state)
{
	(void)state;
	value_is((double)NAN, "ns", "-");
	value_is((double)INFINITY, "bytes", "-");
}

static struct delta delta_of(double ratio, double low, double high)
{
	return (struct delta){ .ratio = ratio, .low = low, .high = high };
}

static void delta_is(double ratio, const char *expected)
{
	struct delta delta = delta_of(ratio, (double)NAN, (double)NAN);
	struct buf out = BUF_INIT;

	cell_delta(&delta, NULL, &out);
	assert_string_equal(buf_str(&out), expected);
	buf_release(&out);
}

static void deltas_have_a_sign_and_fewer_decimals_when_large(void **state)
{
	(void)state;
	delta_is(1.034, "+3.40 %");
	delta_is(0.966, "-3.40 %");
	delta_is(1.09996, "+10.0 %");
	delta_is(1.5, "+50.0 %");
	delta_is(3.5, "+250 %");
	delta_is(1, "0.00 %");
	delta_is(0.99997, "0.00 %");
	delta_is(0, "-100 %");
	delta_is((double)NAN, "-");
	delta_is((double)INFINITY, "-");
}

static void a_difference_is_shown_as_one(void **state)
{
	struct metric m = { .unit = (char[]){ "1" }, .better = BETTER_LOWER };
	struct buf out = BUF_INIT;

	(void)state;
	m.delta = delta_of((double)NAN, (double)NAN, (double)NAN);
	m.delta.by_difference = true;
	m.delta.difference = -5;
	m.delta.difference_low = -6.5;
	cell_delta(&m.delta, m.unit, &out);
	buf_addc(&out, ' ');
	cell_interval(&m.delta, m.unit, &out);
	assert_string_equal(buf_str(&out), "-5 [-6.5, 0]");
	buf_reset(&out);
	cell_change(&m, &out);
	assert_string_equal(buf_str(&out), "5 less [0, 6.5]");
	buf_release(&out);
}

static void a_difference_has_the_unit_of_its_metric(void **state)
{
	struct metric m = { .unit = (char[]){ "bytes" }, .better = BETTER_LOWER };
	struct buf out = BUF_INIT;

	(void)state;
	m.delta = delta_of((double)NAN, (double)NAN, (double)NAN);
	m.delta.by_difference = true;
	m.delta.difference = 4096;
	m.delta.difference_low = 512;
	m.delta.difference_high = 8192;
	cell_delta(&m.delta, m.unit, &out);
	buf_addc(&out, ' ');
	cell_interval(&m.delta, m.unit, &out);
	assert_string_equal(buf_str(&out), "+4 KiB [+0.5, +8] KiB");
	buf_reset(&out);
	cell_change(&m, &out);
	assert_string_equal(buf_str(&out), "4 KiB more [0.5, 8] KiB");
	buf_release(&out);
}

static void interval_is(double low, double high, const char *expected)
{
	struct delta delta = delta_of(1, low, high);
	struct buf out = BUF_INIT;

	cell_interval(&delta, NULL, &out);
	assert_string_equal(buf_str(&out), expected);
	buf_release(&out);
}

static void intervals_have_the_decimals_that_tell_their_ends_apart(void **state)
{
	(void)state;
	interval_is(1.021, 1.047, "[+2.1, +4.7] %");
	interval_is(0.9964, 1.0031, "[-0.36, +0.31] %");
	interval_is(0.9904, 1.0099, "[-0.96, +0.99] %");
	interval_is(0.5, 3, "[-50, +200] %");
	interval_is(1, 1, "[0.00, 0.00] %");
	interval_is((double)NAN, 1.05, "[?, +5.0] %");
	interval_is((double)NAN, (double)NAN, "-");
}

static void floor_is(double ratio, const char *expected)
{
	struct buf out = BUF_INIT;

	cell_floor(ratio, &out);
	assert_string_equal(buf_str(&out), expected);
	buf_release(&out);
}

static void a_noise_floor_is_never_rounded_down(void **state)
{
	(void)state;
	floor_is(0.008, "0.8 %");
	floor_is(0.0081, "0.9 %");
	floor_is(0.0003, "0.03 %");
	floor_is(0.123, "12.3 %");
	floor_is(1.5, "150 %");
	floor_is((double)NAN, "-");
	floor_is(-1, "-");
}

static void change_is(const char *unit, enum better better, struct delta delta,
		      const char *expected)
{
	char name[] = "x", text[16];
	struct metric m = { .name = name, .unit = text, .better = better, .delta = delta };
	struct buf out = BUF_INIT;

	snprintf(text, sizeof(text), "%s", unit);
	cell_change(&m, &out);
	assert_string_equal(buf_str(&out), expected);
	buf_release(&out);
}

static void changes_are_told_in_words_that_fit_the_metric(void **state)
{
	(void)state;
	change_is("ns", BETTER_LOWER, delta_of(1.034, 1.021, 1.047), "3.4 % slower [2.1, 4.7]");
	change_is("ns", BETTER_LOWER, delta_of(0.966, 0.953, 0.979), "3.4 % faster [2.1, 4.7]");
	change_is("bytes", BETTER_LOWER, delta_of(1.5, 1.4, 1.6), "50.0 % more [40.0, 60.0]");
	change_is("op", BETTER_HIGHER, delta_of(0.9, 0.88, 0.92), "10.0 % less [8.0, 12.0]");
	change_is("ns", BETTER_LOWER, delta_of(1.034, (double)NAN, (double)NAN), "3.40 % slower");
}

static void a_change_without_figures_still_has_its_direction(void **state)
{
	struct delta delta = delta_of((double)NAN, (double)NAN, (double)NAN);

	(void)state;
	delta.verdict = VERDICT_REGRESSED;
	change_is("ns", BETTER_LOWER, delta, "slower");
	change_is("op", BETTER_HIGHER, delta, "less");
	delta.verdict = VERDICT_IMPROVED;
	change_is("ns", BETTER_LOWER, delta, "faster");
}

static void medians_are_of_the_sorted_sample(void **state)
{
	const double odd[] = { 9, 1, 5 }, even[] = { 4, 1, 3, 2 };
	double median;

	(void)state;
	assert_int_equal(0, row_median(odd, 3, &median, NULL));
	assert_true(median == 5);
	assert_int_equal(0, row_median(even, 4, &median, NULL));
	assert_true(median == 2.5);
	assert_int_equal(0, row_median(NULL, 0, &median, NULL));
	assert_true(isnan(median));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_difference_is_shown_as_one),
		cmocka_unit_test(a_difference_has_the_unit_of_its_metric),
		cmocka_unit_test(durations_have_three_digits_and_a_unit),
		cmocka_unit_test(bytes_count_in_powers_of_1024),
		cmocka_unit_test(plain_numbers_keep_their_unit),
		cmocka_unit_test(a_number_that_is_none_is_a_dash),
		cmocka_unit_test(deltas_have_a_sign_and_fewer_decimals_when_large),
		cmocka_unit_test(intervals_have_the_decimals_that_tell_their_ends_apart),
		cmocka_unit_test(a_noise_floor_is_never_rounded_down),
		cmocka_unit_test(changes_are_told_in_words_that_fit_the_metric),
		cmocka_unit_test(a_change_without_figures_still_has_its_direction),
		cmocka_unit_test(medians_are_of_the_sorted_sample),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
