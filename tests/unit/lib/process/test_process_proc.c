/* Unit tests of lib/process/proc.c. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/process/proc.h"
#include "lib/process/stop.h"

#include "lib/base/banned.h"

#define NEVER UINT64_MAX
#define MS 1000000u

/* Runs a line of shell; the results stand in these. */
static struct buf out, errors;
static struct err err;
static int status;

static int forget(void **state)
{
	(void)state;
	buf_release(&out);
	buf_release(&errors);
	err_clear(&err);
	status = -1;
	return 0;
}

static int run_with(struct proc_options options, const char *script)
{
	char shell[] = "sh", flag[] = "-c", line[512];
	char *argv[] = { shell, flag, line, NULL };

	strncpy(line, script, sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	if (!options.max)
		options.max = 1 << 20;
	if (!options.timeout_ns)
		options.timeout_ns = NEVER;
	return proc_run(&options, argv, &out, &errors, &status, &err);
}

static int run(const char *script)
{
	return run_with((struct proc_options){ .dir = NULL }, script);
}

static void both_streams_and_the_status_come_back(void **state)
{
	(void)state;
	buf_adds(&out, "before ");
	assert_int_equal(run("echo answer; echo talk >&2; exit 7"), 0);
	assert_string_equal(buf_str(&out), "before answer\n");
	assert_string_equal(buf_str(&errors), "talk\n");
	assert_int_equal(status, 7);
}

static void a_signal_is_a_status_above_128(void **state)
{
	(void)state;
	assert_int_equal(run("kill -TERM $$"), 0);
	assert_int_equal(status, 128 + SIGTERM);
}

static void stdin_is_empty_when_nothing_is_given(void **state)
{
	(void)state;
	assert_int_equal(run("cat; echo end"), 0);
	assert_string_equal(buf_str(&out), "end\n");
}

static void input_arrives_whole(void **state)
{
	char *big = malloc(300001);

	(void)state;
	assert_non_null(big);
	memset(big, 'i', 300000);
	big[300000] = '\0';
	assert_int_equal(run_with((struct proc_options){ .input = big, .n_input = 300000 }, "cat"),
			 0);
	assert_int_equal(out.len, 300000);
	assert_string_equal(buf_str(&out), big);
	free(big);
}

static void input_that_nobody_reads_is_no_fault(void **state)
{
	char big[100000];

	(void)state;
	memset(big, 'i', sizeof(big));
	assert_int_equal(
		run_with((struct proc_options){ .input = big, .n_input = sizeof(big) }, "exit 3"),
		0);
	assert_int_equal(status, 3);
}

static void the_environment_is_changed_only_there(void **state)
{
	char a[] = "PAWL_PROC_A=new", b[] = "PAWL_PROC_B=", *more[] = { a, b, NULL };

	(void)state;
	setenv("PAWL_PROC_A", "old", 1);
	setenv("PAWL_PROC_AB", "kept", 1);
	assert_int_equal(run_with((struct proc_options){ .environment = more },
				  "echo $PAWL_PROC_A-${PAWL_PROC_B-unset}-$PAWL_PROC_AB"),
			 0);
	assert_string_equal(buf_str(&out), "new--kept\n");
	assert_string_equal(getenv("PAWL_PROC_A"), "old");
}

static void it_runs_in_the_folder_named(void **state)
{
	(void)state;
	assert_int_equal(run_with((struct proc_options){ .dir = "/" }, "pwd"), 0);
	assert_string_equal(buf_str(&out), "/\n");
}

static void a_missing_folder_is_told_apart_from_a_missing_program(void **state)
{
	char none[] = "pawl-no-such-program", *argv[] = { none, NULL };

	(void)state;
	assert_int_equal(run_with((struct proc_options){ .dir = "/no/such" }, "pwd"), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_non_null(strstr(err.text, "/no/such"));
	assert_int_equal(proc_capture(NULL, argv, 100, NEVER, &out, NULL, &status, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_non_null(strstr(err.text, none));
	assert_int_equal(status, -1);
}

static void a_program_past_its_time_is_killed(void **state)
{
	(void)state;
	assert_int_equal(
		run_with((struct proc_options){ .timeout_ns = 50 * MS }, "exec sleep 1000"), -1);
	assert_int_equal(err.code, ERR_TIMEOUT);
}

static void endless_output_is_stopped_at_the_limit(void **state)
{
	(void)state;
	assert_int_equal(run_with((struct proc_options){ .max = 1000 }, "exec yes"), -1);
	assert_int_equal(err.code, ERR_LIMIT);
}

static void the_end_of_stderr_is_kept(void **state)
{
	(void)state;
	buf_adds(&errors, "mine:");
	assert_int_equal(run("i=0; while [ $i -lt 3000 ]; do echo line $i >&2; i=$((i+1)); done; "
			     "echo fatal: last >&2"),
			 0);
	assert_memory_equal(buf_str(&errors), "mine:", 5);
	assert_int_equal(errors.len, 5 + PROC_ERRORS_KEPT);
	assert_string_equal(buf_str(&errors) + errors.len - 12, "fatal: last\n");
}

/* The thing left behind would hold the pipes for 1000 s; it is stopped by its id at the end. */
static void what_is_left_behind_is_not_waited_for(void **state)
{
	(void)state;
	assert_int_equal(run("sleep 1000 & echo $!; exit 5"), 0);
	assert_int_equal(status, 5);
	assert_true(out.len > 1);
	assert_int_equal(kill((pid_t)strtol(buf_str(&out), NULL, 10), SIGKILL), 0);
}

static void what_leaves_halves_has_time_to_end(void **state)
{
	char sh[] = "sh", c[] = "-c", text[] = "sleep 0.3; echo done";
	char *argv[] = { sh, c, text, NULL };
	struct proc_options o = { .max = 100, .timeout_ns = UINT64_MAX, .stops = true };
	struct buf printed = BUF_INIT;
	struct err fault = ERR_INIT;
	int ended = -1;

	(void)state;
	stop_signal = SIGTERM;
	assert_int_equal(-1, proc_run(&o, argv, &printed, NULL, &ended, &fault));
	assert_int_equal(ERR_STOPPED, fault.code);
	assert_int_equal(0, printed.len);
	o.apart = true;
	assert_int_equal(0, proc_run(&o, argv, &printed, NULL, &ended, &fault));
	stop_signal = 0;
	assert_int_equal(0, ended);
	assert_string_equal("done\n", buf_str(&printed));
	buf_release(&printed);
}

/* As a filter of git. */
static void what_it_has_started_is_ended_with_it(void **state)
{
	char sh[] = "sh", c[] = "-c", text[] = "sleep 1000 & echo $!; wait";
	char *argv[] = { sh, c, text, NULL };
	struct proc_options o = { .max = 100, .timeout_ns = 500 * MS, .stops = true };
	struct buf printed = BUF_INIT;
	int ended = -1, tries = 600;
	pid_t started;

	(void)state;
	assert_int_equal(-1, proc_run(&o, argv, &printed, NULL, &ended, NULL));
	started = (pid_t)strtol(buf_str(&printed), NULL, 10);
	assert_true(started > 0);
	while (tries-- && !kill(started, 0))
		usleep(100000);
	assert_int_equal(-1, kill(started, 0));
	buf_release(&printed);
}

/* As what is asked while things are put in order. */
static void a_question_has_time_to_be_answered_and_no_more(void **state)
{
	char sh[] = "sh", c[] = "-c", quick[] = "echo yes", never[] = "exec sleep 1000";
	char *asked[] = { sh, c, quick, NULL }, *hangs[] = { sh, c, never, NULL };
	struct buf printed = BUF_INIT;
	struct err fault = ERR_INIT;
	int ended = -1;

	(void)state;
	stop_signal = SIGTERM;
	assert_int_equal(0, proc_capture(NULL, asked, 100, NEVER, &printed, NULL, &ended, &fault));
	assert_string_equal("yes\n", buf_str(&printed));
	alarm(60);
	assert_int_equal(-1, proc_capture(NULL, hangs, 100, NEVER, &printed, NULL, &ended, &fault));
	alarm(0);
	stop_signal = 0;
	assert_int_equal(ERR_STOPPED, fault.code);
	buf_release(&printed);
}

static void output_may_go_unread(void **state)
{
	char shell[] = "sh", flag[] = "-c", line[] = "echo x; echo y >&2; exit 2";
	char *argv[] = { shell, flag, line, NULL };

	(void)state;
	assert_int_equal(proc_capture(NULL, argv, 0, NEVER, NULL, NULL, &status, &err), 0);
	assert_int_equal(status, 2);
}

static void a_broken_pipe_ends_the_program_also_when_we_ignore_it(void **state)
{
	void (*before)(int) = signal(SIGPIPE, SIG_IGN);

	(void)state;
	assert_int_equal(run("kill -PIPE $$; echo survived"), 0);
	signal(SIGPIPE, before);
	assert_int_equal(status, 128 + SIGPIPE);
	assert_string_equal(buf_str(&out), "");
}

#define FRESH(f) cmocka_unit_test_setup_teardown(f, forget, forget)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FRESH(both_streams_and_the_status_come_back),
		FRESH(a_signal_is_a_status_above_128),
		FRESH(stdin_is_empty_when_nothing_is_given),
		FRESH(input_arrives_whole),
		FRESH(input_that_nobody_reads_is_no_fault),
		FRESH(the_environment_is_changed_only_there),
		FRESH(it_runs_in_the_folder_named),
		FRESH(a_missing_folder_is_told_apart_from_a_missing_program),
		FRESH(a_program_past_its_time_is_killed),
		FRESH(endless_output_is_stopped_at_the_limit),
		FRESH(the_end_of_stderr_is_kept),
		FRESH(what_is_left_behind_is_not_waited_for),
		FRESH(what_leaves_halves_has_time_to_end),
		FRESH(a_question_has_time_to_be_answered_and_no_more),
		FRESH(what_it_has_started_is_ended_with_it),
		FRESH(output_may_go_unread),
		FRESH(a_broken_pipe_ends_the_program_also_when_we_ignore_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
