/* Alerts of branches that have no results any more. */
#include "tests/unit/lib/store/watch/watch_fixture.h"

#include "lib/store/alerts/quiet.h"

#define DAY_US INT64_C(86400000000)
#define DAYS 3

static int set_up_day(void **state)
{
	received_us = RECEIVED_US;
	on_branch = "main";
	return set_up(state);
}

#define DAY(name) cmocka_unit_test_setup_teardown(name, set_up_day, tear_down)

/* Counts the days that are over; returns how many there were. */
static unsigned count_days(struct place *p)
{
	struct quiet_day day = { .project = 0 };
	int64_t last = 0;
	unsigned n = 0;
	int none;

	while (!(none = quiet_look(ledger_db(p->reader), received_us, &last, &day, NULL))) {
		assert_int_equal(quiet_settle(ledger_db(p->writer), &day, DAYS, received_us, NULL),
				 0);
		quiet_release(&day);
		n++;
	}
	assert_int_equal(none, 1);
	return n;
}

/* A result of that branch, of a benchmark that is about nothing here, on each of so many days. */
static void days_of(struct place *p, unsigned from, unsigned n, const char *branch, bool untrusted)
{
	struct parcel parcel;
	unsigned i;
	char sha[41];

	for (i = 0; i < n; i++) {
		snprintf(sha, sizeof(sha), "%040x", from + i);
		fill_summary(&parcel.s, from + i, sha);
		assert_int_equal(str_set(&parcel.s.benchmarks[0].name, "other", NULL), 0);
		assert_int_equal(str_set(&parcel.s.commit.branch, branch, NULL), 0);
		assert_int_equal(post(p->writer, &parcel, untrusted), POST_CREATED);
		summary_release(&parcel.s);
		received_us += DAY_US;
	}
}

static void on_topic(struct place *p, unsigned n, char commit, char base, enum verdict verdict)
{
	say(p, (struct says){ .n = n,
			      .commit = commit,
			      .base = base,
			      .verdict = verdict,
			      .branch = "topic" });
}

/* One on topic, which is gone since. */
static void lose(struct place *p)
{
	on_topic(p, 1, 'b', 'a', VERDICT_REGRESSED);
	received_us += DAY_US;
	look(p);
	days_of(p, 100, DAYS, "main", false);
	count_days(p);
	assert_string_equal(states(p), "gone ");
}

static void branch_is_gone_after_days_on_which_others_had_results(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;
	const struct alert_query q = { .project = "zlib", .state = ALERT_GONE, .limit = 9 };

	add_target(p, NULL);
	on_topic(p, 1, 'b', 'a', VERDICT_REGRESSED);
	received_us += DAY_US;
	days_of(p, 100, DAYS - 1, "main", false);
	assert_int_equal(count_days(p), DAYS);
	assert_string_equal(states(p), "open ");
	days_of(p, 200, 1, "main", false);
	assert_int_equal(count_days(p), 1);
	assert_string_equal(states(p), "gone ");
	assert_string_equal(events(p), "gone open ");
	assert_int_equal(alerts_list(ledger_db(p->reader), &q, &out, NULL), 0);
	assert_true(
		has(&out, "\"why\":\"no result of its branch on 3 days on which others came\""));
	assert_int_equal(count_days(p), 0);
	buf_release(&out);
}

static void day_that_is_not_over_is_not_counted(void **state)
{
	struct place *p = *state;

	on_topic(p, 1, 'b', 'a', VERDICT_REGRESSED);
	received_us += DAY_US - 1;
	assert_int_equal(count_days(p), 0);
	received_us += 1;
	assert_int_equal(count_days(p), 1);
}

static void days_without_any_result_do_not_count(void **state)
{
	struct place *p = *state;

	on_topic(p, 1, 'b', 'a', VERDICT_REGRESSED);
	received_us += 400 * DAY_US;
	days_of(p, 100, DAYS - 1, "main", false);
	count_days(p);
	assert_string_equal(states(p), "open ");
}

static void result_of_the_branch_begins_anew(void **state)
{
	struct place *p = *state;

	on_topic(p, 1, 'b', 'a', VERDICT_REGRESSED);
	received_us += DAY_US;
	days_of(p, 100, DAYS - 1, "main", false);
	days_of(p, 200, 1, "topic", false);
	days_of(p, 300, DAYS - 1, "main", false);
	count_days(p);
	assert_string_equal(states(p), "open ");
	days_of(p, 400, 1, "main", false);
	count_days(p);
	assert_string_equal(states(p), "gone ");
}

/* A fork may call its branches what it likes. */
static void untrusted_results_are_no_days_and_no_branches(void **state)
{
	struct place *p = *state;

	on_topic(p, 1, 'b', 'a', VERDICT_REGRESSED);
	received_us += DAY_US;
	days_of(p, 100, 5, "main", true);
	count_days(p);
	assert_string_equal(states(p), "open ");
	days_of(p, 200, 1, "main", false);
	days_of(p, 300, 1, "topic", true);
	days_of(p, 400, 2, "main", false);
	count_days(p);
	assert_string_equal(states(p), "gone ");
}

static void results_that_name_no_branch_are_one(void **state)
{
	struct place *p = *state;

	on_topic(p, 1, 'b', 'a', VERDICT_REGRESSED);
	assert_int_equal(db_run(ledger_db(p->writer), NULL, "UPDATE alert SET branch=''", ""), 0);
	received_us += DAY_US;
	days_of(p, 100, 1, "main", false);
	on_branch = NULL;
	measure(p, 50, 1000, VERDICT_NONE);
	received_us += DAY_US;
	days_of(p, 200, DAYS - 1, "main", false);
	count_days(p);
	assert_string_equal(states(p), "open ");
	days_of(p, 300, 1, "main", false);
	count_days(p);
	assert_string_equal(states(p), "gone ");
	measure(p, 51, 1000, VERDICT_NONE);
	look(p);
	assert_string_equal(states(p), "open "); /* nothing says that it is settled */
}

static void one_that_is_settled_stays_so(void **state)
{
	struct place *p = *state;

	on_topic(p, 1, 'b', 'a', VERDICT_REGRESSED);
	on_topic(p, 2, 'b', 'a', VERDICT_UNCHANGED);
	received_us += DAY_US;
	days_of(p, 100, DAYS, "main", false);
	count_days(p);
	assert_string_equal(states(p), "resolved ");
}

/* A result of a clock that was ahead must not stop the count until then. */
static void clock_that_was_ahead_stops_nothing(void **state)
{
	struct place *p = *state;

	on_topic(p, 1, 'b', 'a', VERDICT_REGRESSED);
	received_us += 9000 * DAY_US;
	days_of(p, 90, 1, "main", false);
	received_us -= 9000 * DAY_US;
	days_of(p, 100, DAYS, "main", false);
	count_days(p);
	assert_string_equal(states(p), "gone ");
}

/* Several pawld may serve one database. */
static void day_is_counted_once(void **state)
{
	struct place *p = *state;
	struct quiet_day day = { .project = 0 };
	int64_t last = 0;
	unsigned i;

	on_topic(p, 1, 'b', 'a', VERDICT_REGRESSED);
	received_us += DAY_US;
	count_days(p);
	days_of(p, 100, 1, "main", false);
	assert_int_equal(quiet_look(ledger_db(p->reader), received_us, &last, &day, NULL), 0);
	for (i = 0; i < DAYS; i++)
		assert_int_equal(quiet_settle(ledger_db(p->writer), &day, DAYS, received_us, NULL),
				 0);
	quiet_release(&day);
	assert_string_equal(states(p), "open ");
}

static void result_of_the_branch_opens_it_again(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	lose(p);
	on_topic(p, 2, 'c', 'b', VERDICT_INCONCLUSIVE);
	look(p);
	assert_string_equal(states(p), "open ");
	assert_string_equal(events(p), "open gone open ");
	/* It has all its days again. */
	received_us += DAY_US;
	days_of(p, 200, DAYS - 1, "main", false);
	count_days(p);
	assert_string_equal(states(p), "open ");
}

static void same_change_said_again_is_the_same_alert(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	lose(p);
	on_topic(p, 2, 'c', 'a', VERDICT_REGRESSED);
	assert_string_equal(states(p), "open ");
	look(p);
	assert_string_equal(states(p), "open ");
	assert_string_equal(events(p), "open gone open ");
}

static void result_that_is_no_worse_than_its_base_resolves_it(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	lose(p);
	on_topic(p, 2, 'c', 'a', VERDICT_UNCHANGED);
	look(p);
	assert_string_equal(states(p), "resolved ");
	assert_string_equal(events(p), "resolved gone open ");
}

static void neither_an_older_commit_nor_a_hidden_result_opens_it_again(void **state)
{
	struct place *p = *state;

	lose(p);
	on_topic(p, 2, 'a', 'a', VERDICT_UNCHANGED);
	on_topic(p, 3, 'c', 'b', VERDICT_INCONCLUSIVE);
	hide(p, 3, NULL, false);
	look(p);
	assert_string_equal(states(p), "gone ");
}

/* What a topic branch left behind is told when main has it, to all. */
static void commit_that_comes_to_another_branch_is_told_to_all(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	lose(p);
	say(p, (struct says){ .n = 2, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	look(p);
	assert_string_equal(states(p), "open gone ");
	assert_string_equal(events(p), "open gone open ");
}

static void result_that_is_retracted_takes_it_along(void **state)
{
	struct place *p = *state;

	lose(p);
	hide(p, 1, NULL, false);
	assert_string_equal(states(p), "resolved ");
	on_topic(p, 2, 'c', 'b', VERDICT_INCONCLUSIVE);
	look(p);
	assert_string_equal(states(p), "resolved ");
	hide(p, 1, NULL, true);
	assert_string_equal(states(p), "gone ");
}

static void step_is_open_again_where_it_is_still_there(void **state)
{
	struct place *p = *state;

	on_branch = "topic";
	levels(p, 0, 20, 1000);
	levels(p, 20, 30, 1100);
	assert_string_equal(states(p), "open ");
	received_us += DAY_US;
	days_of(p, 100, DAYS, "main", false);
	count_days(p);
	assert_string_equal(states(p), "gone ");
	levels(p, 30, 31, 1100);
	assert_string_equal(states(p), "open ");
}

/* A mail that a branch is gone is noise, and the commit is no better for it. */
static void neither_mail_nor_status_says_it(void **state)
{
	struct place *p = *state;
	char url[] = "smtp://mail.example", from[] = "a@example.org", to[] = "b@example.org";
	char api[] = "https://api.example", forge[] = "github", repository[] = "a/b";
	const struct alert_target mail = {
		.kind = TARGET_MAIL, .url = url, .sender = from, .recipients = to
	};
	const struct alert_target status = {
		.kind = TARGET_STATUS, .url = api, .forge = forge, .repository = repository
	};
	struct message m = { .project = 0 };
	int64_t id, next, n = 0;

	assert_int_equal(alert_target_add(ledger_db(p->writer), "zlib", &mail, &id, NULL), 0);
	assert_int_equal(alert_target_add(ledger_db(p->writer), "zlib", &status, &id, NULL), 0);
	lose(p);
	assert_string_equal(events(p), "open open ");
	assert_int_equal(outbox_next(ledger_db(p->reader), INT64_MAX, &m, &next, NULL), 0);
	assert_int_equal(outbox_open(ledger_db(p->reader), &m, &n, NULL), 0);
	assert_int_equal(n, 1);
	message_release(&m);
}

/* What came before is not held against what was open then. */
static void store_of_the_schema_before_begins_to_count(void **state)
{
	struct place *p = *state;

	on_topic(p, 1, 'b', 'a', VERDICT_REGRESSED);
	received_us += DAY_US;
	days_of(p, 100, 9, "main", false);
	ledger_close(p->reader);
	ledger_close(p->writer);
	meddle(p->path, "DROP TABLE other_parent; DROP INDEX alert_waiting; DROP INDEX alert_gone; "
			"ALTER TABLE alert DROP COLUMN quiet;"
			"ALTER TABLE project DROP COLUMN counted; PRAGMA user_version=10;");
	assert_int_equal(ledger_open(p->where, LEDGER_WRITE, &p->writer, NULL), 0);
	assert_int_equal(ledger_open(p->where, LEDGER_READ, &p->reader, NULL), 0);
	assert_int_equal(count_days(p), 0);
	assert_string_equal(states(p), "open ");
	days_of(p, 200, DAYS, "main", false);
	assert_int_equal(count_days(p), DAYS);
	assert_string_equal(states(p), "gone ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DAY(branch_is_gone_after_days_on_which_others_had_results),
		DAY(day_that_is_not_over_is_not_counted),
		DAY(days_without_any_result_do_not_count),
		DAY(result_of_the_branch_begins_anew),
		DAY(untrusted_results_are_no_days_and_no_branches),
		DAY(results_that_name_no_branch_are_one),
		DAY(one_that_is_settled_stays_so),
		DAY(clock_that_was_ahead_stops_nothing),
		DAY(day_is_counted_once),
		DAY(result_of_the_branch_opens_it_again),
		DAY(same_change_said_again_is_the_same_alert),
		DAY(result_that_is_no_worse_than_its_base_resolves_it),
		DAY(neither_an_older_commit_nor_a_hidden_result_opens_it_again),
		DAY(commit_that_comes_to_another_branch_is_told_to_all),
		DAY(result_that_is_retracted_takes_it_along),
		DAY(step_is_open_again_where_it_is_still_there),
		DAY(neither_mail_nor_status_says_it),
		DAY(store_of_the_schema_before_begins_to_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
