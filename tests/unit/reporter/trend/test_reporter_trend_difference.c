/* A history of a count that starts at 0: steps without a ratio are judged by their differences. */
#include "tests/unit/reporter/trend/trend_fixture.h"

#include "reporter/trend/load.h"
#include "reporter/trend/list.h"
#include "reporter/trend/render.h"

#include "lib/base/banned.h"

#define RUNS 25
#define COMMITS 5

/* What each commit allocates: nothing, until the one at place 2 begins to. */
static const double counts[COMMITS] = { 0, 0, 5, 5, 5 };

static size_t place_of(const void *ctx, const char *commit)
{
	(void)ctx;
	return (size_t)strtoul(commit + 32, NULL, 16);
}

static void add_commit(struct trend *t, size_t place, const double *count)
{
	struct points_frame frame;
	struct point worked_out;
	struct trend_point p;
	char commit[41], base[41];
	struct err err = ERR_INIT;
	struct summary s;
	struct bench *b;
	struct metric *m;
	int i;

	summary_init(&s);
	fixture_commit(place, commit);
	fixture_commit(place ? place - 1 : 0, base);
	assert_int_equal(0, str_set(&s.commit.id, commit, NULL));
	assert_int_equal(0, str_set(&s.baseline.commit, place ? base : NULL, NULL));
	assert_int_equal(0, str_set(&s.baseline.how, place ? "rerun" : NULL, NULL));
	b = summary_add_bench(&s, "grow", NULL);
	assert_non_null(b);
	b->paired = place > 0;
	b->threshold = 0.01;
	assert_int_equal(0, str_set(&b->gate, "allocations", NULL));
	m = bench_add_metric(b, "allocations", "op", BETTER_LOWER, NULL);
	assert_non_null(m);
	for (i = 0; i < RUNS; i++) {
		assert_int_equal(0, samples_add(&m->samples, &m->n, count[place], NULL));
		if (place)
			assert_int_equal(0, samples_add(&m->baseline_samples, &m->n_baseline,
							count[place - 1], NULL));
	}
	frame = points_frame_of(&s);
	if (point_of(&s, b, "allocations", &worked_out, &err) ||
	    trend_point_from(&frame, &worked_out, place_of, NULL, &p, &err))
		fail_msg("%s", err.text);
	assert_int_equal(0, trend_add(t, &p, NULL));
	summary_release(&s);
}

static void make(struct trend *t, const double *count)
{
	struct err err = ERR_INIT;
	size_t i;

	trend_init(t);
	assert_int_equal(0, str_set(&t->project, "zlib", NULL));
	assert_int_equal(0, str_set(&t->benchmark, "grow", NULL));
	assert_int_equal(0, str_set(&t->metric, "allocations", NULL));
	assert_int_equal(0, str_set(&t->unit, "op", NULL));
	t->threshold = 0.01;
	for (i = 0; i < COMMITS; i++)
		add_commit(t, i, count);
	t->n_line = COMMITS;
	if (trend_judge(t, &err) || trend_creep(t, "v1", 0, &err))
		fail_msg("%s", err.text);
}

static void shows(const struct trend *t, const char *format, const char *part)
{
	struct render_options opt = RENDER_OPTIONS_INIT;
	struct buf out = BUF_INIT;

	opt.width = 100;
	assert_int_equal(0, trend_render(format, t, &opt, &out, NULL));
	if (!strstr(buf_str(&out), part))
		fail_msg("%s without '%s': %s", format, part, buf_str(&out));
	if (strstr(buf_str(&out), "nan"))
		fail_msg("%s with nan: %s", format, buf_str(&out));
	buf_release(&out);
}

static void the_commit_that_begins_to_allocate_is_named(void **state)
{
	struct trend t;
	size_t i;

	(void)state;
	make(&t, counts);
	assert_int_equal(4, t.n_tests);
	assert_int_equal(1, t.n_moved);
	for (i = 1; i < COMMITS; i++)
		assert_int_equal(i == 2 ? VERDICT_REGRESSED : VERDICT_UNCHANGED,
				 t.points[i].verdict);
	assert_int_equal(1, trend_exit(&t, false));
	trend_release(&t);
}

static void every_format_shows_the_difference(void **state)
{
	struct trend t;

	(void)state;
	make(&t, counts);
	shows(&t, "text", "+5 op  [+5, +5] op  regressed");
	shows(&t, "html", "[+5, +5] op");
	shows(&t, "svg", "+5 op");
	shows(&t, "json", "\"difference\": 5,");
	shows(&t, "json", "\"difference_ci\": [5, 5],");
	shows(&t, "csv", "because,difference,difference_low,difference_high\r\n");
	shows(&t, "csv", ",regressed,no,,5,5,5\r\n");
	trend_release(&t);
}

static void the_list_shows_it_too(void **state)
{
	struct render_options opt = RENDER_OPTIONS_INIT;
	struct trend_set set = { .n = 1 };
	struct buf out = BUF_INIT;
	struct trend t;

	(void)state;
	make(&t, counts);
	set.v = &t;
	opt.width = 120;
	assert_int_equal(0, trend_list("text", &set, &opt, &out, NULL));
	assert_non_null(strstr(buf_str(&out), "+5 op"));
	buf_reset(&out);
	assert_int_equal(0, trend_list("json", &set, &opt, &out, NULL));
	assert_non_null(strstr(buf_str(&out), "\"difference\": 5"));
	buf_release(&out);
	trend_release(&t);
}

static void levels_are_led_back_by_differences(void **state)
{
	struct trend t;

	(void)state;
	make(&t, counts);
	assert_true(fabs(t.points[4].chained - 5) < 1e-9);
	assert_true(fabs(t.points[2].chained - 5) < 1e-9);
	assert_true(fabs(t.points[1].chained) < 1e-9 && fabs(t.points[0].chained) < 1e-9);
	trend_release(&t);
}

/* From 0 to 0 is no change; from 0 to 5 is no summand of ratios. */
static void a_sum_of_ratios_says_what_it_misses(void **state)
{
	static const double none[COMMITS] = { 0, 0, 0, 0, 0 };
	struct trend t;

	(void)state;
	make(&t, counts);
	assert_string_equal(t.points[2].commit, t.creep.broken);
	shows(&t, "text", "has no ratio: it starts or ends at 0");
	trend_release(&t);
	make(&t, none);
	assert_null(t.creep.broken);
	assert_true(t.creep.sum.change == 0 && !t.creep.sum.flagged);
	trend_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_commit_that_begins_to_allocate_is_named),
		cmocka_unit_test(every_format_shows_the_difference),
		cmocka_unit_test(the_list_shows_it_too),
		cmocka_unit_test(levels_are_led_back_by_differences),
		cmocka_unit_test(a_sum_of_ratios_says_what_it_misses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
