/* The digest of all that a child writes to stdout, also of what is not kept; and its last words. */
#include "tests/unit/collector/child_fixture.h"

#include <math.h>
#include <fcntl.h>
#include <poll.h>

#include "lib/digest/digest.h"
#include "tests/helpers/fixture.h"

#include "lib/base/banned.h"

static void run_hashed(const char *mode, const char *first, const char *second)
{
	rig_start(mode, first, second);
	rig.spec.digest_output = true;
	if (rig_run())
		fail_msg("child_run: %s", rig.err.text);
}

/* SHA-256 of "abc" by FIPS 180-4, appendix B.1. */
static void the_digest_is_the_start_of_the_sha_256(void **state)
{
	(void)state;
	rig_start("abc", NULL, NULL);
	rig.spec.exe = "/usr/bin/printf";
	rig.spec.digest_output = true;
	assert_int_equal(0, rig_run());
	assert_true(rig.result.has_output);
	assert_string_equal("ba7816bf8f01cfea", rig.result.output);
}

static void every_byte_counts_also_those_that_are_not_kept(void **state)
{
	static const size_t sizes[] = { 1, 65535, 65536, 65537, 131073, 5000003 };
	char text[32], expected[DIGEST_HEX];
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		char *bytes = malloc(sizes[i]);

		assert_non_null(bytes);
		for (k = 0; k < sizes[i]; k++)
			bytes[k] = (char)fixture_byte(k);
		assert_int_equal(0, digest_of(bytes, sizes[i], expected, NULL));
		free(bytes);
		expected[CHILD_DIGEST_HEX - 1] = '\0';
		snprintf(text, sizeof(text), "%zu", sizes[i]);
		run_hashed("print", text, "70000"); /* and that to stderr, which is not meant */
		assert_true(rig.result.has_output);
		assert_string_equal(expected, rig.result.output);
		child_release(&rig.child);
	}
}

/* The file is used again: nothing of the one before is in it, and the next can write. */
static void what_was_printed_before_is_gone(void **state)
{
	static const char *const sizes[] = { "100000", "3", "0", "70000" };
	char expected[DIGEST_HEX], bytes[100000];
	size_t i, k, n;

	(void)state;
	for (k = 0; k < sizeof(bytes); k++)
		bytes[k] = (char)fixture_byte(k);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		run_hashed("print", sizes[i], "0");
		n = strtoul(sizes[i], NULL, 10);
		assert_int_equal(0, digest_of(bytes, n, expected, NULL));
		expected[CHILD_DIGEST_HEX - 1] = '\0';
		assert_true(rig.result.has_output);
		if (n)
			assert_string_equal(expected, rig.result.output);
		else
			assert_string_equal("", rig.result.output);
		child_release(&rig.child);
	}
}

static void nothing_printed_is_known_and_empty(void **state)
{
	(void)state;
	run_hashed("print", "0", "10");
	assert_true(rig.result.has_output);
	assert_string_equal("", rig.result.output);
}

/* A file would be cut off each time that it is opened. */
static void an_answer_is_whole_however_it_is_written(void **state)
{
	(void)state;
	rig_start("-c", "echo 1; echo 2 >/dev/stdout; echo 3 >/proc/self/fd/1; echo 4", NULL);
	rig.spec.exe = "/bin/sh";
	rig.spec.keep_output = 1000;
	assert_int_equal(0, rig_run());
	assert_string_equal("1\n2\n3\n4\n", buf_str(&rig.child.out.head));
}

static void run_shell(const char *text)
{
	child_release(&rig.child);
	rig_start("-c", text, NULL);
	rig.spec.exe = "/bin/sh";
	rig.spec.digest_output = true;
	assert_int_equal(0, rig_run());
	assert_int_equal(0, rig.result.exit_status);
}

/* It cuts off what was there: two sides that differ in that would be called the same. */
static void output_that_is_opened_anew_is_not_known(void **state)
{
	static const char *const anew[] = { "echo one; : >/dev/stdout; echo two",
					    "echo one >/dev/stdout; echo two >/dev/stdout",
					    "echo one; : >/proc/self/fd/1" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(anew) / sizeof(anew[0]); i++) {
		run_shell(anew[i]);
		assert_true(rig.child.out.was_reopened);
		assert_false(rig.result.has_output);
		run_shell(
			"echo one; echo two >&1; : >/dev/stderr"); /* and that of the next one is */
		assert_false(rig.child.out.was_reopened);
		assert_true(rig.result.has_output);
		assert_int_equal(CHILD_DIGEST_HEX - 1, strlen(rig.result.output));
		run_shell("exit 0");
		assert_true(rig.result.has_output);
	}
}

/* Of a program that goes on after it closed its output, too. */
static void an_answer_longer_than_a_pipe_holds_is_whole(void **state)
{
	(void)state;
	rig_start("-c", "head -c 3000000 /dev/zero; exec >&-; sleep 0.1; exit 7", NULL);
	rig.spec.exe = "/bin/sh";
	rig.spec.keep_output = 2000000;
	assert_int_equal(0, rig_run());
	assert_int_equal(7, rig.result.exit_status);
	assert_int_equal(2000000, rig.child.out.head.len);
	assert_int_equal(3000000, rig.child.out.n_bytes);
	assert_int_equal(CHILD_OUTPUT_TAIL, rig.child.out.tail.len);
}

static void a_flood_of_answers_does_not_hide_the_deadline(void **state)
{
	(void)state;
	rig_start("flood", NULL, NULL);
	rig.spec.keep_output = 1000;
	rig.spec.timeout_ns = 200 * MS;
	assert_int_equal(0, rig_run());
	assert_true(rig.result.timed_out);
}

static void without_being_asked_nothing_is_hashed(void **state)
{
	(void)state;
	run_fixture("print", "10", NULL);
	assert_false(rig.result.has_output);
	assert_string_equal("", rig.result.output);
}

static void a_flood_that_is_hashed_does_not_hide_the_deadline(void **state)
{
	(void)state;
	rig_start("flood", NULL, NULL);
	rig.spec.digest_output = true;
	rig.spec.timeout_ns = 200 * MS;
	assert_int_equal(0, rig_run());
	assert_true(rig.result.timed_out);
	assert_int_equal(CHILD_OUTPUT_HEAD, rig.child.out.head.len);
	assert_int_equal(CHILD_OUTPUT_TAIL, rig.child.out.tail.len);
}

static void a_child_that_is_given_up_leaks_no_digest(void **state)
{
	(void)state;
	rig_start("flood", NULL, NULL);
	rig.spec.digest_output = true;
	rig.spec.timeout_ns = 50 * MS;
	assert_int_equal(0, child_start(&rig.spec, &rig.child, &rig.err));
	assert_int_equal(CHILD_TIMEOUT, child_poll(&rig.child, false));
	child_release(&rig.child);
}

static void migrations_are_a_count_or_not_known(void **state)
{
	(void)state;
	run_fixture("burn", "5", NULL);
	if (access("/proc/self/sched", R_OK))
		assert_true(isnan(rig.result.migrations));
	else
		assert_true(rig.result.migrations >= 0 && rig.result.migrations < 1e6);
}

/* Nobody reads before it is over; a pipe would hold 64 KiB. */
static void a_child_that_prints_waits_for_nobody(void **state)
{
	siginfo_t end;

	(void)state;
	rig_start("print", "5000003", "5000003");
	rig.spec.digest_output = true;
	assert_int_equal(0, child_start(&rig.spec, &rig.child, &rig.err));
	assert_int_equal(0, waitid(P_PID, (id_t)rig.child.pid, &end, WEXITED | WNOWAIT));
	assert_int_equal(0, rig.child.out.n_bytes);
	child_finish(&rig.child, NULL, false, &rig.result);
	assert_int_equal(5000003, rig.child.out.n_bytes);
	assert_int_equal(5000003, rig.child.errors.n_bytes);
	assert_int_equal(CHILD_DIGEST_HEX - 1, strlen(rig.result.output));
}

/* It stands still while we read, and that is not its time. */
static void who_prints_too_much_is_stopped_and_not_blamed(void **state)
{
	(void)state;
	bool is_long = getenv("PAWL_TEST_SLOW");

	run_fixture("print", is_long ? "1073741824" : "268435456", NULL);
	assert_int_equal(is_long ? 1073741824 : 268435456, rig.child.out.n_bytes);
	assert_true(rig.result.late_ns > 0);
	assert_true(rig.result.wall_ns > 0);
	child_release(&rig.child);
}

/* A file of a petabyte without a byte in it: neither read nor called the same as another one. */
static void a_stretched_output_is_not_read(void **state)
{
	(void)state;
	rig_start("stretch", "1125899906842624", NULL);
	rig.spec.digest_output = true;
	assert_int_equal(0, rig_run());
	assert_int_equal(0, rig.result.exit_status);
	assert_int_equal(1125899906842624, rig.child.out.n_bytes);
	assert_false(rig.result.has_output);
}

#define TEST(name) cmocka_unit_test_teardown(name, rig_release)

/* ---- what a failure is explained by ---- */

static void its_last_words_explain_a_failure(void **state)
{
	(void)state;
	run_fixture("say", "reading \033config", "no such\tfile");
	assert_string_equal("exited with status 3; stderr ended in:\n"
			    "reading ?config\nno such\tfile",
			    explained());
}

static void its_colours_are_left_out(void **state)
{
	(void)state;
	run_fixture("say", "\033[0;32mPASSED\033[0m\a \033[38:2::1 q3\033[m", "\033[2K9 \033[31");
	assert_string_equal("exited with status 3; stderr ended in:\nPASSED? 3\n9 ?[31",
			    explained());
	child_release(&rig.child);
	run_fixture("say", "\033]0;title\a", "\033[1\033[1mx");
	assert_string_equal("exited with status 3; stderr ended in:\n?]0;title?\n?[1x",
			    explained());
}

static void of_a_progress_line_the_last_words_count(void **state)
{
	(void)state;
	run_fixture("say", " 1 %\r 2 %\r99 %  \r", "\r\nlost the server\r");
	assert_string_equal("exited with status 3; stderr ended in:\n99 %\n\nlost the server",
			    explained());
}

static void without_any_on_stderr_those_on_stdout_do(void **state)
{
	(void)state;
	run_fixture("say-out", "panic: index", "FAIL\033");
	assert_string_equal("exited with status 3; stdout ended in:\npanic: index\nFAIL?",
			    explained());
}

/* Twenty lines, though the end of the output was kept apart from its start. */
static void the_last_words_join_start_and_end(void **state)
{
	static char long_line[CHILD_OUTPUT_HEAD - 5];
	const char *text;

	(void)state;
	memset(long_line, 'x', sizeof(long_line) - 1);
	rig_start("say", long_line, "cause of it all"); /* cut behind "caus" */
	assert_int_equal(0, rig_run());
	assert_int_equal(CHILD_OUTPUT_HEAD, rig.child.errors.head.len);
	assert_int_equal(11, rig.child.errors.tail.len);
	text = explained();
	assert_string_equal("\ncause of it all", strrchr(text, '\n'));
	assert_true(strlen(text) < 4200);
}

static void only_the_last_twenty_lines_are_told(void **state)
{
	struct buf lines = BUF_INIT;
	const char *text;
	int i;

	(void)state;
	for (i = 0; i < 30; i++)
		buf_addf(&lines, i ? "\n%02d" : "%02d", i);
	run_fixture("say", buf_str(&lines), NULL);
	buf_release(&lines);
	text = strchr(explained(), '\n');
	assert_non_null(text);
	assert_memory_equal("\n10\n11\n", text, 7);
	assert_string_equal("\n29", strrchr(text, '\n'));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_digest_is_the_start_of_the_sha_256),
		TEST(every_byte_counts_also_those_that_are_not_kept),
		TEST(what_was_printed_before_is_gone),
		TEST(nothing_printed_is_known_and_empty),
		TEST(an_answer_is_whole_however_it_is_written),
		TEST(output_that_is_opened_anew_is_not_known),
		TEST(an_answer_longer_than_a_pipe_holds_is_whole),
		TEST(a_flood_of_answers_does_not_hide_the_deadline),
		TEST(without_being_asked_nothing_is_hashed),
		TEST(a_flood_that_is_hashed_does_not_hide_the_deadline),
		TEST(a_child_that_is_given_up_leaks_no_digest),
		TEST(a_child_that_prints_waits_for_nobody),
		TEST(who_prints_too_much_is_stopped_and_not_blamed),
		TEST(a_stretched_output_is_not_read),
		TEST(migrations_are_a_count_or_not_known),
		TEST(its_last_words_explain_a_failure),
		TEST(its_colours_are_left_out),
		TEST(of_a_progress_line_the_last_words_count),
		TEST(without_any_on_stderr_those_on_stdout_do),
		TEST(the_last_words_join_start_and_end),
		TEST(only_the_last_twenty_lines_are_told),
	};

	return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
