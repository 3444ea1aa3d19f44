#include "tests/unit/reporter/plot/plot_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "reporter/plot/band.h"
#include "reporter/plot/spark.h"

#include "lib/base/banned.h"

static char *band_of(const struct band_point *points, size_t n, const char *title)
{
	struct buf out = BUF_INIT;
	char *svg;

	assert_int_equal(0,
			 plot_band(&(struct band){ title, "cpu", "ns", points, n, 0 }, &out, NULL));
	svg = buf_detach(&out);
	assert_non_null(svg);
	is_well_formed(svg);
	assert_null(strstr(svg, "nan"));
	assert_null(strstr(svg, "inf"));
	return svg;
}

static size_t times(const char *text, const char *piece)
{
	size_t n = 0;

	for (; (text = strstr(text, piece)); text++)
		n++;
	return n;
}

static void band_has_line_intervals_and_marks(void **state)
{
	static const struct band_point points[] = {
		{ 1000, 990, 1010, 0, "one", "0f1e2d3c4b", "2026-11-20T10:00:00Z" },
		{ 1000, 990, 1010, 0, "two", "1f1e2d3c4b", "2026-11-21T10:00:00Z" },
		{ 1500, 1490, 1510, 1, "three <b>", "2f1e2d3c4b", "2026-11-22T10:00:00Z" },
		{ 800, 790, 810, -1, "four", "3f1e2d3c4b", "2026-11-23T10:00:00Z" },
	};
	char *svg = band_of(points, 4, "deflate/6");

	(void)state;
	assert_non_null(strstr(svg, "<title>deflate/6: cpu</title>"));
	assert_non_null(strstr(svg, "1 regressed, 1 improved"));
	assert_non_null(strstr(svg, "cpu in us<"));
	assert_int_equal(1,
			 times(svg, "<g class=\"pawl-regressed\"><title>three &lt;b&gt;</title>"));
	assert_int_equal(1, times(svg, "<g class=\"pawl-improved\">"));
	assert_int_equal(4, times(svg, "<circle"));
	assert_non_null(strstr(svg, ">0f1e2d3<"));
	assert_non_null(strstr(svg, ">2026-11-23<"));
	free(svg);
}

static void hostile_words_stay_words(void **state)
{
	static const struct band_point points[] = {
		{ 1, 1, 1, 1, "</title><script>", "<x>&\"", "\"<>&'<>&'<" },
	};
	char *svg = band_of(points, 1, "</svg>\"&\x1b[31m");

	(void)state;
	assert_null(strstr(svg, "<script"));
	assert_null(strstr(svg, "\x1b"));
	free(svg);
}

static void points_without_value_or_interval_leave_gaps(void **state)
{
	static const struct band_point points[] = {
		{ NAN, NAN, NAN, 0, NULL, NULL, NULL },
		{ 5, NAN, NAN, 0, NULL, NULL, NULL },
		{ NAN, 1, 2, 0, NULL, NULL, NULL },
		{ 5, 4, INFINITY, 0, NULL, NULL, NULL },
	};
	struct buf out = BUF_INIT;
	char *svg = band_of(points, 4, "x");

	(void)state;
	assert_int_equal(2, times(svg, "<circle"));
	free(svg);
	assert_int_equal(0,
			 plot_band(&(struct band){ "x", "cpu", "ns", points, 1, 0 }, &out, NULL));
	assert_int_equal(0, out.len);
	assert_int_equal(0,
			 plot_band(&(struct band){ "x", "cpu", "ns", points, 0, 0 }, &out, NULL));
	assert_int_equal(0, out.len);
	buf_release(&out);
}

/* The highest and the lowest y of the line of medians. */
static void span_of_line(const char *svg, double *top, double *bottom)
{
	const char *at = strstr(svg, "pawl-median");
	char *end;

	assert_non_null(at);
	at = strstr(at, "d=\"") + 3;
	*top = HUGE_VAL;
	*bottom = -HUGE_VAL;
	for (; *at != '"'; at = end) {
		double y;

		strtod(at + 1, &end);
		y = strtod(end, &end);
		*top = fmin(*top, y);
		*bottom = fmax(*bottom, y);
	}
}

/* One high and one low value among 20,000, on neighbouring places: both must be seen. */
static void picture_of_many_points_is_bounded_and_keeps_extremes(void **state)
{
	const size_t n = 20000;
	struct band_point *points = calloc(n, sizeof(*points));
	double top, bottom;
	char *svg;
	size_t i;

	(void)state;
	assert_non_null(points);
	for (i = 0; i < n; i++)
		points[i] = (struct band_point){ 100, 99, 101, 0, NULL, NULL, NULL };
	points[7777].value = 200;
	points[7778].value = 0;
	svg = band_of(points, n, "x");
	assert_true(strlen(svg) < 64000);
	assert_int_equal(0, times(svg, "<circle"));
	span_of_line(svg, &top, &bottom);
	assert_true(top < 60 && bottom > 290); /* of 34 to 318 */
	free(svg);
	free(points);
}

static void spark_of_nothing_is_nothing_and_of_one_level_a_dot(void **state)
{
	static const double none[] = { NAN, NAN }, one[] = { NAN, 3, NAN };
	static const signed char moved[3];
	struct buf out = BUF_INIT;

	(void)state;
	plot_spark(&(struct spark){ none, moved, NULL, 2 }, &out);
	assert_int_equal(0, out.len);
	plot_spark(&(struct spark){ one, moved, NULL, 3 }, &out);
	is_well_formed(buf_str(&out));
	assert_int_equal(1, times(buf_str(&out), "<circle class=\"dot\""));
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(band_has_line_intervals_and_marks),
		cmocka_unit_test(hostile_words_stay_words),
		cmocka_unit_test(points_without_value_or_interval_leave_gaps),
		cmocka_unit_test(picture_of_many_points_is_bounded_and_keeps_extremes),
		cmocka_unit_test(spark_of_nothing_is_nothing_and_of_one_level_a_dot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
