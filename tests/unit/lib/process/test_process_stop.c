/* The signals that ask pawl to stop, and the guard over what it started. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/process/guard.h"
#include "lib/process/marked.h"
#include "lib/process/stop.h"

#include "lib/base/banned.h"

/* A group that ends for no signal that can be ignored. */
static pid_t start_group(void)
{
	volatile pid_t *place = guard_place();
	pid_t pid = fork();
	int i;

	if (!pid) {
		syscall(SYS_close_range, 3, ~0u, 0); /* as an exec does */
		for (i = 1; i < NSIG; i++)
			signal(i, SIG_IGN);
		setpgid(0, 0);
		if (place)
			*place = getpid();
		for (;;)
			pause();
	}
	setpgid(pid, pid);
	while (place && !*place)
		usleep(1000);
	return pid;
}

/* Nobody may be there to reap it. */
static bool is_over(pid_t pid)
{
	char path[64], text[256] = "";
	const char *state;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "r");
	if (!f)
		return true;
	state = fgets(text, sizeof(text), f) ? strrchr(text, ')') : NULL;
	fclose(f);
	return !state || state[2] == 'Z' || state[2] == 'X';
}

static bool lives(pid_t pid)
{
	return waitpid(pid, NULL, WNOHANG) == 0;
}

/* What it returns is the exit status of a process of its own, since signals end it. */
static int in_a_process(int (*run)(void))
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(run());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void wait_out_the_echo(void)
{
	const struct timespec pause = { 1, 100000000 };

	nanosleep(&pause, NULL);
}

static int same_wish(void)
{
	pid_t group;

	stop_install();
	guard_open();
	group = start_group();
	raise(SIGINT);
	raise(SIGTERM);
	raise(SIGHUP);
	return stop_signal == SIGINT && lives(group) ? 0 : 1;
}

static void what_comes_at_once_is_the_same_wish(void **state)
{
	(void)state;
	assert_int_equal(in_a_process(same_wish), 0);
}

static int another_wish(void)
{
	int status;
	pid_t group;

	stop_install();
	guard_open();
	group = start_group();
	raise(SIGINT);
	wait_out_the_echo();
	raise(SIGINT);
	if (waitpid(group, &status, 0) != group || !WIFSIGNALED(status))
		return 1;
	guard_forget(group);
	group = start_group();
	wait_out_the_echo();
	raise(SIGTERM);
	return 2;
}

static void another_one_kills_and_a_third_ends(void **state)
{
	(void)state;
	assert_int_equal(in_a_process(another_wish), 128 + SIGTERM);
}

static int told[2];

static int dies(void)
{
	pid_t group;

	guard_open();
	group = start_group();
	if (write(told[1], &group, sizeof(group)) != sizeof(group))
		return 1;
	raise(SIGKILL);
	return 2;
}

static void the_guard_ends_what_outlives_us(void **state)
{
	pid_t group = 0;
	int tries = 0;

	(void)state;
	assert_int_equal(pipe(told), 0);
	assert_int_equal(in_a_process(dies), 128 + SIGKILL);
	assert_int_equal(read(told[0], &group, sizeof(group)), sizeof(group));
	assert_true(group > 0);
	while (!is_over(group) && ++tries < 30000)
		usleep(1000);
	assert_true(is_over(group));
	close(told[0]);
	close(told[1]);
}

/* In a session of its own, as a daemon; it runs when this returns.  mark 0: what we hand on. */
static pid_t start_daemon(uint64_t mark)
{
	int runs[2];
	pid_t pid;
	char byte;

	if (pipe(runs))
		return -1;
	pid = fork();
	if (!pid) {
		syscall(SYS_close_range, 3, ~0u, 4 /* at the exec */);
		setsid();
		if (mark)
			marked_set(mark);
		execl("/bin/sleep", "sleep", "1000", (char *)NULL);
		_exit(127);
	}
	close(runs[1]);
	if (read(runs[0], &byte, 1) != 0)
		pid = -1;
	close(runs[0]);
	return pid;
}

static int leaves_daemons(void)
{
	pid_t daemons[2];

	guard_open();
	daemons[0] = start_daemon(guard_mark());
	daemons[1] = start_daemon(guard_mark() + 1);
	if (write(told[1], daemons, sizeof(daemons)) != sizeof(daemons))
		return 1;
	raise(SIGKILL);
	return 2;
}

static void the_guard_ends_what_left_its_group_by_its_mark(void **state)
{
	pid_t daemons[2] = { 0, 0 };
	bool ended, lived;
	int tries = 0;

	(void)state;
	assert_int_equal(pipe(told), 0);
	assert_int_equal(in_a_process(leaves_daemons), 128 + SIGKILL);
	assert_int_equal(read(told[0], daemons, sizeof(daemons)), sizeof(daemons));
	while (!is_over(daemons[0]) && ++tries < 30000)
		usleep(1000);
	ended = is_over(daemons[0]);
	lived = !is_over(daemons[1]);
	if (!ended)
		kill(daemons[0], SIGKILL);
	kill(daemons[1], SIGKILL);
	assert_true(ended && lived);
	close(told[0]);
	close(told[1]);
}

/* As a pawl that another one started. */
static int marks_inside(void)
{
	uint64_t mark;
	pid_t daemon;
	int tries = 0;
	bool ended;

	marked_set(marked_new());
	mark = marked_new();
	marked_begin(mark);
	daemon = start_daemon(0);
	marked_end();
	marked_kill(mark);
	while (!is_over(daemon) && ++tries < 3000)
		usleep(1000);
	ended = is_over(daemon);
	kill(daemon, SIGKILL);
	return ended ? 0 : 1;
}

static void inside_a_mark_there_is_place_for_another(void **state)
{
	(void)state;
	assert_int_equal(in_a_process(marks_inside), 0);
}

static int spares_daemons(void)
{
	uint64_t mark = marked_new();
	pid_t daemon = start_daemon(mark), near = fork();
	int tries = 0;
	bool ended, lived;

	if (!near) {
		marked_set(mark);
		for (;;) {
			marked_kill_near(mark); /* itself */
			pause();
		}
	}
	while (!is_over(near) && ++tries < 3000)
		usleep(1000);
	ended = is_over(near);
	lived = !is_over(daemon);
	kill(daemon, SIGKILL);
	kill(near, SIGKILL);
	return ended && lived ? 0 : 1;
}

static void what_left_our_session_can_be_spared(void **state)
{
	(void)state;
	assert_int_equal(in_a_process(spares_daemons), 0);
}

static int forgets(void)
{
	bool lived;
	pid_t group;

	guard_open();
	group = start_group();
	guard_forget(group);
	guard_kill();
	usleep(100000);
	lived = lives(group);
	kill(-group, SIGKILL);
	return lived ? 0 : 1;
}

static void what_is_forgotten_is_left_alone(void **state)
{
	(void)state;
	assert_int_equal(in_a_process(forgets), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_comes_at_once_is_the_same_wish),
		cmocka_unit_test(another_one_kills_and_a_third_ends),
		cmocka_unit_test(the_guard_ends_what_outlives_us),
		cmocka_unit_test(the_guard_ends_what_left_its_group_by_its_mark),
		cmocka_unit_test(inside_a_mark_there_is_place_for_another),
		cmocka_unit_test(what_left_our_session_can_be_spared),
		cmocka_unit_test(what_is_forgotten_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
