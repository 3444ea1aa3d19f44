/* Unit tests of lib/process/input.c, output.c and lock.c: what is waited for, and given up. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/folder_fixture.h"

#include "lib/process/input.h"
#include "lib/process/lock.h"
#include "lib/process/output.h"
#include "lib/process/stop.h"

#include "lib/base/banned.h"

#define BIG (1 << 20) /* more than a pipe holds */

static struct buf got;
static struct err err;

static int begin(void **state)
{
	buf_release(&got);
	err_clear(&err);
	return make_folder(state);
}

static int end(void **state)
{
	alarm(0);
	signal(SIGALRM, SIG_DFL);
	stop_signal = 0;
	buf_release(&got);
	return remove_folder(state);
}

static void on_alarm(int number)
{
	stop_signal = number;
}

/* The handlers of stop.h have no SA_RESTART either. */
static void stop_in_a_second(void)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_alarm;
	sigaction(SIGALRM, &action, NULL);
	alarm(1);
}

static void make_pipe(void)
{
	assert_int_equal(mkfifo(at("pipe"), 0600), 0);
}

/* A child that opens the pipe, and ends with what was asked of it. */
static pid_t beside(int flags, const char *writes)
{
	pid_t pid = fork();
	int fd;

	if (pid)
		return pid;
	usleep(100000);
	fd = open(at("pipe"), flags);
	if (fd < 0 || (writes && write(fd, writes, strlen(writes)) != (ssize_t)strlen(writes)))
		_exit(1);
	_exit(0);
}

static void check_stopped(int result)
{
	assert_int_equal(result, -1);
	assert_int_equal(err.code, ERR_STOPPED);
}

/* ---- reading ------------------------------------------------------------------------------ */

static void a_pipe_is_read_that_somebody_writes_to_later(void **state)
{
	(void)state;
	make_pipe();
	beside(O_WRONLY, "late");
	assert_int_equal(input_read_named(at("pipe"), 100, &got, &err), 0);
	assert_string_equal(buf_str(&got), "late");
}

static void a_writer_without_a_word_is_an_end(void **state)
{
	(void)state;
	make_pipe();
	beside(O_WRONLY, NULL);
	assert_int_equal(input_read_named(at("pipe"), 100, &got, &err), 0);
	assert_int_equal(got.len, 0);
}

/* As a shell's <(true). */
static void a_pipe_without_a_name_that_is_over_is_at_its_end(void **state)
{
	char path[64];
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	close(ends[1]);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	assert_int_equal(input_read_file(path, 100, &got, &err), 0);
	assert_int_equal(got.len, 0);
	close(ends[0]);
}

static void a_pipe_that_nobody_writes_to_is_given_up(void **state)
{
	(void)state;
	make_pipe();
	buf_adds(&got, "before");
	stop_in_a_second();
	check_stopped(input_read_named(at("pipe"), 100, &got, &err));
	assert_string_equal(buf_str(&got), "before");
}

static void a_signal_that_came_before_is_seen_too(void **state)
{
	(void)state;
	make_pipe();
	stop_signal = SIGINT;
	check_stopped(input_read_file(at("pipe"), 100, &got, &err));
}

static void what_is_not_there_is_absent_and_a_folder_is_no_file(void **state)
{
	(void)state;
	assert_int_equal(input_read_file(at("none"), 100, &got, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_int_equal(input_read_file(folder, 100, &got, &err), -1);
	assert_int_equal(err.code, ERR_IO);
}

static void a_file_beyond_the_most_is_refused(void **state)
{
	(void)state;
	assert_int_equal(file_write_whole(at("file"), "0123456789", 10, 0600, &err), 0);
	assert_int_equal(input_read_file(at("file"), 10, &got, &err), 0);
	assert_int_equal(input_read_file(at("file"), 9, &got, &err), -1);
	assert_int_equal(err.code, ERR_LIMIT);
	assert_string_equal(buf_str(&got), "0123456789");
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Replaced by a file, /dev/null would be lost to the whole machine. */
static void what_is_no_file_is_written_to_and_stays(void **state)
{
	char read_back[8] = "";
	struct stat st;
	int fd;

	(void)state;
	make_pipe();
	assert_int_equal(symlink("pipe", at("link")), 0);
	fd = open(at("pipe"), O_RDONLY | O_NONBLOCK);
	assert_true(fd >= 0);
	assert_int_equal(output_write_named(at("pipe"), "one", 3, 0644, NULL), 0);
	assert_int_equal(output_write_named(at("link"), "two", 3, 0644, NULL), 0);
	assert_int_equal(read(fd, read_back, sizeof(read_back) - 1), 6);
	assert_string_equal(read_back, "onetwo");
	close(fd);
	assert_int_equal(lstat(at("pipe"), &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	assert_int_equal(lstat(at("link"), &st), 0);
	assert_true(S_ISLNK(st.st_mode));
}

static void whoever_reads_later_is_waited_for(void **state)
{
	(void)state;
	make_pipe();
	beside(O_RDONLY, NULL);
	assert_int_equal(output_write_named(at("pipe"), "", 0, 0644, &err), 0);
}

static void a_pipe_that_nobody_reads_is_given_up(void **state)
{
	(void)state;
	make_pipe();
	stop_in_a_second();
	check_stopped(output_write_named(at("pipe"), "one", 3, 0644, &err));
}

static void a_pipe_that_is_full_is_given_up(void **state)
{
	char *bytes = calloc(1, BIG);
	int fd;

	(void)state;
	assert_non_null(bytes);
	make_pipe();
	fd = open(at("pipe"), O_RDONLY | O_NONBLOCK);
	assert_true(fd >= 0);
	stop_in_a_second();
	check_stopped(output_write_named(at("pipe"), bytes, BIG, 0644, &err));
	close(fd);
	free(bytes);
}

/* ---- locks -------------------------------------------------------------------------------- */

static int open_lock(void)
{
	int fd = open(at("lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	return fd;
}

static void a_lock_is_held_until_it_is_closed(void **state)
{
	int one = open_lock(), other = open_lock();

	(void)state;
	assert_int_equal(lock_wait(one, "lock", &err), 0);
	assert_int_equal(flock(other, LOCK_EX | LOCK_NB), -1);
	close(one);
	assert_int_equal(lock_wait(other, "lock", &err), 0);
	close(other);
}

static void a_lock_that_others_hold_is_given_up(void **state)
{
	int one = open_lock(), other = open_lock();

	(void)state;
	assert_int_equal(flock(one, LOCK_EX), 0);
	stop_in_a_second();
	check_stopped(lock_wait(other, "lock", &err));
	assert_non_null(strstr(err.text, "another process holds 'lock'"));
	close(one);
	close(other);
}

/* A signal that came before does not matter where nothing is waited for. */
static void a_lock_that_is_free_is_taken(void **state)
{
	int fd = open_lock();

	(void)state;
	stop_signal = SIGINT;
	assert_int_equal(lock_wait(fd, "lock", &err), 0);
	close(fd);
	assert_int_equal(lock_wait(fd, "lock", &err), -1);
	assert_int_equal(err.code, ERR_IO);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_pipe_is_read_that_somebody_writes_to_later),
		TEST(a_writer_without_a_word_is_an_end),
		TEST(a_pipe_without_a_name_that_is_over_is_at_its_end),
		TEST(a_pipe_that_nobody_writes_to_is_given_up),
		TEST(a_signal_that_came_before_is_seen_too),
		TEST(what_is_not_there_is_absent_and_a_folder_is_no_file),
		TEST(a_file_beyond_the_most_is_refused),
		TEST(what_is_no_file_is_written_to_and_stays),
		TEST(whoever_reads_later_is_waited_for),
		TEST(a_pipe_that_nobody_reads_is_given_up),
		TEST(a_pipe_that_is_full_is_given_up),
		TEST(a_lock_is_held_until_it_is_closed),
		TEST(a_lock_that_others_hold_is_given_up),
		TEST(a_lock_that_is_free_is_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
