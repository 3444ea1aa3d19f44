#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/stats/points.h"

#include "lib/base/banned.h"

static void points_are(unsigned fewest, unsigned most, size_t n, const unsigned *expected)
{
	unsigned got[POINTS_MAX];

	assert_int_equal(points_between(fewest, most, got), n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(got[i], expected[i]);
}
#define POINTS_ARE(fewest, most, ...) \
	points_are(fewest, most, sizeof((const unsigned[]){ __VA_ARGS__ }) / sizeof(unsigned), \
		   (const unsigned[]){ __VA_ARGS__ })

static void each_point_is_about_1_4_times_the_one_before(void **state)
{
	(void)state;
	POINTS_ARE(POINTS_FEWEST, POINTS_MOST_LONG, 12, 17, 24, 34, 48, 68, 96, 136, 200);
	POINTS_ARE(POINTS_FEWEST, POINTS_MOST_QUICK, 12, 17, 24, 34, 48, 68);
}

/* A result has room for ten, and each is paid for. */
static void of_more_than_ten_the_second_is_left_out(void **state)
{
	(void)state;
	POINTS_ARE(POINTS_FEWEST, POINTS_MOST, 12, 24, 34, 48, 68, 96, 136, 200, 280, 400);
	POINTS_ARE(POINTS_FEWEST, 280, 12, 17, 24, 34, 48, 68, 96, 136, 200, 280);
	POINTS_ARE(POINTS_FEWEST, 281, 12, 24, 34, 48, 68, 96, 136, 200, 280, 281);
	POINTS_ARE(17, POINTS_MOST, 24, 34, 48, 68, 96, 136, 200, 280, 400);
}

static void the_most_pairs_are_the_last_point_whatever_they_are(void **state)
{
	(void)state;
	POINTS_ARE(20, 30, 24, 30);
	POINTS_ARE(2, 1000, 12, 24, 34, 48, 68, 96, 136, 200, 280, 1000);
	POINTS_ARE(5, 12, 12);
	POINTS_ARE(13, 16, 16);
}

static void a_fixed_number_is_the_only_point(void **state)
{
	(void)state;
	POINTS_ARE(1, 1, 1);
	POINTS_ARE(40, 40, 40);
	POINTS_ARE(48, 48, 48);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_point_is_about_1_4_times_the_one_before),
		cmocka_unit_test(of_more_than_ten_the_second_is_left_out),
		cmocka_unit_test(the_most_pairs_are_the_last_point_whatever_they_are),
		cmocka_unit_test(a_fixed_number_is_the_only_point),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
