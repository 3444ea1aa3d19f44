#include "tests/unit/reporter/trend/trend_world.h"

#include <math.h>

#include "reporter/trend/render.h"

#include "lib/base/banned.h"

static void only_what_ran_side_by_side_on_this_line_is_a_step(void **state)
{
	struct world *w = *state;
	struct trend_set set;
	const struct trend *t;

	add(w, 0, NULL, NULL);
	add(w, 1, ids[0], "rerun");
	add(w, 2, ids[1], "stored");
	add(w, 3, COMMIT_A, "rerun"); /* on another line */
	add(w, 4, ids[2], "rebuilt");
	set = load(w);
	assert_int_equal(1, set.n);
	t = &set.v[0];
	assert_int_equal(5, t->n);
	assert_string_equal("cpu", t->metric);
	assert_int_equal(TREND_NO_STEP, t->points[0].how);
	assert_int_equal(TREND_PAIRED, t->points[1].how);
	assert_int_equal(VERDICT_REGRESSED, t->points[1].verdict);
	assert_int_equal(TREND_NO_STEP, t->points[2].how);
	assert_int_equal(TREND_NO_STEP, t->points[3].how);
	assert_int_equal(TREND_PAIRED, t->points[4].how);
	assert_int_equal(2, trend_span(&t->points[4]));
	trend_set_release(&set);
}

/* hyperfine -i goes on after a command that failed: how long that took was the newest level. */
static void what_failed_has_no_level_whatever_it_took(void **state)
{
	struct world *w = *state;
	const struct trend_point *p;
	struct trend_set set;
	struct summary s;

	add(w, 0, NULL, NULL);
	prepare(w, &s, 1, NULL, NULL);
	s.benchmarks[0].status = BENCH_FAILED;
	put(w, &s);
	set = load(w);
	assert_int_equal(2, set.v[0].n);
	assert_true(isfinite(set.v[0].points[0].level));
	p = &set.v[0].points[1];
	assert_true(p->failed && isnan(p->level) && isnan(p->low) && !p->has_location);
	assert_int_equal(0, p->n_runs);
	trend_set_release(&set);
}

static void dirty_and_foreign_results_and_comparisons_with_itself_are_none(void **state)
{
	struct world *w = *state;
	struct trend_set set;
	struct summary s;

	add(w, 0, NULL, NULL);
	prepare(w, &s, 1, ids[0], "rerun");
	s.commit.dirty = true;
	put(w, &s);
	prepare(w, &s, 2, ids[1], "rerun");
	assert_int_equal(0, str_set(&s.machine.id, "ffffffffffffffff", NULL));
	put(w, &s);
	add(w, 3, ids[3], "rerun"); /* HEAD against HEAD */
	set = load(w);
	assert_int_equal(2, set.v[0].n);
	assert_int_equal(TREND_NO_STEP, set.v[0].points[1].how);
	assert_int_equal(1, set.v[0].n_dirty);
	assert_int_equal(1, set.machines.n);
	assert_string_equal("ffffffffffffffff", set.machines.v[0]);
	trend_set_release(&set);
}

static const char *third(void *ctx, const char *commit, const char *benchmark)
{
	assert_string_equal("deflate/6", benchmark);
	return !strcmp(commit, ids[2]) ? ctx : NULL;
}

static void an_acceptance_of_any_commit_of_a_step_marks_it(void **state)
{
	static char why[] = "it is right now";
	struct world *w = *state;
	struct trend_set set;

	add(w, 0, NULL, NULL);
	add(w, 1, ids[0], "rerun");
	add(w, 3, ids[1], "rerun"); /* over ids[2] */
	w->query.accepted = third;
	w->query.ctx = why;
	set = load(w);
	assert_null(set.v[0].points[1].accepted);
	assert_string_equal(why, set.v[0].points[2].accepted);
	assert_int_equal(1, trend_exit(&set.v[0], false)); /* ids[1] */
	trend_set_release(&set);
}

static void the_limit_shows_less_and_the_tag_still_reaches_back(void **state)
{
	struct world *w = *state;
	struct trend_set set;
	int i;

	add(w, 0, NULL, NULL);
	for (i = 1; i < COMMITS; i++)
		add(w, i, ids[i - 1], "rerun");
	w->query.limit = 2;
	w->query.tag = "v1";
	w->query.tag_place = 0;
	set = load(w);
	assert_int_equal(2, set.v[0].n - set.v[0].first);
	assert_int_equal(2, set.v[0].n_tests);
	assert_int_equal(2, set.v[0].n_line);
	assert_int_equal(4, set.v[0].creep.sum.n);
	trend_set_release(&set);
}

/* Every pair was 5 % up, which counted as worse when it was stored. */
static void the_newest_word_on_what_is_better_holds_for_all_steps(void **state)
{
	struct world *w = *state;
	struct trend_set set;
	struct summary s;
	struct delta d;

	add(w, 0, NULL, NULL);
	add(w, 1, ids[0], "rerun");
	prepare(w, &s, 2, ids[1], "rerun");
	s.benchmarks[0].metrics[0].better = BETTER_HIGHER;
	put(w, &s);
	set = load(w);
	assert_int_equal(BETTER_HIGHER, set.v[0].better);
	assert_int_equal(VERDICT_IMPROVED, set.v[0].points[1].verdict);
	assert_int_equal(VERDICT_IMPROVED, set.v[0].points[2].verdict);
	trend_delta(&set.v[0], &set.v[0].points[1], &d);
	assert_true(d.ratio > 1.04 && d.ratio < 1.06);
	trend_set_release(&set);
}

static void results_in_another_unit_are_in_no_line_with_the_newest(void **state)
{
	struct world *w = *state;
	struct trend_set set;
	struct summary s;

	prepare(w, &s, 0, NULL, NULL);
	assert_int_equal(0, str_set(&s.benchmarks[0].metrics[0].unit, "bytes", NULL));
	put(w, &s);
	add(w, 1, ids[0], "rerun");
	add(w, 2, ids[1], "rerun");
	set = load(w);
	assert_string_equal("ns", set.v[0].unit);
	assert_int_equal(2, set.v[0].n);
	trend_set_release(&set);
}

/* A result of Go of ids[at] with so many processors; NULL: with one. */
static void add_go(struct world *w, int at, const char *procs)
{
	struct summary s;

	prepare(w, &s, at, NULL, NULL);
	assert_int_equal(0, str_set(&s.benchmarks[0].format, "go", NULL));
	if (procs)
		assert_int_equal(0, facts_add(&s.benchmarks[0].facts, "gomaxprocs", procs, NULL));
	put(w, &s);
}

static void another_number_of_processors_begins_a_new_series(void **state)
{
	struct world *w = *state;
	struct trend_set set;
	int i;

	add_go(w, 0, NULL);
	add_go(w, 1, "4");
	add_go(w, 2, "4");
	add_go(w, 3, "8");
	for (i = 0; i < 4; i++) { /* by what was kept, and by the results */
		w->query.benchmark = i % 2 ? NULL : "deflate/6";
		set = load(w);
		assert_int_equal(0, trend_judge(&set.v[0], NULL));
		assert_null(set.v[0].points[0].begins);
		assert_string_equal("GOMAXPROCS", set.v[0].points[1].begins);
		assert_null(set.v[0].points[2].begins);
		assert_string_equal("GOMAXPROCS", set.v[0].points[3].begins);
		trend_set_release(&set);
		if (i == 1)
			meddle(w->path, "UPDATE result SET points=NULL");
	}
}

static void a_benchmark_without_results_gives_an_empty_set(void **state)
{
	struct world *w = *state;
	struct trend_set set;

	add(w, 0, NULL, NULL);
	w->query.benchmark = "deflate";
	set = load(w);
	assert_int_equal(0, set.n);
	assert_int_equal(1, set.n_results);
	trend_set_release(&set);
}

/* What would be shown. */
static char *shown(struct world *w)
{
	struct render_options opt = RENDER_OPTIONS_INIT;
	struct trend_set set = load(w);
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;
	size_t i;

	for (i = 0; i < set.n; i++)
		if (trend_render("json", &set.v[i], &opt, &out, &err))
			fail_msg("%s", err.text);
	trend_set_release(&set);
	return buf_detach(&out);
}

/* Steps of other thresholds, another direction, another metric, a second result of a commit. */
static void points_that_were_kept_give_the_same_trend_as_the_results(void **state)
{
	static const char *const metrics[] = { NULL, "wall", "cpu" };
	struct world *w = *state;
	struct summary s;
	char *with, *without;
	size_t i;

	add(w, 0, NULL, NULL);
	add(w, 1, ids[0], "rerun");
	prepare(w, &s, 2, ids[1], "rerun");
	s.benchmarks[0].threshold = 0.1;
	put(w, &s);
	prepare(w, &s, 3, ids[2], "rebuilt");
	s.benchmarks[0].metrics[0].better = BETTER_HIGHER;
	put(w, &s);
	prepare(w, &s, 3, NULL, NULL);
	assert_int_equal(0, str_set(&s.benchmarks[0].gate, "wall", NULL));
	put(w, &s);
	prepare(w, &s, 4, ids[3], "rerun");
	put(w, &s);
	for (i = 0; i < 2 * sizeof(metrics) / sizeof(metrics[0]); i++) {
		w->query.metric = metrics[i / 2];
		w->query.benchmark = i % 2 ? NULL : "deflate/6";
		with = shown(w);
		meddle(w->path, "CREATE TABLE kept AS SELECT seq, points FROM result;"
				"UPDATE result SET points=NULL");
		without = shown(w);
		assert_string_equal(without, with);
		/* Damaged ones are not believed. */
		meddle(w->path, "UPDATE result SET points=(SELECT points FROM kept"
				" WHERE kept.seq=result.seq);");
		flip_byte(w->path, "points", 2, -1);
		free(without);
		without = shown(w);
		assert_string_equal(without, with);
		flip_byte(w->path, "points", 2, -1);
		meddle(w->path, "DROP TABLE kept");
		free(with);
		free(without);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(only_what_ran_side_by_side_on_this_line_is_a_step),
		TEST(what_failed_has_no_level_whatever_it_took),
		TEST(dirty_and_foreign_results_and_comparisons_with_itself_are_none),
		TEST(an_acceptance_of_any_commit_of_a_step_marks_it),
		TEST(the_limit_shows_less_and_the_tag_still_reaches_back),
		TEST(the_newest_word_on_what_is_better_holds_for_all_steps),
		TEST(results_in_another_unit_are_in_no_line_with_the_newest),
		TEST(another_number_of_processors_begins_a_new_series),
		TEST(a_benchmark_without_results_gives_an_empty_set),
		cmocka_unit_test_setup_teardown(
			points_that_were_kept_give_the_same_trend_as_the_results, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
