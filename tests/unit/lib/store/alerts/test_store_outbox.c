/* Messages wait, go in order, and are delivered or have failed; people change alerts. */
#include "tests/unit/lib/store/alerts/alerts_fixture.h"

static void take(struct place *p, int64_t now_us, struct message *out)
{
	int64_t next;

	message_release(out);
	assert_int_equal(outbox_next(ledger_db(p->reader), now_us, out, &next, NULL), 0);
}

static void target_is_sent_to_in_order(void **state)
{
	struct place *p = *state;
	struct message m = { .project = 0 }, other = { .project = 0 };
	int64_t next = 0;
	bool ours = false;

	add_target(p, NULL);
	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	say(p, (struct says){ .n = 2, .commit = 'b', .base = 'a', .verdict = VERDICT_UNCHANGED });
	take(p, RECEIVED_US, &m);
	assert_int_equal(m.event, ALERT_OPEN);
	assert_int_equal(outbox_claim(ledger_db(p->writer), &m, RECEIVED_US + 10, &ours, NULL), 0);
	assert_true(ours);
	assert_int_equal(outbox_next(ledger_db(p->reader), RECEIVED_US, &other, &next, NULL), 1);
	assert_int_equal(next, RECEIVED_US + 10);
	take(p, RECEIVED_US + 10, &other);
	assert_string_equal(other.id, m.id);
	assert_int_equal(other.tries, 1);
	assert_int_equal(outbox_settle(ledger_db(p->writer), &m,
				       &(struct settled){ .state = MESSAGE_DELIVERED }, NULL),
			 0);
	take(p, RECEIVED_US, &other);
	assert_int_equal(other.event, ALERT_RESOLVED);
	assert_string_not_equal(other.id, m.id);
	message_release(&m);
	message_release(&other);
}

static void message_is_claimed_by_one(void **state)
{
	struct place *p = *state;
	struct message m = { .project = 0 };
	bool ours = false;

	add_target(p, NULL);
	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	take(p, RECEIVED_US, &m);
	assert_int_equal(outbox_claim(ledger_db(p->writer), &m, RECEIVED_US + 10, &ours, NULL), 0);
	assert_true(ours);
	assert_int_equal(outbox_claim(ledger_db(p->writer), &m, RECEIVED_US + 20, &ours, NULL), 0);
	assert_false(ours);
	message_release(&m);
}

static void one_target_does_not_hold_up_another(void **state)
{
	struct place *p = *state;
	struct message m = { .project = 0 }, other = { .project = 0 };

	add_target(p, NULL);
	add_target(p, NULL);
	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	take(p, RECEIVED_US, &m);
	assert_int_equal(outbox_settle(ledger_db(p->writer), &m,
				       &(struct settled){ .state = MESSAGE_WAITS,
							  .next_us = RECEIVED_US + 10,
							  .rest = true,
							  .fault = "no answer" },
				       NULL),
			 0);
	take(p, RECEIVED_US, &other);
	assert_int_not_equal(other.target.id, m.target.id);
	message_release(&m);
	message_release(&other);
}

static void removed_target_is_sent_nothing(void **state)
{
	struct place *p = *state;
	struct message m = { .project = 0 };
	int64_t id = add_target(p, NULL), next, waiting, oldest;
	struct err err = ERR_INIT;

	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	assert_int_equal(outbox_count(ledger_db(p->reader), &waiting, &oldest, NULL), 0);
	assert_int_equal(waiting, 1);
	assert_int_equal(oldest, RECEIVED_US);
	assert_int_equal(alert_target_remove(ledger_db(p->writer), "zlib", id, NULL), 0);
	assert_int_equal(outbox_next(ledger_db(p->reader), INT64_MAX, &m, &next, NULL), 1);
	assert_int_equal(next, INT64_MAX);
	say(p, (struct says){ .n = 2, .commit = 'c', .base = 'b', .verdict = VERDICT_REGRESSED });
	assert_int_equal(outbox_count(ledger_db(p->reader), &waiting, &oldest, NULL), 0);
	assert_int_equal(waiting, 0);
	assert_int_equal(alert_target_remove(ledger_db(p->writer), "zlib", id, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
}

/* The newest alert's number. */
static int64_t newest(struct place *p)
{
	struct buf out = BUF_INIT;
	const char *at;
	int64_t id;

	assert_int_equal(
		alerts_list(ledger_db(p->reader),
			    &(struct alert_query){ .project = "zlib", .alert = 0, .limit = 1 },
			    &out, NULL),
		0);
	at = strstr(buf_str(&out), "\"alert\":");
	assert_non_null(at);
	id = strtoll(at + 8, NULL, 10);
	buf_release(&out);
	return id;
}

static void person_settles_an_alert(void **state)
{
	struct place *p = *state;
	struct alert_change c = { .project = "zlib",
				  .state = ALERT_ACCEPTED,
				  .owner = "Ann",
				  .note = "needed for <b>",
				  .who = "tok" };
	struct buf out = BUF_INIT;
	bool changed = false;

	add_target(p, NULL);
	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	c.alert = newest(p);
	assert_int_equal(alerts_change(ledger_db(p->writer), &c, &changed, NULL), 0);
	assert_true(changed);
	assert_int_equal(alerts_change(ledger_db(p->writer), &c, &changed, NULL), 0);
	assert_false(changed);
	assert_string_equal(states(p), "accepted ");
	assert_string_equal(events(p), "accepted open ");
	assert_int_equal(alerts_list(ledger_db(p->reader),
				     &(struct alert_query){
					     .project = "zlib", .alert = c.alert, .limit = 9 },
				     &out, NULL),
			 0);
	assert_true(has(&out, "\"owner\":\"Ann\",\"note\":\"needed for <b>\""));
	buf_reset(&out);
	assert_int_equal(ledger_retractions(p->reader, "zlib", &out, NULL), 0);
	assert_true(has(&out, "\"action\":\"alert\""));
	assert_true(has(&out, "state accepted, owner 'Ann', note 'needed for <b>'"));
	say(p, (struct says){ .n = 2, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	assert_string_equal(states(p), "accepted ");
	buf_release(&out);
}

static void text_of_a_person_is_bounded(void **state)
{
	struct place *p = *state;
	struct alert_change c = { .project = "zlib", .alert = 1, .owner = "a\r\nBcc: b" };
	struct err err = ERR_INIT;
	bool changed;

	assert_int_equal(alerts_change(ledger_db(p->writer), &c, &changed, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	c.owner = "a";
	assert_int_equal(alerts_change(ledger_db(p->writer), &c, &changed, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
}

/* Whoever has the list of messages asks for it again. */
static void removed_target_changes_what_answers_are_tagged_with(void **state)
{
	struct place *p = *state;
	int64_t id = add_target(p, NULL), before, after;

	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	assert_int_equal(ledger_stamp(p->reader, "zlib", &before, NULL), 0);
	assert_int_equal(alert_target_remove(ledger_db(p->writer), "zlib", id, NULL), 0);
	assert_int_equal(ledger_stamp(p->reader, "zlib", &after, NULL), 0);
	assert_true(after > before);
}

/* Makes that many messages, with those states from the first on, done at RECEIVED_US. */
static void make_messages(struct place *p, unsigned n, const char *what)
{
	const char *sql = "INSERT INTO message (project_id, message_id, target_id, event,"
			  " commit_id, id, made_us, state, tries, next_us, done_us)"
			  " VALUES (1,?1,1,1,0,'m',?2,?3,1,0,?2)";
	unsigned i;

	for (i = 0; i < n; i++)
		assert_int_equal(db_run(ledger_db(p->writer), NULL, sql, "iii", (int64_t)1000 + i,
					(int64_t)RECEIVED_US,
					(int64_t)(what[i % strlen(what)] - '0')),
				 0);
}

static unsigned drop_before(struct place *p, int64_t before_us)
{
	struct outbox_place at = { 0, 0 };
	unsigned n = 0;

	do {
		assert_int_equal(outbox_drop(ledger_db(p->writer), before_us, &at, NULL), 0);
		n++;
	} while (at.project);
	return n;
}

static int64_t count_of(struct place *p, const char *sql)
{
	int64_t n = -1;

	assert_int_equal(db_get(ledger_db(p->reader), &n, NULL, sql, ""), 0);
	return n;
}

static void delivered_messages_are_dropped_the_others_never(void **state)
{
	struct place *p = *state;
	int64_t before, after;

	add_target(p, NULL);
	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	make_messages(p, 600, "223221");
	assert_int_equal(drop_before(p, RECEIVED_US), 3); /* a bounded step each */
	assert_int_equal(count_of(p, "SELECT count(*) FROM message"), 601);
	assert_int_equal(ledger_stamp(p->reader, "zlib", &before, NULL), 0);
	assert_int_equal(drop_before(p, RECEIVED_US + 1), 3);
	assert_int_equal(ledger_stamp(p->reader, "zlib", &after, NULL), 0);
	assert_true(after > before);
	assert_int_equal(count_of(p, "SELECT count(*) FROM message WHERE state=2"), 0);
	assert_int_equal(count_of(p, "SELECT count(*) FROM message"), 201);
}

static void dropped_message_leaves_nothing_behind(void **state)
{
	struct place *p = *state;
	struct message m = { .project = 0 };

	add_target(p, NULL);
	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	take(p, INT64_MAX, &m);
	assert_int_equal(outbox_settle(ledger_db(p->writer), &m,
				       &(struct settled){ .state = MESSAGE_DELIVERED }, NULL),
			 0);
	message_release(&m);
	drop_before(p, INT64_MAX);
	assert_int_equal(count_of(p, "SELECT count(*) FROM message"), 0);
	assert_int_equal(count_of(p, "SELECT count(*) FROM message_alert"), 0);
	assert_string_equal(states(p), "open ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(target_is_sent_to_in_order),
		ONE(message_is_claimed_by_one),
		ONE(one_target_does_not_hold_up_another),
		ONE(removed_target_is_sent_nothing),
		ONE(person_settles_an_alert),
		ONE(text_of_a_person_is_bounded),
		ONE(delivered_messages_are_dropped_the_others_never),
		ONE(dropped_message_leaves_nothing_behind),
		ONE(removed_target_changes_what_answers_are_tagged_with),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
