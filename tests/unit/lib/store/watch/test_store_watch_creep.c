/* Histories that get worse by many small steps are one alert, and are settled. */
#include "tests/unit/lib/store/watch/watch_fixture.h"

#include "lib/store/alerts/quiet.h"

static int set_up_quiet(void **state)
{
	judged = 1.002;
	on_branch = "main";
	received_us = RECEIVED_US;
	return set_up(state);
}

#define QUIET(name) cmocka_unit_test_setup_teardown(name, set_up_quiet, tear_down)

/* Results of as many commits, each by that ratio behind the one before, that scatter by 0.6 %. */
static double rise(struct place *p, unsigned from, unsigned to, double level, double ratio,
		   enum verdict verdict)
{
	unsigned n;

	for (n = from; n < to; n++) {
		measure(p, n,
			level * (1 + 0.0002 * ((double)((n * 7919 + n * n * 104729) % 61) - 30)),
			verdict);
		level *= ratio;
		if (n % 4 == 3)
			look(p);
	}
	look(p);
	return level;
}

/* 0.2 % a commit, 60 commits, each said to be unchanged. */
static double creep(struct place *p)
{
	double level;

	rise(p, 0, 60, 1000, 1, VERDICT_UNCHANGED);
	level = rise(p, 60, 120, 1000, 1.002, VERDICT_UNCHANGED);
	assert_string_equal(states(p), "open ");
	return level;
}

static void list(struct place *p, struct buf *out)
{
	const struct alert_query q = { .project = "zlib", .limit = 30 };

	buf_reset(out);
	assert_int_equal(alerts_list(ledger_db(p->reader), &q, out, NULL), 0);
}

static void settle(struct place *p, enum alert_state state)
{
	struct buf out = BUF_INIT;
	struct alert_change c = { .project = "zlib", .state = state, .who = "test" };
	bool changed;

	list(p, &out);
	c.alert = strtol(strstr(buf_str(&out), "\"alert\":") + 8, NULL, 10);
	assert_int_equal(alerts_change(ledger_db(p->writer), &c, &changed, NULL), 0);
	assert_true(changed);
	buf_release(&out);
}

/* Measured now, of that commit against the one where the creep began. */
static void measure_ends(struct place *p, unsigned n, unsigned commit, double ratio,
			 enum verdict verdict)
{
	struct buf out = BUF_INIT;
	struct parcel parcel;
	char sha[41];

	list(p, &out);
	fill_summary(&parcel.s, n, COMMIT_A);
	snprintf(sha, sizeof(sha), "%040x", commit);
	assert_int_equal(str_set(&parcel.s.commit.id, sha, NULL), 0);
	assert_int_equal(str_set(&parcel.s.commit.branch, "main", NULL), 0);
	parcel.s.commit.commit_time_us = MONDAY_US + commit * (int64_t)1000000;
	snprintf(sha, sizeof(sha), "%.40s", strstr(buf_str(&out), "\"base\":\"") + 8);
	assert_int_equal(str_set(&parcel.s.baseline.commit, sha, NULL), 0);
	assert_int_equal(str_set(&parcel.s.baseline.how, "rerun", NULL), 0);
	judge(&parcel.s.benchmarks[0].metrics[0], ratio, verdict);
	assert_int_equal(post(p->writer, &parcel, false), POST_CREATED);
	summary_release(&parcel.s);
	buf_release(&out);
}

static void creep_is_said_once(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;

	add_target(p, NULL);
	rise(p, 120, 180, creep(p), 1.002, VERDICT_UNCHANGED);
	assert_string_equal(states(p), "open ");
	assert_string_equal(events(p), "open ");
	list(p, &out);
	assert_true(has(&out, "\"seen_by\":\"creep\""));
	assert_true(has(&out, "\"ratio\":1.0") || has(&out, "\"ratio\":1.1"));
	assert_false(has(&out, "\"base\":null"));
	assert_false(has(&out, "\"low\":null"));
	buf_release(&out);
}

static void more_may_be_worse_or_better(void **state)
{
	struct place *p = *state;

	rise(p, 0, 60, 1000, 1, VERDICT_UNCHANGED);
	rise(p, 60, 160, 1000, 0.998, VERDICT_UNCHANGED);
	assert_string_equal(states(p), "");
}

static void quiet_history_is_none(void **state)
{
	struct place *p = *state;

	rise(p, 0, 300, 1000, 1, VERDICT_UNCHANGED);
	assert_string_equal(states(p), "");
}

/* Side by side nothing became slower: it is the machine. */
static void machine_that_creeps_is_none(void **state)
{
	struct place *p = *state;

	judged = 1.0;
	rise(p, 0, 60, 1000, 1, VERDICT_UNCHANGED);
	rise(p, 60, 160, 1000, 1.002, VERDICT_UNCHANGED);
	assert_string_equal(states(p), "");
}

/* Not measured side by side, steps of 4 % are alerts, and from afar a line. */
static void what_steps_say_is_not_said_again(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;
	double level = 1000;
	unsigned i;

	for (i = 0; i < 8; i++) {
		rise(p, i * 26, i * 26 + 26, level, 1, VERDICT_NONE);
		level *= 1.04;
	}
	list(p, &out);
	assert_int_equal(times(&out, "\"seen_by\":\"change-point\""), 7);
	assert_int_equal(times(&out, "creep"), 0);
	buf_release(&out);
}

/* Steps that were measured, each said by a verdict. */
static void what_verdicts_say_is_not_said_again(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;
	double level = 1000;
	unsigned i;

	for (i = 0; i < 16; i++) {
		judged = 1.03;
		rise(p, i * 12, i * 12 + 1, level, 1, i ? VERDICT_REGRESSED : VERDICT_UNCHANGED);
		judged = 1.002;
		rise(p, i * 12 + 1, i * 12 + 12, level, 1, VERDICT_UNCHANGED);
		level *= 1.03;
	}
	list(p, &out);
	assert_int_equal(times(&out, "\"seen_by\":\"verdict\""), 15);
	assert_int_equal(times(&out, "creep"), 0);
	buf_release(&out);
}

static void accepted_creep_is_said_again_when_it_goes_on(void **state)
{
	struct place *p = *state;
	double level = creep(p);

	settle(p, ALERT_ACCEPTED);
	rise(p, 120, 160, level, 1, VERDICT_UNCHANGED);
	assert_string_equal(states(p), "accepted ");
	rise(p, 160, 240, level, 1.002, VERDICT_UNCHANGED);
	assert_string_equal(states(p), "open accepted ");
}

static void level_that_is_back_resolves_it(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	rise(p, 120, 126, creep(p), 1, VERDICT_UNCHANGED);
	assert_string_equal(states(p), "open ");
	rise(p, 126, 150, 1000, 1, VERDICT_UNCHANGED);
	assert_string_equal(states(p), "resolved ");
	assert_string_equal(events(p), "resolved open ");
}

/* Its commit is as good as its parent, as each of them is. */
static void commit_beside_its_parent_says_nothing_of_it(void **state)
{
	struct place *p = *state;

	rise(p, 120, 124, creep(p), 1, VERDICT_UNCHANGED);
	assert_string_equal(states(p), "open ");
}

static void ends_that_are_measured_make_it_a_verdict(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;

	creep(p);
	measure_ends(p, 500, 121, 1.12, VERDICT_REGRESSED);
	list(p, &out);
	assert_true(has(&out, "\"state\":\"open\",\"seen_by\":\"verdict\""));
	assert_int_equal(times(&out, "\"alert\":"), 1);
	buf_release(&out);
}

/* It is of the commit that was measured, and all up to there is told. */
static void creep_that_was_measured_is_told(void **state)
{
	struct place *p = *state;
	double level = creep(p);
	int64_t n = 1;

	measure_ends(p, 500, 121, 1.12, VERDICT_REGRESSED);
	assert_int_equal(db_get(ledger_db(p->reader), &n, NULL,
				"SELECT count(*) FROM alert AS a JOIN run AS r ON"
				" r.project_id=a.project_id AND r.run_id=a.run_id"
				" WHERE a.commit_id<>r.commit_id",
				""),
			 0);
	assert_int_equal(n, 0);
	rise(p, 122, 150, level, 1, VERDICT_UNCHANGED);
	assert_string_equal(states(p), "open ");
}

static void far_more_than_a_creep_is_another_change(void **state)
{
	struct place *p = *state;

	creep(p);
	measure_ends(p, 500, 121, 1.5, VERDICT_REGRESSED);
	assert_string_equal(states(p), "open open ");
}

static void accepted_creep_swallows_no_more_than_it_was(void **state)
{
	struct place *p = *state;

	creep(p);
	settle(p, ALERT_ACCEPTED);
	measure_ends(p, 500, 121, 1.12, VERDICT_REGRESSED);
	assert_string_equal(states(p), "accepted ");
	measure_ends(p, 501, 122, 1.5, VERDICT_REGRESSED);
	assert_string_equal(states(p), "open accepted ");
}

static void ends_that_are_the_same_resolve_it(void **state)
{
	struct place *p = *state;

	creep(p);
	measure_ends(p, 500, 121, 1.0, VERDICT_UNCHANGED);
	assert_string_equal(states(p), "resolved ");
	look(p);
	assert_string_equal(states(p), "resolved ");
}

/* It is not of that result alone. */
static void retracted_result_leaves_it_open(void **state)
{
	struct place *p = *state;
	unsigned n;

	creep(p);
	for (n = 100; n < 120; n++)
		hide(p, n, NULL, false);
	assert_string_equal(states(p), "open ");
}

static void branch_that_comes_back_opens_it_again(void **state)
{
	struct place *p = *state;
	double level = creep(p);

	assert_int_equal(db_run(ledger_db(p->writer), NULL, "UPDATE alert SET state=4", ""), 0);
	rise(p, 120, 124, level, 1.002, VERDICT_UNCHANGED);
	assert_string_equal(states(p), "open ");
}

static void target_may_want_verdicts_alone(void **state)
{
	struct place *p = *state;
	char url[] = "https://hooks.example/pawl";
	struct alert_target t = { .kind = TARGET_WEBHOOK, .url = url, .verdicts_only = true };
	int64_t id;

	assert_int_equal(alert_target_add(ledger_db(p->writer), "zlib", &t, &id, NULL), 0);
	creep(p);
	assert_string_equal(events(p), "");
	measure_ends(p, 500, 121, 1.12, VERDICT_REGRESSED);
	assert_string_equal(events(p), "open ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		QUIET(creep_is_said_once),
		QUIET(more_may_be_worse_or_better),
		QUIET(quiet_history_is_none),
		QUIET(machine_that_creeps_is_none),
		QUIET(what_steps_say_is_not_said_again),
		QUIET(what_verdicts_say_is_not_said_again),
		QUIET(accepted_creep_is_said_again_when_it_goes_on),
		QUIET(level_that_is_back_resolves_it),
		QUIET(commit_beside_its_parent_says_nothing_of_it),
		QUIET(ends_that_are_measured_make_it_a_verdict),
		QUIET(creep_that_was_measured_is_told),
		QUIET(far_more_than_a_creep_is_another_change),
		QUIET(accepted_creep_swallows_no_more_than_it_was),
		QUIET(ends_that_are_the_same_resolve_it),
		QUIET(retracted_result_leaves_it_open),
		QUIET(branch_that_comes_back_opens_it_again),
		QUIET(target_may_want_verdicts_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
