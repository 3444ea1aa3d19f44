/* One run of a libpawl executable: a good one, and every way to be a broken one. */
#include "tests/unit/collector/run/session_fixture.h"

#include <math.h>
#include <signal.h>

#include "lib/process/stop.h"

#include "lib/base/banned.h"

static void a_whole_run_gives_slices_and_a_result(void **state)
{
	(void)state;
	play_script(SCRIPT(HELLO, SLICE(0, 100), SLICE(1, 300), RESULT(20), END));
	assert_string_equal("", buf_str(&talking.why));
	assert_int_equal(2, talking.session.n_slices);
	assert_true(talking.session.slice_wall_ns[0] == 10);
	assert_true(talking.session.slice_cpu_ns[1] == 30);
	assert_true(talking.session.has_hello && talking.session.has_result);
	assert_true(talking.session.result.wall_ns == 1000);
	assert_false(talking.session.timed_out);
}

static void the_list_gives_the_names(void **state)
{
	(void)state;
	play_script(SCRIPT(HELLO, BENCHMARK("one"), BENCHMARK("two/6"), END));
	assert_string_equal("", buf_str(&talking.why));
	assert_int_equal(2, talking.session.names.n);
	assert_string_equal("two/6", talking.session.names.v[1]);
}

static void each_slice_waits_for_its_turn(void **state)
{
	(void)state;
	start_script(
		SCRIPT(HELLO, READY(0), "@wait", SLICE(0, 50), READY(1), "@wait", RESULT(10), END));
	step();
	assert_int_equal(0, talking.session.n_slices);
	assert_false(talking.session.ended);
	turn();
	assert_int_equal(1, talking.session.n_slices);
	assert_false(talking.session.has_result);
	turn();
	assert_true(talking.session.ended && talking.session.has_result);
	turn(); /* nobody is there any more: nothing happens */
	finish();
	assert_string_equal("", buf_str(&talking.why));
}

static void unknown_types_and_fields_are_ignored(void **state)
{
	(void)state;
	play_script(SCRIPT(HELLO, "{\"type\":\"weather\",\"sun\":[1]}",
			   "{\"type\":\"end\",\"more\":{}}"));
	assert_string_equal("", buf_str(&talking.why));
}

static void a_program_that_writes_nothing_did_not_speak(void **state)
{
	(void)state;
	play_script(SCRIPT("@exit", "0"));
	assert_false(talking.session.has_hello);
	assert_false(talking.session.has_result);
	assert_string_equal("", buf_str(&talking.why));
}

static void a_line_of_garbage_is_told_with_its_place(void **state)
{
	(void)state;
	play_script(SCRIPT(HELLO, "this is no record", RESULT(1), END));
	assert_why("broken record");
	assert_why("column");
	assert_false(talking.session.has_result);
}

static void records_out_of_range_are_told_with_their_field(void **state)
{
	static const char *const bad[][2] = {
		{ "{\"type\":\"slice\",\"slice\":0,\"iterations\":0,\"wall_ns\":1}", "iterations" },
		{ "{\"type\":\"slice\",\"slice\":0,\"iterations\":1.5,\"wall_ns\":1}",
		  "iterations" },
		{ "{\"type\":\"slice\",\"slice\":0,\"iterations\":1e300,\"wall_ns\":1}",
		  "iterations" },
		{ "{\"type\":\"slice\",\"slice\":0,\"iterations\":1,\"wall_ns\":-1}", "wall_ns" },
		{ "{\"type\":\"slice\",\"slice\":0,\"iterations\":1}", "wall_ns" },
		{ "{\"type\":\"slice\",\"slice\":0,\"iterations\":1,\"wall_ns\":1e400}", "JSON" },
		{ "{\"type\":\"slice\",\"slice\":0,\"iterations\":1,\"wall_ns\":NaN}", "JSON" },
		{ "{\"type\":\"benchmark\",\"name\":\"\"}", "name" },
		{ "{\"type\":\"benchmark\",\"name\":\"a\\nb\"}", "name" },
		{ "{\"type\":\"benchmark\"}", "name" },
		{ "{\"type\":7}", "type" },
		{ "[1,2]", "object" },
		{ "{} {}", "JSON" },
		{ "\xff\xfe", "JSON" },
		{ "", "JSON" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		play_script(SCRIPT(HELLO, bad[i][0], END));
		assert_why("broken record");
		assert_why(bad[i][1]);
		session_teardown(NULL);
	}
}

static void another_protocol_is_refused(void **state)
{
	(void)state;
	play_script(SCRIPT("{\"type\":\"hello\",\"protocol\":2}", RESULT(1), END));
	assert_why("another version");
}

static void a_last_line_without_its_end_is_broken(void **state)
{
	(void)state;
	play_script(SCRIPT(HELLO, "@part", RESULT(1)));
	assert_why("the last line has no end");
	assert_false(talking.session.has_result);
}

static void a_line_may_come_in_pieces(void **state)
{
	(void)state;
	play_script(SCRIPT("@part", "{\"type\":", "@part", "\"hello\",\"proto", "col\":1}", END));
	assert_string_equal("", buf_str(&talking.why));
	assert_true(talking.session.has_hello);
}

static void a_line_of_more_than_a_mebibyte_is_refused(void **state)
{
	(void)state;
	play_script(SCRIPT(HELLO, "@long", "1048577", "", END));
	assert_why("1048576");
	session_teardown(NULL);
	play_script(SCRIPT(HELLO, "@long", "2000000", "@hang")); /* and never ends the line */
	assert_why("1048576");
}

/* 16 MiB of good lines: the program is cut off and ended. */
static void more_than_sixteen_mebibytes_are_refused(void **state)
{
	char line[1024];

	(void)state;
	snprintf(line, sizeof(line), "{\"type\":\"x\",\"fill\":\"%0*d\"}", 990, 0);
	play_script(SCRIPT(HELLO, "@repeat", "1000000000", line));
	assert_why("16777216 bytes");
}

static void two_results_are_no_result(void **state)
{
	(void)state;
	play_script(SCRIPT(HELLO, RESULT(1), RESULT(2), END));
	assert_why("two results");
}

static void an_error_record_says_why(void **state)
{
	(void)state;
	play_script(SCRIPT(HELLO, ERROR("setup failed with code 3"), END, "@exit", "1"));
	assert_string_equal("setup failed with code 3", buf_str(&talking.why));
}

static void more_slices_than_can_be_asked_for_are_refused(void **state)
{
	struct buf line = BUF_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < 100; i++)
		buf_addf(&line,
			 "%s{\"type\":\"slice\",\"slice\":%zu,\"iterations\":1,\"wall_ns\":1}",
			 i ? "\n" : "", i);
	play_script(SCRIPT(HELLO, buf_str(&line), RESULT(100), END));
	buf_release(&line);
	assert_why("more slices than asked for");
	assert_int_equal(SESSION_MAX_SLICES, talking.session.n_slices);
}

/* Slice i of one side is compared with slice i of the other. */
static void slices_out_of_order_are_refused(void **state)
{
	(void)state;
	play_script(SCRIPT(HELLO, SLICE(1, 100), SLICE(0, 100), RESULT(20), END));
	assert_why("another order");
	session_teardown(NULL);
	play_script(SCRIPT(HELLO, SLICE(0, 100), SLICE(0, 100), RESULT(20), END));
	assert_why("another order");
}

static void too_many_or_equal_names_are_refused(void **state)
{
	char path[] = "/tmp/pawl-session.XXXXXX";
	struct buf line = BUF_INIT;
	int fd = mkstemp(path);
	size_t i;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	play_script(SCRIPT(HELLO, BENCHMARK("a"), BENCHMARK("a"), END));
	assert_why("two benchmarks of one name");
	session_teardown(NULL);
	for (i = 0; i <= SUMMARY_MAX_BENCHMARKS; i++)
		buf_addf(&line, BENCHMARK("%zu") "\n", i);
	assert_int_equal(0, file_write_whole(path, line.data, line.len, 0600, NULL));
	play_script(SCRIPT(HELLO, "@file", path));
	unlink(path);
	buf_release(&line);
	assert_why("too many benchmarks");
}

static void a_program_that_dies_in_its_turn_is_told(void **state)
{
	(void)state;
	start_script(SCRIPT(HELLO, READY(0), "@wait", "@abort"));
	step();
	turn();
	assert_true(talking.session.ended);
	finish();
	assert_why("was killed by SIGABRT");
}

static void a_program_that_leaves_in_its_turn_is_told(void **state)
{
	(void)state;
	start_script(SCRIPT(HELLO, READY(0), "@wait", SLICE(0, 10), READY(1), "@exit", "7"));
	step();
	turn();
	turn(); /* it may be gone already, or go now */
	turn();
	finish();
	assert_why("exited with status 7");
}

static void what_it_says_while_dying_is_heard(void **state)
{
	(void)state;
	start_script(SCRIPT(HELLO, READY(0), ERROR("the disk is full"), "@exit", "1"));
	step();
	assert_int_equal(CHILD_DONE, child_poll(&talking.session.child, false));
	turn(); /* nobody takes it, but the record is there */
	finish();
	assert_why("the disk is full");
}

static void a_closed_stream_is_the_end_of_the_records_only(void **state)
{
	(void)state;
	start_script(SCRIPT(HELLO, RESULT(1), "@close", "@exit", "5"));
	step();
	assert_true(talking.session.ended);
	finish();
	assert_why("exited with status 5");
}

static void a_program_that_hangs_in_its_turn_times_out(void **state)
{
	(void)state;
	start_script(SCRIPT(HELLO, READY(0), "@wait", "@hang"));
	step();
	talking.session.left_ns = 20 * MS;
	turn();
	assert_true(talking.session.timed_out);
	finish();
	assert_true(talking.result.timed_out);
	assert_why("ran longer than its timeout");
}

static void a_program_that_hangs_after_its_stream_times_out(void **state)
{
	(void)state;
	start_script(SCRIPT(HELLO, RESULT(1), "@close", "@hang"));
	step();
	talking.session.left_ns = 20 * MS;
	finish();
	assert_true(talking.result.timed_out);
	assert_why("ran longer than its timeout");
}

/* While it waits for its turn the time belongs to the other side. */
static void the_deadline_stands_still_between_turns(void **state)
{
	(void)state;
	start_script(SCRIPT(HELLO, READY(0), "@wait", RESULT(1), END));
	step();
	talking.session.child.deadline_ns = 1; /* long ago, as if the other one had hung */
	turn();
	assert_true(talking.session.has_result);
	assert_false(talking.session.timed_out);
	finish();
	assert_string_equal("", buf_str(&talking.why));
}

static void a_stop_signal_is_an_error_of_the_call(void **state)
{
	(void)state;
	start_script(SCRIPT(HELLO, "@hang"));
	stop_signal = SIGTERM;
	assert_int_equal(-1, session_step(&talking.session, &talking.err));
	stop_signal = 0;
	assert_int_equal(ERR_STOPPED, talking.err.code);
}

static void giving_up_keeps_the_first_reason(void **state)
{
	(void)state;
	start_script(SCRIPT(HELLO, READY(0), "@hang"));
	step();
	session_give_up(&talking.session, "asks for turns without end");
	session_give_up(&talking.session, "another reason");
	finish();
	assert_string_equal("asks for turns without end", buf_str(&talking.why));
}

#define TEST(name) cmocka_unit_test_teardown(name, session_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_whole_run_gives_slices_and_a_result),
		TEST(the_list_gives_the_names),
		TEST(each_slice_waits_for_its_turn),
		TEST(unknown_types_and_fields_are_ignored),
		TEST(a_program_that_writes_nothing_did_not_speak),
		TEST(a_line_of_garbage_is_told_with_its_place),
		TEST(records_out_of_range_are_told_with_their_field),
		TEST(another_protocol_is_refused),
		TEST(a_last_line_without_its_end_is_broken),
		TEST(a_line_may_come_in_pieces),
		TEST(a_line_of_more_than_a_mebibyte_is_refused),
		TEST(more_than_sixteen_mebibytes_are_refused),
		TEST(two_results_are_no_result),
		TEST(an_error_record_says_why),
		TEST(more_slices_than_can_be_asked_for_are_refused),
		TEST(slices_out_of_order_are_refused),
		TEST(too_many_or_equal_names_are_refused),
		TEST(a_program_that_dies_in_its_turn_is_told),
		TEST(a_program_that_leaves_in_its_turn_is_told),
		TEST(what_it_says_while_dying_is_heard),
		TEST(a_closed_stream_is_the_end_of_the_records_only),
		TEST(a_program_that_hangs_in_its_turn_times_out),
		TEST(a_program_that_hangs_after_its_stream_times_out),
		TEST(the_deadline_stands_still_between_turns),
		TEST(a_stop_signal_is_an_error_of_the_call),
		TEST(giving_up_keeps_the_first_reason),
	};

	return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
