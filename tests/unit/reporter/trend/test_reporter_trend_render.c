#include "tests/unit/reporter/trend/trend_fixture.h"

#include "reporter/text/text.h"
#include "reporter/trend/render.h"
#include "reporter/trend/scene.h"

#include "lib/base/banned.h"

static const char hostile[] = "=1+1 <script>alert(1)</script> & \"q\" \x1b[31m\n]]>\xff";

static void make(struct trend *t)
{
	double effects[30] = { [9] = 0.05, [20] = -0.04, [25] = 0.05 };

	fixture_line(t, 30, effects, 0.005);
	assert_int_equal(0, str_set(&t->points[25].accepted, hostile, NULL));
	assert_int_equal(0, str_set(&t->points[9].subject, hostile, NULL));
	assert_int_equal(0, str_set(&t->benchmark, "a<b>/\x1b[2J", NULL));
	assert_int_equal(0, trend_judge(t, NULL));
	assert_int_equal(0, trend_creep(t, "v<1>", 5, NULL));
}

static char *rendered(const struct trend *t, const char *format, bool utf8, int width)
{
	struct render_options opt = RENDER_OPTIONS_INIT;
	struct buf out = BUF_INIT;

	opt.utf8 = utf8;
	opt.width = width;
	assert_int_equal(0, trend_render(format, t, &opt, &out, NULL));
	assert_int_equal('\n', out.data[out.len - 1]);
	assert_int_equal(out.len, strlen(out.data));
	return buf_detach(&out);
}

static void every_format_makes_hostile_texts_harmless(void **state)
{
	static const char *const formats[] = { "text", "svg", "html", "json", "csv" };
	struct trend t;
	size_t i;

	(void)state;
	make(&t);
	for (i = 0; i < 5; i++) {
		char *out = rendered(&t, formats[i], true, 100);

		assert_null(strchr(out, '\x1b'));
		assert_null(strstr(out, "\xff"));
		assert_null(strstr(out, "nan"));
		assert_null(strstr(out, "inf,"));
		if (i == 1 || i == 2) {
			assert_null(strstr(out, "<script"));
			assert_non_null(strstr(out, "&lt;script&gt;"));
		}
		free(out);
	}
	trend_release(&t);
}

static void the_plot_marks_what_happened_by_letters_and_words(void **state)
{
	struct trend t;
	char *out, *marks;

	(void)state;
	make(&t);
	out = rendered(&t, "text", false, 80);
	marks = strstr(out, "R ");
	assert_non_null(marks);
	assert_true(strstr(marks, "I ") && strstr(marks, "A\n"));
	assert_non_null(strstr(out, "R regressed   A regressed, accepted   I improved\n"));
	assert_non_null(strstr(out, "29 steps measured side by side: 3 moved it "
				    "by 1 % or more\n"));
	assert_non_null(strstr(out, "since v<1>: "));
	for (marks = out; *marks; marks++)
		assert_true((unsigned char)*marks < 0x80);
	free(out);
	trend_release(&t);
}

static void lines_of_a_plot_fit_the_terminal(void **state)
{
	static const int widths[] = { 40, 60, 80, 120 };
	struct trend t;
	size_t i;

	(void)state;
	make(&t);
	for (i = 0; i < 4; i++) {
		char *out = rendered(&t, "text", true, widths[i]), *line, *end;
		/* the plot ends at the axis' labels; the table cuts as it can */
		for (line = out; (end = strchr(line, '\n')); line = end + 1) {
			*end = '\0';
			if (strstr(line, "\xe2\x94"))
				assert_true(text_width(line) <= widths[i]);
		}
		free(out);
	}
	trend_release(&t);
}

static void a_csv_has_a_row_a_commit_and_no_formula(void **state)
{
	struct trend t;
	char *out, *p;
	size_t rows = 0;

	(void)state;
	make(&t);
	out = rendered(&t, "csv", true, 0);
	for (p = out; (p = strstr(p, "\r\n")); p += 2)
		rows++;
	assert_int_equal(31, rows);
	assert_memory_equal("commit,date,subject,level,", out, 26);
	assert_non_null(strstr(out, ",\"'=1+1 <script>alert(1)</script> & \"\"q\"\" "));
	free(out);
	trend_release(&t);
}

static void a_step_over_several_commits_names_them_all(void **state)
{
	struct coin coin;
	struct trend t;
	char *out;

	(void)state;
	coin_init(&coin, 3);
	fixture_trend(&t);
	fixture_point(&t, 1, 0);
	fixture_step(fixture_point(&t, 4, 0.05), 1, 0.05, 0.004, &coin);
	assert_int_equal(0, trend_judge(&t, NULL));
	out = rendered(&t, "text", false, 0);
	assert_non_null(strstr(out, "one of 3 commits, those between without results: "
				    "0000000..0000000"));
	free(out);
	trend_release(&t);
}

static void nothing_side_by_side_is_said_to_name_nothing(void **state)
{
	struct trend t;
	char *out;

	(void)state;
	fixture_trend(&t);
	fixture_point(&t, 1, 0);
	assert_int_equal(0, trend_judge(&t, NULL));
	out = rendered(&t, "text", false, 80);
	assert_non_null(strstr(out, "a single result is no history: "));
	assert_null(strchr(out, '|')); /* no plot of it */
	free(out);
	t.points[0].level = (double)NAN; /* not even a level */
	out = rendered(&t, "svg", false, 80);
	assert_non_null(strstr(out, "no level was measured"));
	free(out);
	trend_release(&t);
	fixture_trend(&t);
	fixture_point(&t, 1, 0);
	fixture_point(&t, 2, 0);
	assert_int_equal(0, trend_judge(&t, NULL));
	out = rendered(&t, "text", false, 80);
	assert_non_null(strstr(out, "no step here was measured side by side"));
	assert_non_null(strchr(out, '|'));
	free(out);
	trend_release(&t);
}

static void set_level(struct trend *t, size_t i, double log_ratio)
{
	struct trend_point *p = &t->points[i];

	p->level *= exp(log_ratio);
	p->low *= exp(log_ratio);
	p->high *= exp(log_ratio);
}

static void assert_chain_inside(const struct trend *t, const struct trend_scene *scene)
{
	size_t i;

	for (i = t->first; i < t->n; i++)
		if (isfinite(t->points[i].chained))
			assert_true(t->points[i].chained >= scene->axis.low &&
				    t->points[i].chained <= scene->axis.high);
}

static void the_axis_holds_a_regression_of_the_newest_commit(void **state)
{
	double effects[40] = { [39] = 1.4 }; /* +305 % */
	struct trend_scene scene;
	struct trend t;
	char *out;

	(void)state;
	fixture_line(&t, 40, effects, 0.005);
	assert_int_equal(0, trend_judge(&t, NULL));
	assert_int_equal(0, trend_scene_make(&t, 6, &scene, NULL));
	assert_true(scene.level[39] < scene.axis.high && scene.axis.high > 4e6);
	assert_int_equal(0, scene.n_outside);
	assert_chain_inside(&t, &scene);
	out = rendered(&t, "text", false, 80);
	assert_null(strstr(out, "outside the axis"));
	free(out);
	trend_scene_release(&scene);
	trend_release(&t);
}

static void the_axis_holds_a_regression_that_was_undone(void **state)
{
	double effects[40] = { [20] = 1.4, [21] = -1.4 };
	struct trend_scene scene;
	struct trend t;

	(void)state;
	fixture_line(&t, 40, effects, 0.005);
	assert_int_equal(0, trend_judge(&t, NULL));
	assert_int_equal(0, trend_scene_make(&t, 6, &scene, NULL));
	assert_int_equal(0, scene.n_outside);
	assert_true(scene.level[20] < scene.axis.high);
	trend_scene_release(&scene);
	trend_release(&t);
}

static void a_single_level_that_nobody_names_is_an_arrow_with_its_value(void **state)
{
	struct trend_scene scene;
	struct trend t;
	char *out;

	(void)state;
	fixture_line(&t, 40, NULL, 0.004);
	set_level(&t, 12, log(9)); /* the machine was elsewhere; the pairs saw nothing */
	assert_int_equal(0, trend_judge(&t, NULL));
	assert_int_equal(0, trend_scene_make(&t, 6, &scene, NULL));
	assert_int_equal(1, scene.n_outside);
	assert_int_equal(1, scene.outside[12]);
	assert_true(scene.axis.high < 2e6);
	assert_chain_inside(&t, &scene);
	trend_scene_release(&scene);
	out = rendered(&t, "text", false, 80);
	assert_non_null(strstr(out, "^ v outside the axis: 9.0"));
	assert_non_null(strstr(out, " ms at 0000000\n"));
	free(out);
	out = rendered(&t, "svg", false, 80);
	assert_non_null(strstr(out, "l4.5 9h-9z"));
	assert_non_null(strstr(out, ">outside the axis: 9.0"));
	free(out);
	trend_release(&t);
}

static void a_level_without_any_step_is_no_sum_of_steps(void **state)
{
	struct trend_scene scene;
	struct trend t;
	size_t i;

	(void)state;
	fixture_trend(&t);
	for (i = 0; i < 20; i++)
		fixture_point(&t, i, 0.001 * (double)(i % 3) + (i == 9 ? 2 : 0));
	t.n_line = 20;
	assert_int_equal(0, trend_judge(&t, NULL));
	t.n_advice = 0;
	assert_int_equal(0, trend_scene_make(&t, 6, &scene, NULL));
	assert_int_equal(1, scene.n_outside);
	assert_int_equal(1, scene.outside[9]);
	trend_scene_release(&scene);
	trend_release(&t);
}

static void levels_that_are_newest_or_not_alone_are_never_left_out(void **state)
{
	static const size_t moved[][2] = {
		{ 37, 37 }, { 38, 38 }, { 39, 39 }, { 0, 0 }, { 12, 13 }
	};
	struct trend_scene scene;
	struct trend t;
	size_t i;

	(void)state;
	for (i = 0; i < 5; i++) {
		fixture_line(&t, 40, NULL, 0.004);
		set_level(&t, moved[i][0], log(9));
		if (moved[i][1] != moved[i][0])
			set_level(&t, moved[i][1], log(9) + 0.001);
		assert_int_equal(0, trend_judge(&t, NULL));
		assert_int_equal(0, trend_scene_make(&t, 6, &scene, NULL));
		/* of two, the lower one is no peak and holds the other */
		assert_int_equal(0, scene.n_outside);
		trend_scene_release(&scene);
		trend_release(&t);
	}
}

static void the_page_says_its_title_once_and_hollow_points_are_explained(void **state)
{
	struct trend t;
	char *out, *at;

	(void)state;
	fixture_line(&t, 40, NULL, 0.004);
	t.points[7].how = TREND_IDENTICAL;
	t.points[7].level = (double)NAN;
	assert_int_equal(0, trend_judge(&t, NULL));
	out = rendered(&t, "html", false, 80);
	assert_non_null(strstr(out, "40 results on 40 commits"));
	assert_null(strstr(out, ">deflate/6</text>"));
	at = strstr(out, "</desc>");
	assert_non_null(at);
	assert_null(strstr(at, "40 results on 40 commits"));
	assert_non_null(strstr(out, TREND_CARRIED));
	free(out);
	out = rendered(&t, "text", false, 100);
	assert_non_null(strstr(out, ". " TREND_CARRIED));
	free(out);
	trend_release(&t);
}

static void an_unknown_format_is_refused_with_those_there_are(void **state)
{
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;
	struct trend t;

	(void)state;
	fixture_line(&t, 2, NULL, 0.004);
	assert_int_equal(-1, trend_render("svgz", &t, NULL, &out, &err));
	assert_int_equal(ERR_USAGE, err.code);
	assert_string_equal("text, svg, html, json or csv", err.hint);
	assert_int_equal(0, out.len);
	trend_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format_makes_hostile_texts_harmless),
		cmocka_unit_test(the_plot_marks_what_happened_by_letters_and_words),
		cmocka_unit_test(lines_of_a_plot_fit_the_terminal),
		cmocka_unit_test(a_csv_has_a_row_a_commit_and_no_formula),
		cmocka_unit_test(a_step_over_several_commits_names_them_all),
		cmocka_unit_test(nothing_side_by_side_is_said_to_name_nothing),
		cmocka_unit_test(the_axis_holds_a_regression_of_the_newest_commit),
		cmocka_unit_test(the_axis_holds_a_regression_that_was_undone),
		cmocka_unit_test(a_single_level_that_nobody_names_is_an_arrow_with_its_value),
		cmocka_unit_test(a_level_without_any_step_is_no_sum_of_steps),
		cmocka_unit_test(levels_that_are_newest_or_not_alone_are_never_left_out),
		cmocka_unit_test(the_page_says_its_title_once_and_hollow_points_are_explained),
		cmocka_unit_test(an_unknown_format_is_refused_with_those_there_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
