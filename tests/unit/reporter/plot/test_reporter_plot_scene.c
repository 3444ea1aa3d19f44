#include "tests/unit/reporter/plot/plot_fixture.h"

#include <stdlib.h>

#include "reporter/plot/scene.h"

#include "lib/base/banned.h"

/* Ticks of the axis that reaches over two values. */
static void ticks_are(double low, double high, const char *unit, const char *expected)
{
	const double both[] = { low, high };
	struct plot_cdf plot = cdf(both, 2, NULL, 0);
	struct buf out = BUF_INIT;
	struct plot_scene scene;
	double x, before = -(double)INFINITY;
	int i;

	plot.unit = unit;
	assert_int_equal(0, plot_scene_make(&plot, 5, &scene, NULL));
	for (i = 0; i < scene.n_ticks; i++) {
		x = plot_scene_tick(&scene, i);
		plot_scene_number(&scene, x, &out);
		buf_addc(&out, ' ');
		assert_true(x >= scene.low - scene.step * 1e-6);
		assert_true(x <= scene.high + scene.step * 1e-6);
		assert_true(x > before);
		before = x;
	}
	scale_unit(&scene.scale, &out);
	assert_string_equal(buf_str(&out), expected);
	plot_scene_release(&scene);
	buf_release(&out);
}

static void far_values(size_t n, size_t n_far, size_t expected)
{
	struct plot_scene scene;
	struct plot_cdf plot;
	double *x = calloc(n, sizeof(*x));
	size_t i;

	assert_non_null(x);
	for (i = 0; i < n; i++)
		x[i] = i < n_far ? 1e6 : 100 + (double)i / (double)n;
	plot = cdf(x, n, NULL, 0);
	assert_int_equal(0, plot_scene_make(&plot, 5, &scene, NULL));
	assert_int_equal(expected, scene.n_beyond);
	assert_true(scene.greatest == 1e6);
	plot_scene_release(&scene);
	free(x);
}

static void ticks_lie_at_round_numbers_of_the_unit_shown(void **state)
{
	(void)state;
	ticks_are(1e6, 1.9e6, "ns", "1.0 1.2 1.4 1.6 1.8 ms");
	ticks_are(0, 10, "1", "0 5 10 ");
	ticks_are(-3, 3, "op", "-2 0 2 op");
	ticks_are(1e9, 1e9 + 4000, "1", "1.000000 1.000001 1.000002 1.000003 1.000004 G");
	ticks_are(0, 4.0 * 1048576, "bytes", "0 1 2 3 4 MiB");
	ticks_are(0.001, 0.005, "1", "0.001 0.002 0.003 0.004 0.005 ");
}

static void few_far_values_are_left_out_and_counted_many_are_not(void **state)
{
	(void)state;
	far_values(60, 1, 1);
	far_values(60, 3, 3);
	far_values(60, 4, 0);
	far_values(3, 1, 1);
	far_values(2, 1, 0);
	far_values(1000, 10, 10);
	far_values(1000, 50, 50);
	far_values(1000, 51, 0);
}

static void far_values_below_are_left_out_as_well(void **state)
{
	const double x[] = { 0, 1e6, 1.01e6, 1.02e6, 1.03e6 };
	const struct plot_cdf plot = cdf(x, 5, NULL, 0);
	struct plot_scene scene;
	struct buf out = BUF_INIT;

	(void)state;
	assert_int_equal(0, plot_scene_make(&plot, 5, &scene, NULL));
	assert_int_equal(1, scene.n_below);
	assert_int_equal(0, scene.n_beyond);
	assert_true(scene.low > 0.9e6);
	plot_scene_outside(&scene, &plot, &out);
	assert_string_equal(buf_str(&out), "1 of 5 values lie below 999 us (down to 0.00 ns)");
	buf_release(&out);
	plot_scene_release(&scene);
}

static void shares_count_values_at_or_below(void **state)
{
	double x[] = { 1, 2, 2, 3 };
	const struct plot_series series = { x, 4, 2 };
	const struct plot_series empty = { NULL, 0, (double)NAN };

	(void)state;
	assert_true(plot_scene_share(&series, 0.9) == 0);
	assert_true(plot_scene_share(&series, 1) == 0.25);
	assert_true(plot_scene_share(&series, 2) == 0.75);
	assert_true(plot_scene_share(&series, 99) == 1);
	assert_true(plot_scene_share(&empty, 1) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_lie_at_round_numbers_of_the_unit_shown),
		cmocka_unit_test(few_far_values_are_left_out_and_counted_many_are_not),
		cmocka_unit_test(far_values_below_are_left_out_as_well),
		cmocka_unit_test(shares_count_values_at_or_below),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
