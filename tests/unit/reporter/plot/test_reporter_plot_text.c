#include "tests/unit/reporter/plot/plot_fixture.h"

#include "lib/base/banned.h"

static void text_is(const struct plot_cdf *plot, int width, int height, bool utf8,
		    const char *expected)
{
	const struct plot_text_options opt = { width, height, utf8, false };
	struct buf out = BUF_INIT;

	assert_int_equal(0, plot_cdf_text(plot, &opt, &out, NULL));
	assert_string_equal(buf_str(&out), expected);
	buf_release(&out);
}

/* Expected texts stand as they are printed. */
/* clang-format off */

static void base_is_light_and_head_heavy(void **state)
{
	const struct plot_cdf plot = cdf(fast, 4, slow, 4);

	(void)state;
	text_is(&plot, 50, 9, true,
		"deflate/6: cpu in ms, share of runs at or below\n"
		"100 % ┤                               ┌─────────┲━\n"
		"      │                               │         ┃\n"
		" 75 % ┤                     ┌─────────╆━━━━━━━━━┛\n"
		"      │                     │         ┃\n"
		" 50 % ┤           ┌─────────╆━━━━━━━━━┛\n"
		"      │           │         ┃\n"
		" 25 % ┤ ┌─────────╆━━━━━━━━━┛\n"
		"      │ │         ┃\n"
		"  0 % ┤━┷━━━━━━━━━┛\n"
		"      └─┬───────────────────┬───────────────────┬─\n"
		"       1.0                 1.2                 1.4\n"
		"── base 0f1e2d3: median 1.15 ms of 4 runs\n"
		"━━ head a1b2c3d: median 1.25 ms of 4 runs\n");
}

static void ascii_uses_letters_for_the_curves(void **state)
{
	const struct plot_cdf plot = cdf(fast, 4, slow, 4);

	(void)state;
	text_is(&plot, 50, 9, false,
		"deflate/6: cpu in ms, share of runs at or below\n"
		"100 % |                               oooooooooo@@\n"
		"      |                               o         *\n"
		" 75 % |                     oooooooooo@**********\n"
		"      |                     o         *\n"
		" 50 % |           oooooooooo@**********\n"
		"      |           o         *\n"
		" 25 % | oooooooooo@**********\n"
		"      | o         *\n"
		"  0 % |@@**********\n"
		"      +-+-------------------+-------------------+-\n"
		"       1.0                 1.2                 1.4\n"
		"oo base 0f1e2d3: median 1.15 ms of 4 runs\n"
		"** head a1b2c3d: median 1.25 ms of 4 runs\n");
}

static void one_value_is_one_step(void **state)
{
	const double one[] = { 42 };
	const struct plot_cdf plot = cdf(NULL, 0, one, 1);

	(void)state;
	text_is(&plot, 50, 5, true,
		"deflate/6: cpu in ns, share of runs at or below\n"
		"100 % ┤                     ┏━━━━━━━━━━━━━━━━━━━━━\n"
		"      │                     ┃\n"
		" 50 % ┤                     ┃\n"
		"      │                     ┃\n"
		"  0 % ┤━━━━━━━━━━━━━━━━━━━━━┛\n"
		"      └─────────────────────┬─────────────────────\n"
		"                           42\n"
		"── base 0f1e2d3: no runs\n"
		"━━ head a1b2c3d: median 42.0 ns of 1 run\n");
}

static void equal_values_are_one_step_of_both(void **state)
{
	const double x[] = { 1e6, 1e6, 1e6 };
	const struct plot_cdf plot = cdf(x, 3, x, 3);

	(void)state;
	text_is(&plot, 50, 5, true,
		"deflate/6: cpu in ms, share of runs at or below\n"
		"100 % ┤                     ┏━━━━━━━━━━━━━━━━━━━━━\n"
		"      │                     ┃\n"
		" 50 % ┤                     ┃\n"
		"      │                     ┃\n"
		"  0 % ┤━━━━━━━━━━━━━━━━━━━━━┛\n"
		"      └┬────────────────────┬────────────────────┬\n"
		"     0.98                 1.00                1.02\n"
		"── base 0f1e2d3: median 1.00 ms of 3 runs\n"
		"━━ head a1b2c3d: median 1.00 ms of 3 runs\n");
}

static void an_outlier_is_counted_below_the_plot(void **state)
{
	const double x[] = { 1e6, 1.1e6, 1.2e6, 1.3e6, 9e7 };
	const struct plot_cdf plot = cdf(x, 5, fast, 4);

	(void)state;
	text_is(&plot, 50, 5, true,
		"deflate/6: cpu in ms, share of runs at or below\n"
		"100 % ┤                                         ┏━\n"
		"      │                            ┏━━━━━━━━━━━━╃─\n"
		" 50 % ┤              ┏━━━━━━━━━━━━━┹────────────┘\n"
		"      │ ┏━━━━━━━━━━━━┛\n"
		"  0 % ┤━┛\n"
		"      └─┬──────────────────────────┬──────────────\n"
		"       1.0                        1.2\n"
		"── base 0f1e2d3: median 1.20 ms of 5 runs\n"
		"━━ head a1b2c3d: median 1.15 ms of 4 runs\n"
		"1 of 9 values lie beyond 1.31 ms (up to 90.0 ms)\n");
}

static void narrow_plots_keep_their_axis(void **state)
{
	const struct plot_cdf plot = cdf(fast, 4, slow, 4);

	(void)state;
	text_is(&plot, 20, 3, false,
		"deflate/6: cpu in\n"
		"   ms, share of runs\n"
		"   at or below\n"
		"100 % |      ooo@@@@\n"
		" 50 % |ooo@@@@***\n"
		"  0 % |@***\n"
		"      ++------------\n"
		"      1.0\n"
		"oo base 0f1e2d3:\n"
		"   median 1.15 ms\n"
		"   of 4 runs\n"
		"** head a1b2c3d:\n"
		"   median 1.25 ms\n"
		"   of 4 runs\n");
}

static void colour_wraps_single_cells_and_legends(void **state)
{
	const double one[] = { 1 };
	const struct plot_cdf plot = cdf(NULL, 0, one, 1);
	const struct plot_text_options opt = { 20, 3, false, true };
	struct buf out = BUF_INIT;

	(void)state;
	assert_int_equal(0, plot_cdf_text(&plot, &opt, &out, NULL));
	assert_non_null(strstr(buf_str(&out), "  0 % |\033[33m*\033[0m\033[33m*\033[0m"));
	assert_non_null(strstr(buf_str(&out), "\033[33m** \033[0mhead"));
	buf_release(&out);
}

static void no_values_are_absent(void **state)
{
	const double none[] = { (double)NAN, (double)INFINITY };
	struct plot_cdf plot = cdf(NULL, 0, NULL, 0);
	const struct plot_text_options opt = { 80, 0, true, false };
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(-1, plot_cdf_text(&plot, &opt, &out, &err));
	assert_int_equal(ERR_ABSENT, err.code);
	plot = cdf(none, 2, none, 2);
	assert_int_equal(-1, plot_cdf_svg(&plot, &out, &err));
	assert_int_equal(ERR_ABSENT, err.code);
	assert_int_equal(0, out.len);
	buf_release(&out);
}

static void values_too_far_apart_for_a_double_are_refused(void **state)
{
	const double wide[] = { -1.7e308, 1.7e308 };
	const double high[] = { 1.797e308, 1.797e308 };
	const struct plot_text_options opt = { 80, 0, true, false };
	struct plot_cdf plot = cdf(wide, 2, wide, 2);
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(-1, plot_cdf_text(&plot, &opt, &out, &err));
	assert_int_equal(ERR_RANGE, err.code);
	plot = cdf(high, 2, high, 2);
	assert_int_equal(-1, plot_cdf_text(&plot, &opt, &out, &err));
	assert_int_equal(ERR_RANGE, err.code);
	buf_release(&out);
}

/* clang-format on */

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(base_is_light_and_head_heavy),
		cmocka_unit_test(ascii_uses_letters_for_the_curves),
		cmocka_unit_test(one_value_is_one_step),
		cmocka_unit_test(equal_values_are_one_step_of_both),
		cmocka_unit_test(an_outlier_is_counted_below_the_plot),
		cmocka_unit_test(narrow_plots_keep_their_axis),
		cmocka_unit_test(colour_wraps_single_cells_and_legends),
		cmocka_unit_test(no_values_are_absent),
		cmocka_unit_test(values_too_far_apart_for_a_double_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
