#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/os/os.h"
#include "harness/speak/wire.h"

#include "lib/base/banned.h"

static char memory[1 << 20];
static struct text t;
static int fd[2];

static int open_sockets(void **state)
{
	(void)state;
	pawl_text_init(&t, memory, sizeof(memory));
	return socketpair(AF_UNIX, SOCK_STREAM, 0, fd);
}

static int close_sockets(void **state)
{
	(void)state;
	(void)close(fd[0]);
	(void)close(fd[1]);
	return 0;
}

static void a_line_is_the_text_and_a_newline(void **state)
{
	char got[16];
	(void)state;
	pawl_text_add(&t, "{}");
	assert_int_equal(pawl_wire_send(fd[0], &t), 0);
	assert_int_equal(read(fd[1], got, sizeof(got)), 3);
	assert_memory_equal(got, "{}\n", 3);
}

static void a_text_that_was_cut_is_not_sent(void **state)
{
	char small[4], got[4];
	(void)state;
	pawl_text_init(&t, small, sizeof(small));
	pawl_text_add(&t, "abc"); /* no room for the newline */
	assert_int_equal(pawl_wire_send(fd[0], &t), -EMSGSIZE);
	assert_int_equal(fcntl(fd[1], F_SETFL, O_NONBLOCK), 0);
	assert_int_equal(read(fd[1], got, sizeof(got)), -1);
}

static void a_closed_descriptor_is_an_error(void **state)
{
	(void)state;
	pawl_text_add(&t, "x");
	assert_int_equal(pawl_wire_send(999, &t), -EBADF);
	assert_int_equal(pawl_wire_wait(999), -EBADF);
}

static void a_full_device_is_an_error(void **state)
{
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	(void)state;
	assert_true(full >= 0);
	pawl_text_add(&t, "x");
	assert_int_equal(pawl_wire_send(full, &t), -ENOSPC);
	(void)close(full);
}

static void a_reader_that_has_gone_is_an_error_and_no_signal(void **state)
{
	struct sigaction now;
	(void)state;
	assert_int_equal(close(fd[1]), 0);
	fd[1] = -1;
	pawl_text_add(&t, "x");
	assert_int_equal(pawl_wire_send(fd[0], &t), -EPIPE);
	/* ... and the program's own way with the signal is untouched. */
	assert_int_equal(sigaction(SIGPIPE, NULL, &now), 0);
	assert_true(now.sa_handler == SIG_DFL);
}

/* Reads to the end in small pieces; status 0 when it is `wanted` bytes of x and a newline. */
static void read_slowly(size_t wanted)
{
	char piece[4096];
	size_t got = 0;
	ssize_t n;
	(void)close(fd[0]);
	while ((n = read(fd[1], piece, sizeof(piece))) > 0) {
		for (ssize_t i = 0; i < n; i++, got++)
			if (piece[i] != (got == wanted ? '\n' : 'x'))
				_exit(1);
	}
	_exit(got == wanted + 1 ? 0 : 2);
}

static void short_writes_are_continued(void **state)
{
	const size_t size = 600000;
	int status;
	(void)state;
	memset(memory, 'x', size);
	memory[size] = '\0';
	t.used = size;
	assert_int_equal(fcntl(fd[0], F_SETFL, O_NONBLOCK), 0);
	pid_t child = fork();
	if (child == 0)
		read_slowly(size);
	assert_int_equal(pawl_wire_send(fd[0], &t), 0);
	(void)close(fd[0]);
	(void)close(fd[1]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* Fills what blocks; the line that comes then must end with an error, and not wait for ever. */
static void fill_and_send(int to, int from)
{
	static char rubbish[4096];
	assert_int_equal(fcntl(to, F_SETFL, O_NONBLOCK), 0);
	while (write(to, rubbish, sizeof(rubbish)) > 0)
		;
	assert_int_equal(fcntl(to, F_SETFL, 0), 0);
	assert_int_equal(pawl_os_wire_write(to, "x\n", 2, 100), -ETIMEDOUT);
	/* With a reader it goes. */
	assert_true(read(from, rubbish, sizeof(rubbish)) > 0);
	assert_int_equal(read(from, memory, sizeof(memory)) > 0, 1);
	pawl_text_clear(&t);
	pawl_text_add(&t, "x");
	assert_int_equal(pawl_wire_send(to, &t), 0);
}

static void a_full_pipe_that_nobody_reads_is_an_error(void **state)
{
	int ends[2];
	(void)state;
	assert_int_equal(pipe(ends), 0);
	fill_and_send(ends[1], ends[0]);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

static void a_full_socket_that_nobody_reads_is_an_error(void **state)
{
	(void)state;
	fill_and_send(fd[0], fd[1]);
}

static void be_quiet(int signal)
{
	(void)signal;
}

/* As in a benchmark that has a timer of its own, oftener than the patience is long. */
static void signals_do_not_renew_the_patience_nor_make_a_full_pipe_block(void **state)
{
	struct sigaction action, before;
	struct itimerval often = { { 0, 20000 }, { 0, 20000 } }, never = { { 0, 0 }, { 0, 0 } };
	int ends[2];
	(void)state;
	memset(&action, 0, sizeof(action));
	action.sa_handler = be_quiet;
	action.sa_flags = SA_RESTART; /* so that a write() that blocks is not interrupted */
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
	fill_and_send(ends[1], ends[0]);
	assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
	assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

static void a_long_line_goes_through_a_small_pipe_whole(void **state)
{
	const size_t size = 300000;
	int ends[2], status;
	(void)state;
	assert_int_equal(pipe(ends), 0);
	memset(memory, 'x', size);
	memory[size] = '\0';
	t.used = size;
	pid_t child = fork();
	if (child == 0) {
		(void)close(fd[0]);
		(void)close(ends[1]);
		fd[0] = -1;
		fd[1] = ends[0];
		read_slowly(size);
	}
	assert_int_equal(pawl_wire_send(ends[1], &t), 0);
	(void)close(ends[1]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	(void)close(ends[0]);
}

static volatile sig_atomic_t rings;

static void ring(int signal)
{
	(void)signal;
	if (++rings == 3 && write(fd[1], "x", 1) != 1)
		abort();
}

static void waiting_survives_signals_and_ends_with_a_byte(void **state)
{
	struct sigaction action, before;
	struct itimerval often = { { 0, 2000 }, { 0, 2000 } }, never = { { 0, 0 }, { 0, 0 } };
	(void)state;
	memset(&action, 0, sizeof(action));
	action.sa_handler = ring; /* without SA_RESTART: read() ends with EINTR */
	assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
	int error = pawl_wire_wait(fd[0]);
	assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
	assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
	assert_int_equal(error, 0);
	assert_true(rings >= 3);
}

static void waiting_takes_one_byte_a_time_also_without_blocking(void **state)
{
	(void)state;
	assert_int_equal(fcntl(fd[0], F_SETFL, O_NONBLOCK), 0);
	assert_int_equal(write(fd[1], "ab", 2), 2);
	assert_int_equal(pawl_wire_wait(fd[0]), 0);
	assert_int_equal(pawl_wire_wait(fd[0]), 0);
	assert_int_equal(shutdown(fd[1], SHUT_WR), 0);
	assert_int_equal(pawl_wire_wait(fd[0]), -EPIPE);
}

/* On a socket and on a pipe: in one piece, in pieces, and with what comes behind it. */
static void lines_are_taken_one_by_one(int to, int from)
{
	char line[8];
	assert_int_equal(write(to, "one\n\nthr", 8), 8);
	assert_int_equal(pawl_wire_line(from, line, sizeof(line)), 0);
	assert_string_equal(line, "one");
	assert_int_equal(pawl_wire_line(from, line, sizeof(line)), 0);
	assert_string_equal(line, "");
	assert_int_equal(write(to, "ee\nxgg", 6), 6);
	assert_int_equal(pawl_wire_line(from, line, sizeof(line)), 0);
	assert_string_equal(line, "three");
	for (int i = 0; i < 3; i++)
		assert_int_equal(pawl_wire_wait(from), 0);
	assert_int_equal(write(to, "1234567\n12345678\n", 17), 17);
	assert_int_equal(pawl_wire_line(from, line, sizeof(line)), 0);
	assert_string_equal(line, "1234567");
	assert_int_equal(pawl_wire_line(from, line, sizeof(line)), -EMSGSIZE);
	assert_int_equal(close(to), 0);
	assert_int_equal(pawl_wire_line(from, line, sizeof(line)), 0);
	assert_string_equal(line, "");
	assert_int_equal(pawl_wire_line(from, line, sizeof(line)), -EPIPE);
}

static void a_line_ends_where_it_ends(void **state)
{
	int ends[2];
	(void)state;
	lines_are_taken_one_by_one(fd[1], fd[0]);
	fd[1] = -1;
	assert_int_equal(pipe(ends), 0);
	lines_are_taken_one_by_one(ends[1], ends[0]);
	assert_int_equal(close(ends[0]), 0);
}

static void the_end_of_the_stream_is_told_apart(void **state)
{
	(void)state;
	assert_int_equal(close(fd[1]), 0);
	fd[1] = -1;
	assert_int_equal(pawl_wire_wait(fd[0]), -EPIPE);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_sockets, close_sockets)
	const struct CMUnitTest tests[] = {
		TEST(a_line_is_the_text_and_a_newline),
		TEST(a_text_that_was_cut_is_not_sent),
		TEST(a_closed_descriptor_is_an_error),
		TEST(a_full_device_is_an_error),
		TEST(a_reader_that_has_gone_is_an_error_and_no_signal),
		TEST(short_writes_are_continued),
		TEST(a_full_pipe_that_nobody_reads_is_an_error),
		TEST(a_full_socket_that_nobody_reads_is_an_error),
		TEST(signals_do_not_renew_the_patience_nor_make_a_full_pipe_block),
		TEST(a_long_line_goes_through_a_small_pipe_whole),
		TEST(waiting_survives_signals_and_ends_with_a_byte),
		TEST(waiting_takes_one_byte_a_time_also_without_blocking),
		TEST(a_line_ends_where_it_ends),
		TEST(the_end_of_the_stream_is_told_apart),
	};
	return cmocka_run_group_tests_name("harness/wire", tests, NULL, NULL);
}
