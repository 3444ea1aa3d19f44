/* One metric in several units or directions: which of them a history shows. */
#include "tests/unit/lib/store/ledger/ledger_fixture.h"

#define COMMIT_C "cccc456789abcdef0123456789abcdef01234567"
#define SHOWN(unit, better) "\"unit\":\"" unit "\",\"better\":\"" better "\",\"other_units\""

/* Result n, its cpu in that unit, of that machine; NULL: of the usual one. */
static void post_in(struct place *p, unsigned n, const char *commit, const char *unit,
		    enum better better, const char *machine)
{
	struct parcel one;

	fill_summary(&one.s, n, commit);
	assert_int_equal(str_set(&one.s.benchmarks[0].metrics[0].unit, unit, NULL), 0);
	one.s.benchmarks[0].metrics[0].better = better;
	if (machine)
		assert_int_equal(str_set(&one.s.machine.id, machine, NULL), 0);
	assert_int_equal(post(p->writer, &one, false), POST_CREATED);
	summary_release(&one.s);
}

static void one_name_in_two_units_is_never_one_line(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;

	post_plain(p->writer, 1, COMMIT_A, false);
	post_in(p, 2, COMMIT_B, "s", BETTER_LOWER, NULL);
	history(p, &q, &out);
	assert_true(has(&out, SHOWN("ns", "lower")));
	assert_true(has(&out, "\"value\":[1001]"));
	buf_reset(&out);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa", "bbbb", false, &out, NULL), 0);
	assert_int_equal(times(&out, "\"delta\":null"), 2);
	buf_release(&out);
}

/* A project that goes over to another one for good: its readers learn where the newest points are.
 */
static void unit_that_came_first_stays_and_where_the_newest_is_is_told(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;

	post_plain(p->writer, 1, COMMIT_A, false);
	post_in(p, 2, COMMIT_B, "ns", BETTER_HIGHER, NULL);
	history(p, &q, &out);
	assert_true(has(&out, SHOWN("ns", "lower")) && has(&out, "\"value\":[1001]"));
	assert_true(
		has(&out,
		    "\"other_units\":[{\"unit\":\"ns\",\"better\":\"higher\",\"commit\":\"" COMMIT_B
		    "\",\"time\":\"2025-11-20T10:00:02Z\",\"newer\":true}]"));
	post_plain(p->writer, 3, COMMIT_C, false);
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1001,1003]"));
	assert_true(has(&out, "\"time\":\"2025-11-20T10:00:02Z\",\"newer\":false}]"));
	q.better = "higher";
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1002]"));
	assert_true(
		has(&out,
		    "\"other_units\":[{\"unit\":\"ns\",\"better\":\"lower\",\"commit\":\"" COMMIT_C
		    "\",\"time\":\"2025-11-20T10:00:03Z\",\"newer\":true}]"));
	q.unit = "s";
	buf_reset(&out);
	assert_int_equal(ledger_history(p->reader, &q, &out, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	buf_release(&out);
}

/* It came first, and was taken back: what goes on is shown, not nothing. */
static void unit_of_which_all_is_retracted_is_not_shown(void **state)
{
	struct retraction what = { .project = "zlib", .who = "test" };
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;
	bool changed = false;
	char id[27];

	post_in(p, 1, COMMIT_A, "bytes", BETTER_LOWER, NULL);
	post_in(p, 2, COMMIT_B, "s", BETTER_LOWER, NULL);
	post_plain(p->writer, 3, COMMIT_C, false);
	what.id = id_of(1, id);
	assert_int_equal(ledger_retract(p->writer, &what, &changed, NULL), 0);
	history(p, &q, &out);
	assert_true(has(&out, SHOWN("s", "lower")) && has(&out, "\"value\":[1002]"));
	assert_true(has(&out,
			"{\"unit\":\"bytes\",\"better\":\"lower\",\"commit\":null,\"time\":null,"
			"\"newer\":false}"));
	assert_true(has(&out, "\"newer\":true}]"));
	what.id = id_of(2, id);
	assert_int_equal(ledger_retract(p->writer, &what, &changed, NULL), 0);
	history(p, &q, &out);
	assert_true(has(&out, SHOWN("ns", "lower")) && has(&out, "\"value\":[1003]"));
	buf_release(&out);
}

/* One that never measured in the unit of the others has a history all the same. */
static void machine_that_is_asked_for_shows_its_own(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;

	post_plain(p->writer, 1, COMMIT_A, false);
	post_in(p, 2, COMMIT_B, "s", BETTER_LOWER, "ffff");
	post_in(p, 3, COMMIT_C, "bytes", BETTER_LOWER, "ffff");
	q.machine = "ffff";
	history(p, &q, &out);
	assert_true(has(&out, SHOWN("s", "lower")) && has(&out, "\"value\":[1002]"));
	q.machine = MACHINE;
	history(p, &q, &out);
	assert_true(has(&out, SHOWN("ns", "lower")) && has(&out, "\"value\":[1001]"));
	q.machine = NULL;
	history(p, &q, &out);
	assert_true(has(&out, SHOWN("ns", "lower")) && has(&out, "\"value\":[1001]"));
	/* None of it: the usual one, which is empty. */
	q.machine = "none";
	history(p, &q, &out);
	assert_true(has(&out, SHOWN("ns", "lower")) && has(&out, "\"value\":[]"));
	buf_release(&out);
}

/* Which metric decides is what the newest result says; its unit is its first one all the same. */
static void other_metric_that_decides_shows_its_first_unit(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;
	struct parcel one;

	post_plain(p->writer, 1, COMMIT_A, false);
	fill_summary(&one.s, 2, COMMIT_B);
	assert_int_equal(str_set(&one.s.benchmarks[0].gate, "wall", NULL), 0);
	assert_int_equal(str_set(&one.s.benchmarks[0].metrics[1].unit, "s", NULL), 0);
	assert_int_equal(post(p->writer, &one, false), POST_CREATED);
	summary_release(&one.s);
	history(p, &q, &out);
	assert_true(has(&out, "\"metric\":\"wall\"," SHOWN("ns", "lower")));
	assert_true(has(&out, "\"value\":[2001]"));
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(one_name_in_two_units_is_never_one_line),
		ONE(unit_that_came_first_stays_and_where_the_newest_is_is_told),
		ONE(unit_of_which_all_is_retracted_is_not_shown),
		ONE(machine_that_is_asked_for_shows_its_own),
		ONE(other_metric_that_decides_shows_its_first_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
