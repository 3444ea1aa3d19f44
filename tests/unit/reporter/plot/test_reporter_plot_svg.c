#include "tests/unit/reporter/plot/plot_fixture.h"

#include <stdlib.h>

#include "lib/base/banned.h"

static char *svg_of(const struct plot_cdf *plot)
{
	struct buf out = BUF_INIT;
	char *svg;

	assert_int_equal(0, plot_cdf_svg(plot, &out, NULL));
	svg = buf_detach(&out);
	assert_non_null(svg);
	is_well_formed(svg);
	assert_null(strstr(svg, "nan"));
	assert_null(strstr(svg, "inf"));
	return svg;
}

static void an_svg_holds_both_curves_their_medians_and_both_themes(void **state)
{
	const struct plot_cdf plot = cdf(fast, 4, slow, 4);
	char *svg = svg_of(&plot);

	(void)state;
	assert_non_null(strstr(svg, "<title>deflate/6: cpu in ms</title>"));
	assert_non_null(strstr(svg, "<desc>Share of runs at or below a value: base 0f1e2d3: median "
				    "1.15 ms of 4 runs; head a1b2c3d: median 1.25 ms of 4 runs"
				    "</desc>"));
	assert_non_null(strstr(svg, "prefers-color-scheme:dark"));
	assert_non_null(strstr(svg, "<path class=\"pawl-base\""));
	assert_non_null(strstr(svg, "<path class=\"pawl-head\""));
	assert_non_null(strstr(svg, "pawl-base-dot\" cx="));
	assert_non_null(strstr(svg, "pawl-head-dot\" cx="));
	free(svg);
}

static void an_svg_steps_at_the_values_and_shares(void **state)
{
	/* the axis: 0.96 ms .. 1.44 ms by the rule of 4 %, 628 px wide from 64 */
	const double base[] = { 1.0e6, 1.4e6 };
	const struct plot_cdf plot = cdf(base, 2, NULL, 0);
	char *svg = svg_of(&plot);

	(void)state;
	/* 64 + 628 * 0.016 / 0.432 = 87.3 and 64 + 628 * 0.416 / 0.432 = 668.7 */
	assert_non_null(strstr(svg, "d=\"M64.0 352.0H87.3V234.0H668.7V116.0H692.0\""));
	assert_null(strstr(svg, "<path class=\"pawl-head\""));
	assert_non_null(strstr(svg, "head a1b2c3d: no runs"));
	free(svg);
}

static void an_svg_survives_one_value_and_equal_values(void **state)
{
	const double one[] = { 5 }, zero[] = { 0, 0, 0 };
	const struct plot_cdf single = cdf(NULL, 0, one, 1), equal = cdf(zero, 3, zero, 3);

	(void)state;
	free(svg_of(&single));
	free(svg_of(&equal));
}

static void an_svg_shows_hostile_names_as_text(void **state)
{
	struct plot_cdf plot = cdf(fast, 4, slow, 4);
	char *svg;

	(void)state;
	plot.title = "</title><script>alert(1)</script>\x1b[31m&\n\xff";
	plot.metric = "<b>";
	plot.unit = "\"'<";
	plot.head_name = "]]>";
	svg = svg_of(&plot);
	assert_null(strstr(svg, "<script"));
	assert_null(strstr(svg, "<b>"));
	assert_non_null(strstr(svg,
			       "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;\\e[31m&amp;"
			       "\\n\\xff"));
	free(svg);
}

static void an_svg_of_many_values_has_no_more_steps_than_pixels(void **state)
{
	size_t n = 10000, i;
	double *x = calloc(n, sizeof(*x));
	struct plot_cdf plot;
	char *svg;

	(void)state;
	assert_non_null(x);
	for (i = 0; i < n; i++)
		x[i] = 1e6 + (double)i;
	plot = cdf(x, n, x, n);
	svg = svg_of(&plot);
	assert_true(strlen(svg) < 400000);
	free(svg);
	free(x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_svg_holds_both_curves_their_medians_and_both_themes),
		cmocka_unit_test(an_svg_steps_at_the_values_and_shares),
		cmocka_unit_test(an_svg_survives_one_value_and_equal_values),
		cmocka_unit_test(an_svg_shows_hostile_names_as_text),
		cmocka_unit_test(an_svg_of_many_values_has_no_more_steps_than_pixels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
