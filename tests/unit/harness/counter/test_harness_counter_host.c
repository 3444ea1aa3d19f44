/* What the real kernel answers in the ways that are to be had everywhere: refusals, limits. */
#include "tests/unit/harness/test_harness_kernel.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/banned.h"

/*
 * Measures in a process of its own after `prepare`, which may spoil it for good; *out is what it
 * found.  false: it could not be prepared.
 */
static bool measured_after(bool (*prepare)(void))
{
	int fds[2], status;
	ssize_t n;
	pid_t pid;
	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (pid == 0) {
		if (!prepare())
			_exit(77);
		pawl_count_bench(&pawl_counter_system, &plain, &bench, 10, out);
		_exit(write(fds[1], out, sizeof(out)) != (ssize_t)sizeof(out));
	}
	(void)close(fds[1]);
	n = read(fds[0], out, sizeof(out));
	(void)close(fds[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		return false;
	assert_int_equal(status, 0);
	assert_int_equal(n, sizeof(out));
	return true;
}

static void all_say(enum counter_state state, const char *part)
{
	for (int i = 0; i < COUNTER_MAX; i++) {
		assert_int_equal(out[i].state, state);
		assert_true(out[i].value != out[i].value);
		if (!strstr(out[i].reason, part))
			fail_msg("%s: '%s' does not say '%s'", pawl_counter_name((size_t)i),
				 out[i].reason, part);
	}
}

/* ---- a filter ----------------------------------------------------------------------------- */

static bool refuse_by_filter(unsigned error)
{
	/* The number of the call, alone: four instructions. */
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static bool refuse_as_docker(void)
{
	return refuse_by_filter(EPERM);
}

static bool refuse_as_old_systems(void)
{
	return refuse_by_filter(ENOSYS);
}

static void a_containers_filter_is_told_from_a_missing_call(void **state)
{
	(void)state;
	if (!measured_after(refuse_as_docker)) {
		print_message("no seccomp filter can be set here\n");
		skip();
	}
	all_say(COUNTER_FORBIDDEN, "seccomp profile");
	assert_true(measured_after(refuse_as_old_systems));
	all_say(COUNTER_ABSENT, "no perf_event_open");
}

/* ---- limits and users ----------------------------------------------------------------------- */

static bool leave_no_descriptor(void)
{
	struct rlimit none = { 0, 0 };
	/* The pipe is open already. */
	return setrlimit(RLIMIT_NOFILE, &none) == 0;
}

static void a_limit_of_descriptors_says_how_to_raise_it(void **state)
{
	struct counter *faults;
	(void)state;
	assert_true(measured_after(leave_no_descriptor));
	faults = find("page-faults");
	if (faults->state == COUNTER_FORBIDDEN) {
		print_message("%s\n", faults->reason);
		skip();
	}
	assert_int_equal(faults->state, COUNTER_ABSENT);
	assert_non_null(strstr(faults->reason, "ulimit -n"));
}

static bool become_nobody(void)
{
	return getuid() == 0 && setgid(65534) == 0 && setuid(65534) == 0;
}

static void nobody_is_told_of_paranoid_or_of_what_is_not_there(void **state)
{
	int paranoid = pawl_counter_system.paranoid();
	(void)state;
	if (paranoid < 2 || !measured_after(become_nobody)) {
		print_message("not root, or perf_event_paranoid is %d\n", paranoid);
		skip();
	}
	for (int i = 0; i < COUNTER_MAX; i++) {
		char text[64];
		bool of_kernel = strcmp(pawl_counter_name((size_t)i), "kernel-instructions") == 0;
		(void)snprintf(text, sizeof(text), "perf_event_paranoid is %d", paranoid);
		/* From 3 on everything is refused; at 2 the kernel, where there is such an event.
		 */
		if (paranoid >= 3)
			assert_non_null(strstr(out[i].reason, text));
		else if (of_kernel && out[i].state == COUNTER_FORBIDDEN)
			assert_non_null(strstr(out[i].reason, text));
		else if (out[i].state > COUNTER_SCALED)
			assert_non_null(strstr(out[i].reason, "does not offer"));
	}
}

static void one_that_has_ended_cannot_be_counted(void **state)
{
	struct perf_event_attr attr;
	char reason[COUNTER_REASON] = "";
	pid_t pid = fork();
	(void)state;
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.exclude_kernel = 1;
	assert_int_equal(syscall(SYS_perf_event_open, &attr, pid, -1, -1, 0), -1);
	if (errno != ESRCH) {
		print_message("perf_event_open: %s\n", strerror(errno));
		skip();
	}
	assert_int_equal(pawl_counter_explain(-errno, 2, reason, sizeof(reason)), COUNTER_ABSENT);
	assert_non_null(strstr(reason, "has ended"));
}

/* A kernel that knows less: this one, asked with the size of a later structure. */
static int open_as_later(struct perf_event_attr *attr, int group_fd)
{
	static struct {
		struct perf_event_attr attr;
		uint64_t later[8];
	} larger;
	int fd;
	if (attr->size != sizeof(*attr))
		return pawl_counter_system.open(attr, group_fd);
	larger.attr = *attr;
	larger.attr.size = sizeof(larger);
	larger.later[7] = 1;
	fd = pawl_counter_system.open(&larger.attr, group_fd);
	attr->size = larger.attr.size;
	return fd;
}

static void a_kernel_that_names_a_smaller_size_gets_it(void **state)
{
	static const struct counter_event faults = { "page-faults", PERF_TYPE_SOFTWARE,
						     PERF_COUNT_SW_PAGE_FAULTS, MODE_USER };
	struct counter_calls later = pawl_counter_system;
	struct counter_ask ask = { .group_fd = -1 };
	bool both;
	int fd;
	(void)state;
	later.open = open_as_later;
	fd = pawl_counter_open(&pawl_counter_system, &faults, &ask, &both);
	if (fd < 0) {
		print_message("perf_event_open: %s\n", strerror(-fd));
		skip();
	}
	(void)close(fd);
	fd = pawl_counter_open(&later, &faults, &ask, &both);
	assert_true(fd >= 0);
	(void)close(fd);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, start_anew)
	const struct CMUnitTest tests[] = {
		TEST(a_containers_filter_is_told_from_a_missing_call),
		TEST(a_limit_of_descriptors_says_how_to_raise_it),
		TEST(nobody_is_told_of_paranoid_or_of_what_is_not_there),
		TEST(one_that_has_ended_cannot_be_counted),
		TEST(a_kernel_that_names_a_smaller_size_gets_it),
	};
	return cmocka_run_group_tests_name("harness/counter on this machine", tests, NULL, NULL);
}
