/* Steps in histories are alerts, once, and are resolved. */
#include "tests/unit/lib/store/watch/watch_fixture.h"

/* Commits scatter by 3 %, results of one by 0.1 %. */
static void commit_that_was_measured_often_is_one_point(void **state)
{
	struct place *p = *state;
	unsigned n;

	each = 10;
	for (n = 0; n < 160; n++) {
		unsigned commit = n / each;

		measure(p, n, 1000 + (commit * 7919 + commit * commit * 104729) % 61 + n % 3,
			VERDICT_NONE);
		look(p);
	}
	assert_string_equal(states(p), "");
	for (; n < 240; n++)
		measure(p, n, 1200 + n % 3, VERDICT_NONE);
	look(p);
	each = 1;
	assert_string_equal(states(p), "open ");
}

static void quiet_history_opens_nothing(void **state)
{
	struct place *p = *state;

	levels(p, 0, 40, 1000);
	assert_string_equal(states(p), "");
}

static void step_is_said_once(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	levels(p, 0, 20, 1000);
	assert_string_equal(states(p), "");
	levels(p, 20, 50, 1100);
	assert_string_equal(states(p), "open ");
	assert_string_equal(events(p), "open ");
}

static void it_names_the_first_commit_behind_it(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;
	const struct alert_query q = { .project = "zlib", .limit = 9 };

	levels(p, 0, 20, 1000);
	levels(p, 20, 30, 1100);
	assert_int_equal(alerts_list(ledger_db(p->reader), &q, &out, NULL), 0);
	assert_true(has(&out, "\"seen_by\":\"change-point\""));
	assert_true(has(&out, "\"commit\":\"0000000000000000000000000000000000000015\"")); /* 21 */
	assert_true(has(&out, "\"ratio\":1.09") || has(&out, "\"ratio\":1.10"));
	assert_true(has(&out, "\"low\":null"));
	buf_release(&out);
}

/* Main as it was, and between its 16th and 17th commit 12 of another branch, 10 % slower. */
static void post_topic_between(struct place *p, const char *main_branch, const char *topic)
{
	unsigned n;

	for (n = 0; n < 40; n++) {
		bool is_topic = n >= 16 && n < 28;

		on_branch = is_topic ? topic : main_branch;
		measure(p, n, near(is_topic ? 1100 : 1000, n), VERDICT_NONE);
		look(p);
	}
	on_branch = "main";
}

static void topic_branch_between_is_no_step_of_main(void **state)
{
	struct place *p = *state;

	post_topic_between(p, "main", "topic");
	assert_string_equal(states(p), "");
}

/* CI takes a proposal out by its commit: such a result names no branch. */
static void results_without_a_branch_beside_named_ones_are_no_history(void **state)
{
	struct place *p = *state;

	post_topic_between(p, "main", NULL);
	assert_string_equal(states(p), "");
}

static void step_of_main_is_seen_beside_another_branch(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;
	const struct alert_query q = { .project = "zlib", .limit = 9 };
	unsigned n;

	for (n = 0; n < 60; n++) {
		on_branch = n % 2 ? "topic" : "main";
		measure(p, n, near(n >= 36 && !(n % 2) ? 1100 : 1000, n), VERDICT_NONE);
		look(p);
	}
	on_branch = "main";
	assert_string_equal(states(p), "open ");
	assert_int_equal(alerts_list(ledger_db(p->reader), &q, &out, NULL), 0);
	assert_true(has(&out, "\"branch\":\"main\""));
	buf_release(&out);
}

/* The history of results that name no branch has none of those that do. */
static void results_without_a_branch_are_read_by_themselves(void **state)
{
	struct place *p = *state;
	const struct history_query q = { .project = "zlib",
					 .benchmark = "deflate/6",
					 .branch = "",
					 .newest = true,
					 .limit = 9 };
	struct buf out = BUF_INIT;

	on_branch = NULL;
	measure(p, 0, 1000, VERDICT_NONE);
	on_branch = "topic";
	measure(p, 1, 1100, VERDICT_NONE);
	on_branch = "main";
	assert_int_equal(ledger_history(p->reader, &q, &out, NULL), 0);
	assert_true(has(&out, "\"value\":[1000]"));
	buf_release(&out);
}

static void step_for_the_better_is_none(void **state)
{
	struct place *p = *state;

	levels(p, 0, 20, 1000);
	levels(p, 20, 50, 900);
	assert_string_equal(states(p), "");
}

static void level_that_is_back_resolves_it(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	levels(p, 0, 20, 1000);
	levels(p, 20, 32, 1100);
	assert_string_equal(states(p), "open ");
	levels(p, 32, 50, 1000);
	assert_string_equal(states(p), "resolved ");
	assert_string_equal(events(p), "resolved open ");
}

/* A level that comes back makes a mixture of what lies before it. */
static void step_up_again_stays_open(void **state)
{
	struct place *p = *state;
	unsigned n;

	levels(p, 0, 25, 1000);
	levels(p, 25, 49, 1200);
	levels(p, 49, 59, 1000);
	levels(p, 59, 70, 1200);
	assert_string_equal(states(p), "open resolved ");
	for (n = 70; n < 110; n++) {
		levels(p, n, n + 1, 1200);
		assert_string_equal(states(p), "open resolved ");
	}
}

static void results_that_come_at_once_show_a_step(void **state)
{
	struct place *p = *state;
	unsigned n;

	levels(p, 0, 40, 1000);
	for (n = 40; n < 70; n++)
		measure(p, n, near(1200, n), VERDICT_NONE);
	look(p);
	assert_string_equal(states(p), "open ");
}

static void so_do_both_of_two_steps(void **state)
{
	struct place *p = *state;
	unsigned n;

	levels(p, 0, 40, 1000);
	for (n = 40; n < 100; n++)
		measure(p, n, near(n < 70 ? 1200 : 1500, n), VERDICT_NONE);
	look(p);
	assert_string_equal(states(p), "open open ");
}

static void but_not_one_that_is_back(void **state)
{
	struct place *p = *state;
	unsigned n;

	levels(p, 0, 40, 1000);
	for (n = 40; n < 100; n++)
		measure(p, n, near(n < 70 ? 1200 : 1000, n), VERDICT_NONE);
	look(p);
	assert_string_equal(states(p), "");
}

/* Of +3 % that is known: the step that is seen is of both. */
static void small_change_does_not_hide_a_large_one_behind_it(void **state)
{
	struct place *p = *state;

	judged = 1.03;
	levels(p, 0, 20, 1000);
	measure(p, 20, 1030, VERDICT_REGRESSED);
	judged = 1.1;
	levels(p, 21, 23, 1030);
	levels(p, 23, 40, 1340);
	assert_string_equal(states(p), "open open ");
}

/* However many results come: what is looked at ends with less and less from before it. */
static void step_stays_open_while_its_level_does(void **state)
{
	struct place *p = *state;

	levels(p, 0, 20, 1000);
	levels(p, 20, 150, 1030);
	assert_string_equal(states(p), "open ");
}

/* The machine has drifted: side by side nothing changed. */
static void what_was_measured_side_by_side_decides(void **state)
{
	struct place *p = *state;
	unsigned n;

	for (n = 0; n < 20; n++)
		measure(p, n, near(1000, n), VERDICT_UNCHANGED);
	for (; n < 40; n++) {
		measure(p, n, near(1100, n), VERDICT_UNCHANGED);
		look(p);
	}
	assert_string_equal(states(p), "");
}

static void verdict_at_the_step_is_the_same_change(void **state)
{
	struct place *p = *state;

	levels(p, 0, 20, 1000);
	measure(p, 20, 1100, VERDICT_REGRESSED);
	levels(p, 21, 40, 1100);
	assert_string_equal(states(p), "open ");
}

/* The commit that was only suspected is measured beside its base. */
static void verdict_takes_the_place_of_a_step(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;
	const struct alert_query q = { .project = "zlib", .limit = 9 };
	char url[] = "https://hooks.example/pawl";
	struct alert_target t = { .kind = TARGET_WEBHOOK, .url = url, .verdicts_only = true };
	int64_t id;

	add_target(p, NULL);
	assert_int_equal(alert_target_add(ledger_db(p->writer), "zlib", &t, &id, NULL), 0);
	levels(p, 0, 20, 1000);
	levels(p, 20, 30, 1100);
	assert_string_equal(events(p), "open ");
	measure_at(p, 30, 21, 1100, VERDICT_REGRESSED);
	assert_string_equal(states(p), "open ");
	assert_string_equal(events(p), "open open ");
	assert_int_equal(alerts_list(ledger_db(p->reader), &q, &out, NULL), 0);
	assert_true(has(&out, "\"seen_by\":\"verdict\""));
	assert_true(has(&out, "\"base\":\"0000000000000000000000000000000000000014\""));
	buf_release(&out);
}

/* Nobody is told, and a page that was kept shows the old state. */
static void what_a_look_changes_is_another_answer(void **state)
{
	struct place *p = *state;
	int64_t before = 0, after = 0;
	unsigned n;

	levels(p, 0, 20, 1000);
	levels(p, 20, 32, 1100);
	assert_string_equal(states(p), "open ");
	for (n = 32; n < 50 && before == after; n++) {
		measure(p, n, near(1000, n), VERDICT_NONE);
		assert_int_equal(ledger_stamp(p->reader, "zlib", &before, NULL), 0);
		look(p);
		assert_int_equal(ledger_stamp(p->reader, "zlib", &after, NULL), 0);
		assert_string_equal(states(p), before == after ? "open " : "resolved ");
	}
	assert_int_not_equal(before, after);
}

static void step_that_is_none_side_by_side_is_resolved(void **state)
{
	struct place *p = *state;

	levels(p, 0, 20, 1000);
	levels(p, 20, 30, 1100);
	measure_at(p, 30, 21, 1100, VERDICT_INCONCLUSIVE);
	assert_string_equal(states(p), "open ");
	measure_at(p, 31, 21, 1100, VERDICT_UNCHANGED);
	assert_string_equal(states(p), "resolved ");
	look(p);
	assert_string_equal(states(p), "resolved ");
}

/* As a kill between both: what was not written is looked at again. */
static void look_that_was_not_written_changes_nothing(void **state)
{
	struct place *p = *state;
	struct watch w = { .n = 0 };
	int64_t last = 0;

	levels(p, 0, 20, 1000);
	levels(p, 20, 23, 1100);
	measure(p, 23, 1101, VERDICT_NONE);
	assert_int_equal(watch_look(p->reader, &last, &w, NULL), 0);
	watch_release(&w);
	assert_int_equal(look(p), 1);
	assert_int_equal(look(p), 0);
	levels(p, 24, 30, 1100);
	assert_string_equal(states(p), "open ");
}

/* Whatever keeps the first one's from being written. */
static void project_that_fails_does_not_starve_the_next(void **state)
{
	struct place *p = *state;
	struct watch w = { .n = 0 };
	struct parcel parcel;
	const char *names[] = { "zlib", "another", "zlib" };
	int64_t last = 0;
	size_t i;

	measure(p, 0, 1000, VERDICT_NONE);
	fill_summary(&parcel.s, 1, COMMIT_A);
	assert_int_equal(str_set(&parcel.s.project, "another", NULL), 0);
	assert_int_equal(post(p->writer, &parcel, false), POST_CREATED);
	summary_release(&parcel.s);
	for (i = 0; i < 3; i++) {
		assert_int_equal(watch_look(p->reader, &last, &w, NULL), 0);
		assert_string_equal(w.project, names[i]);
		watch_release(&w);
	}
}

static void target_may_want_verdicts_alone(void **state)
{
	struct place *p = *state;
	char url[] = "https://hooks.example/pawl";
	struct alert_target t = { .kind = TARGET_WEBHOOK, .url = url, .verdicts_only = true };
	int64_t id;

	assert_int_equal(alert_target_add(ledger_db(p->writer), "zlib", &t, &id, NULL), 0);
	levels(p, 0, 20, 1000);
	levels(p, 20, 30, 1100);
	assert_string_equal(states(p), "open ");
	assert_string_equal(events(p), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(quiet_history_opens_nothing),
		ONE(commit_that_was_measured_often_is_one_point),
		ONE(step_is_said_once),
		ONE(it_names_the_first_commit_behind_it),
		ONE(topic_branch_between_is_no_step_of_main),
		ONE(results_without_a_branch_beside_named_ones_are_no_history),
		ONE(step_of_main_is_seen_beside_another_branch),
		ONE(results_without_a_branch_are_read_by_themselves),
		ONE(step_for_the_better_is_none),
		ONE(level_that_is_back_resolves_it),
		ONE(step_stays_open_while_its_level_does),
		ONE(step_up_again_stays_open),
		ONE(results_that_come_at_once_show_a_step),
		ONE(so_do_both_of_two_steps),
		ONE(but_not_one_that_is_back),
		ONE(small_change_does_not_hide_a_large_one_behind_it),
		ONE(what_was_measured_side_by_side_decides),
		ONE(verdict_at_the_step_is_the_same_change),
		ONE(verdict_takes_the_place_of_a_step),
		ONE(what_a_look_changes_is_another_answer),
		ONE(step_that_is_none_side_by_side_is_resolved),
		ONE(look_that_was_not_written_changes_nothing),
		ONE(project_that_fails_does_not_starve_the_next),
		ONE(target_may_want_verdicts_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
