/* The axis that all intervals of a table share, and what stands on it. */
#include "tests/unit/reporter_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "reporter/plot/interval.h"

#include "lib/base/banned.h"

/* The reach of the axis for deltas of n benchmarks, each an interval around its ratio. */
static double reach_of(const double *ratios, size_t n)
{
	struct interval_axis axis;
	struct rows rows;
	struct summary s;
	char name[24];
	size_t i;

	fixture_init(&s);
	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "b%zu", i);
		fixture_judged(&s, name, ratios[i], ratios[i] - 0.01, ratios[i] + 0.01,
			       VERDICT_UNCHANGED);
	}
	assert_int_equal(0, rows_of(&s, &rows, NULL));
	assert_int_equal(0, interval_axis_of(&rows, &axis, NULL));
	rows_release(&rows);
	summary_release(&s);
	return axis.reach;
}

static void the_axis_ends_at_a_round_number(void **state)
{
	const double two[] = { 1.02, 0.97 };

	(void)state;
	assert_float_equal(0.05, reach_of(two, 2), 1e-12); /* reaches 4 % */
}

static void one_that_is_far_off_does_not_squeeze_the_others(void **state)
{
	const double five[] = { 1.0, 1.01, 0.99, 1.0, 6.0 };

	(void)state;
	assert_float_equal(0.05, reach_of(five, 5), 1e-12); /* twice 2 %, rounded up */
}

static void without_deltas_there_is_no_axis(void **state)
{
	(void)state;
	assert_float_equal(0, reach_of(NULL, 0), 0);
}

static char *drawn(double ratio, double low, double high, double reach)
{
	const struct interval_axis axis = { reach };
	struct buf out = BUF_INIT;
	struct rows rows;
	struct summary s;

	fixture_init(&s);
	fixture_judged(&s, "b", ratio, low, high, VERDICT_REGRESSED);
	assert_int_equal(0, rows_of(&s, &rows, NULL));
	interval_svg(&axis, &rows.v[0], &out);
	rows_release(&rows);
	summary_release(&s);
	return buf_detach(&out);
}

static void an_estimate_stands_in_its_place(void **state)
{
	char *text = drawn(1.05, 1.025, 1.075, 0.1);

	(void)state;
	/* the middle is 100, 10 % are 92: 5 % are 46, from 2.5 % (23) to 7.5 % (69) */
	assert_non_null(strstr(text, "x1=\"146.0\""));
	assert_non_null(strstr(text, "x=\"123.0\" y=\"7\" width=\"46.0\""));
	assert_null(strstr(text, "<path"));
	free(text);
}

static void what_lies_beyond_ends_in_an_arrow(void **state)
{
	char *text = drawn(1.5, 1.05, (double)INFINITY, 0.1);

	(void)state;
	assert_non_null(strstr(text, "<path class=\"iv-bad\""));
	assert_null(strstr(text, "x1=\"238")); /* the estimate is not drawn outside */
	assert_null(strstr(text, "inf"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_axis_ends_at_a_round_number),
		cmocka_unit_test(one_that_is_far_off_does_not_squeeze_the_others),
		cmocka_unit_test(without_deltas_there_is_no_axis),
		cmocka_unit_test(an_estimate_stands_in_its_place),
		cmocka_unit_test(what_lies_beyond_ends_in_an_arrow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
