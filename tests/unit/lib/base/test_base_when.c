/* Unit tests of lib/base/when.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/when.h"

#include "lib/base/banned.h"

/* Seconds are GNU date 9.1's: date -u -d TEXT +%s */
static const struct {
	const char *text;
	int64_t seconds;
} known[] = {
	{ "1970-01-01T00:00:00Z", 0 },
	{ "1969-12-31T23:59:59Z", -1 },
	{ "1900-03-01T00:00:00Z", -2203891200 },
	{ "0033-04-03T12:00:00Z", -61117761600 },
	{ "2000-02-29T12:00:00Z", 951825600 },
	{ "2026-11-20T10:00:00Z", 1795168800 },
	{ "2038-01-19T03:14:07Z", 2147483647 },
	{ "2038-01-19T03:14:08Z", 2147483648 },
	{ "2100-02-28T23:59:59Z", 4107542399 },
	{ "2100-03-01T00:00:00Z", 4107542400 },
	{ "9999-12-31T23:59:59Z", 253402300799 },
};

static void known_times_go_both_ways(void **state)
{
	char text[WHEN_ISO];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		int64_t us = 1;

		if (!when_parse(known[i].text, &us) || us != known[i].seconds * 1000000)
			fail_msg("%s gave %lld", known[i].text, (long long)us);
		assert_string_equal(when_iso(us, false, text), known[i].text);
	}
}

static void fractions_are_cut_towards_the_past(void **state)
{
	char text[WHEN_ISO];
	int64_t us;

	(void)state;
	assert_string_equal(when_iso(-1, true, text), "1969-12-31T23:59:59.999Z");
	assert_string_equal(when_iso(1999, true, text), "1970-01-01T00:00:00.001Z");
	assert_string_equal(when_iso(999999, false, text), "1970-01-01T00:00:00Z");
	assert_true(when_parse("1970-01-01T00:00:00.1234567Z", &us));
	assert_true(us == 123456);
	assert_true(when_parse("1969-12-31T23:59:59.5Z", &us));
	assert_true(us == -500000);
}

static void offsets_are_taken_off(void **state)
{
	int64_t us;

	(void)state;
	assert_true(when_parse("2026-11-20T12:30:00+02:30", &us));
	assert_true(us == 1795168800000000);
	assert_true(when_parse("2026-11-20T00:00:00-10:00", &us));
	assert_true(us == 1795168800000000);
	assert_true(when_parse("1970-01-01T00:00:00-00:00", &us));
	assert_true(us == 0);
	assert_true(when_parse("2016-12-31T23:59:60Z", &us)); /* a leap second that was */
	assert_true(us == 1483228800000000);
}

static void what_is_no_time_is_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"2026",
		"2026-11-20",
		"2026-11-20T10:00:00",
		"2026-11-20 10:00:00Z",
		"2026-11-20t10:00:00z",
		"2026-11-20T10:00Z",
		"2026-11-20T10:00:00.Z",
		"2026-11-20T10:00:00Z ",
		" 2026-11-20T10:00:00Z",
		"2026-11-20T10:00:00ZZ",
		"2026-00-20T10:00:00Z",
		"2026-13-20T10:00:00Z",
		"2026-11-00T10:00:00Z",
		"2026-11-31T10:00:00Z",
		"2026-02-29T10:00:00Z",
		"2100-02-29T10:00:00Z",
		"2026-11-20T24:00:00Z",
		"2026-11-20T10:60:00Z",
		"2026-11-20T10:00:61Z",
		"2026-11-20T10:00:00+24:00",
		"2026-11-20T10:00:00+02:60",
		"2026-11-20T10:00:00+0200",
		"-026-11-20T10:00:00Z",
		"12026-11-20T10:00:00Z",
		"2026-1-20T10:00:00Z",
	};
	int64_t us = 42;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (when_parse(bad[i], &us))
			fail_msg("accepted '%s'", bad[i]);
	assert_true(us == 42);
}

static void every_day_of_four_centuries_goes_both_ways(void **state)
{
	int64_t day;

	(void)state;
	for (day = -146097; day <= 146097; day++) {
		int64_t us = (day * 86400 + 43210) * 1000000 + 7000, back;
		char text[WHEN_ISO];

		if (!when_parse(when_iso(us, true, text), &back) || back != us)
			fail_msg("%s", text);
	}
}

static void times_beyond_four_digits_fall_back(void **state)
{
	char text[WHEN_ISO];

	(void)state;
	assert_string_equal(when_iso(INT64_MAX, true, text), "1970-01-01T00:00:00.000Z");
	assert_string_equal(when_iso(INT64_MIN, false, text), "1970-01-01T00:00:00Z");
}

/* The second is the example of RFC 9110, 5.6.7. */
static void headers_have_a_form_of_their_own(void **state)
{
	char text[WHEN_HEADER];
	int64_t us;

	(void)state;
	assert_string_equal(when_header(0, "+0000", text), "Thu, 01 Jan 1970 00:00:00 +0000");
	assert_true(when_parse("1994-11-06T08:49:37.999Z", &us));
	assert_string_equal(when_header(us, "GMT", text), "Sun, 06 Nov 1994 08:49:37 GMT");
	assert_true(when_parse("0000-02-29T23:59:59Z", &us));
	assert_string_equal(when_header(us, "GMT", text), "Tue, 29 Feb 0000 23:59:59 GMT");
	assert_string_equal(when_header(INT64_MAX, "GMT", text), "Thu, 01 Jan 1970 00:00:00 GMT");
}

static void the_monotonic_clock_does_not_step_back(void **state)
{
	uint64_t last = when_monotonic_ns();
	int i;

	(void)state;
	for (i = 0; i < 1000; i++) {
		uint64_t now = when_monotonic_ns();

		assert_true(now >= last);
		last = now;
	}
	assert_true(when_now_us() > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_times_go_both_ways),
		cmocka_unit_test(fractions_are_cut_towards_the_past),
		cmocka_unit_test(offsets_are_taken_off),
		cmocka_unit_test(what_is_no_time_is_refused),
		cmocka_unit_test(every_day_of_four_centuries_goes_both_ways),
		cmocka_unit_test(times_beyond_four_digits_fall_back),
		cmocka_unit_test(headers_have_a_form_of_their_own),
		cmocka_unit_test(the_monotonic_clock_does_not_step_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
