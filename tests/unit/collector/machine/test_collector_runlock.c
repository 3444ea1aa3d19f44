/* The lock of the machine: who comes first is served first, and who is killed is not waited for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "collector/machine/holder.h"
#include "collector/machine/runlock.h"
#include "lib/base/file.h"
#include "lib/process/stop.h"

#include "lib/base/banned.h"

#define N 4

/* What the processes tell each other. */
struct shared {
	volatile int order[N], n; /* who was served, and how many */
	volatile bool released;	  /* the first holder let go */
	volatile bool early;	  /* somebody was served before */
};

static struct bed {
	char dir[32], file[64], queue[64];
	struct shared *shared;
	pid_t pid[N];
	int held;    /* the first holder's lock */
	int told[2]; /* a pipe: a byte from each that waits */
	struct err err;
} bed;

static int begin(void **state)
{
	(void)state;
	memset(&bed, 0, sizeof(bed));
	snprintf(bed.dir, sizeof(bed.dir), "/tmp/pawl-runlock.XXXXXX");
	bed.shared = mmap(NULL, sizeof(*bed.shared), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!mkdtemp(bed.dir) || bed.shared == MAP_FAILED || pipe(bed.told))
		return -1;
	snprintf(bed.file, sizeof(bed.file), "%s/lock", bed.dir);
	snprintf(bed.queue, sizeof(bed.queue), "%s/queue", bed.dir);
	return 0;
}

static int end(void **state)
{
	(void)state;
	munmap(bed.shared, sizeof(*bed.shared));
	close(bed.told[0]);
	close(bed.told[1]);
	stop_signal = 0;
	return file_remove_tree(bed.dir, NULL);
}

static int take(int *out_fd)
{
	err_clear(&bed.err);
	return runlock_take_of(bed.file, bed.queue, NULL, 0, out_fd, &bed.err);
}

static void tell(void *ctx, const char *text)
{
	(void)ctx;
	(void)text;
	(void)!write(bed.told[1], "x", 1);
}

/* Starts a process that takes the lock, and waits until it says that it waits. */
static void start_waiting(int who)
{
	const struct talk talk = { NULL, tell, NULL, NULL };
	char byte;
	int fd;

	bed.pid[who] = fork();
	assert_true(bed.pid[who] >= 0);
	if (bed.pid[who] == 0) {
		close(bed.held); /* or it would hold it, too */
		if (runlock_take_of(bed.file, bed.queue, &talk, 0, &fd, &bed.err) || fd < 0)
			_exit(1);
		bed.shared->early = bed.shared->early || !bed.shared->released;
		bed.shared->order[bed.shared->n++] = who;
		_exit(0);
	}
	assert_int_equal(1, read(bed.told[0], &byte, 1));
}

static void release(void)
{
	bed.shared->released = true;
	file_close(&bed.held);
}

static void reap(int who, int status)
{
	int got;

	assert_int_equal(bed.pid[who], waitpid(bed.pid[who], &got, 0));
	assert_int_equal(status, got);
}

static void it_is_held_until_it_is_closed(void **state)
{
	int fd, other;

	(void)state;
	assert_int_equal(0, take(&fd));
	assert_true(fd >= 0);
	other = open(bed.file, O_RDONLY | O_CLOEXEC);
	assert_int_equal(-1, flock(other, LOCK_EX | LOCK_NB)); /* flock(1) sees it too */
	file_close(&fd);
	assert_int_equal(0, flock(other, LOCK_EX | LOCK_NB));
	close(other);
}

static void who_comes_first_is_served_first(void **state)
{
	int i;

	(void)state;
	assert_int_equal(0, take(&bed.held));
	for (i = 0; i < N; i++)
		start_waiting(i);
	release();
	for (i = 0; i < N; i++)
		reap(i, 0);
	assert_int_equal(N, bed.shared->n);
	for (i = 0; i < N; i++)
		assert_int_equal(i, bed.shared->order[i]);
	assert_false(bed.shared->early);
}

/* Its place is free; those behind it wait for who holds the lock all the same. */
static void one_that_was_killed_is_not_waited_for(void **state)
{
	(void)state;
	assert_int_equal(0, take(&bed.held));
	start_waiting(0);
	start_waiting(1);
	start_waiting(2);
	assert_int_equal(0, kill(bed.pid[1], SIGKILL));
	reap(1, SIGKILL);
	start_waiting(3);
	release();
	reap(0, 0);
	reap(2, 0);
	reap(3, 0);
	assert_false(bed.shared->early);
	assert_int_equal(0, bed.shared->order[0]);
	assert_int_equal(2, bed.shared->order[1]);
	assert_int_equal(3, bed.shared->order[2]);
}

/* pawl.mk and others take the lock without the queue. */
static void who_holds_it_without_a_number_is_waited_for(void **state)
{
	(void)state;
	bed.held = open(bed.file, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	assert_int_equal(0, flock(bed.held, LOCK_EX | LOCK_NB));
	start_waiting(0);
	release();
	reap(0, 0);
	assert_false(bed.shared->early);
}

static void without_a_queue_there_is_a_lock(void **state)
{
	int fd, other = -1;

	(void)state;
	snprintf(bed.queue, sizeof(bed.queue), "%s/none/queue", bed.dir);
	assert_int_equal(0, take(&fd));
	assert_true(fd >= 0);
	stop_signal = SIGINT;
	assert_int_equal(-1, take(&other));
	assert_int_equal(ERR_STOPPED, bed.err.code);
	/* what the hook's reader has to know: nothing was slow, it was not measured at all */
	assert_non_null(strstr(bed.err.text, "another pawl was measuring on this machine for all "
					     "of the 0 s that this one waited"));
	assert_int_equal(-1, other);
	file_close(&fd);
}

static void without_a_file_nothing_is_held_and_that_is_no_error(void **state)
{
	int fd;

	(void)state;
	snprintf(bed.file, sizeof(bed.file), "%s/none/lock", bed.dir);
	assert_int_equal(0, take(&fd));
	assert_int_equal(-1, fd);
}

/* Any local user can make one where the lock should be; opening it would wait for a writer. */
static void one_that_is_no_file_is_not_waited_for(void **state)
{
	int fd;

	(void)state;
	assert_int_equal(0, mkfifo(bed.file, 0666));
	assert_int_equal(0, mkfifo(bed.queue, 0666));
	assert_int_equal(0, take(&fd));
	assert_int_equal(-1, fd);
	assert_int_equal(0, unlink(bed.file));
	assert_int_equal(0, take(&fd));
	assert_true(fd >= 0);
	file_close(&fd);
}

static void waiting_can_be_bounded(void **state)
{
	char who[64];
	int held, fd;

	(void)state;
	assert_int_equal(0, take(&held));
	err_clear(&bed.err);
	assert_int_equal(-1, runlock_take_of(bed.file, bed.queue, NULL, 1, &fd, &bed.err));
	assert_int_equal(ERR_BUSY, bed.err.code);
	assert_non_null(strstr(bed.err.text, "another pawl is measuring"));
	snprintf(who, sizeof(who), " (process %ld, in '", (long)getpid());
	if (holder_of(held))
		assert_non_null(strstr(bed.err.text, who));
	assert_int_equal(-1, fd);
	file_close(&held);
	assert_int_equal(0, runlock_take_of(bed.file, bed.queue, NULL, 1, &fd, &bed.err));
	file_close(&fd);
}

/* Of two with one budget that begin together the second has its turn, and nobody waits for long. */
static void a_budget_bounds_the_waiting(void **state)
{
	(void)state;
	assert_int_equal(runlock_most_ns(0, 0), 0);
	assert_int_equal(runlock_most_ns(0, UINT64_C(5000000000)), UINT64_C(7000000000));
	assert_int_equal(runlock_most_ns(0, 1), RUNLOCK_MORE_NS + 1);
	assert_int_equal(runlock_most_ns(1, UINT64_C(5000000000)), 1);
	assert_int_equal(runlock_most_ns(UINT64_C(600000000000), 1), UINT64_C(600000000000));
	assert_int_equal(runlock_most_ns(9, 0), 9);
}

static void who_holds_it_is_told(void **state)
{
	struct stat st;
	pid_t child;
	int fd, got;

	(void)state;
	if (stat("/proc/locks", &st)) {
		print_message("# skipped: the system does not list its locks\n");
		skip();
	}
	fd = open(bed.file, O_RDWR | O_CREAT, 0600);
	assert_true(fd >= 0);
	assert_int_equal(0, holder_of(fd));
	assert_int_equal(0, flock(fd, LOCK_SH));
	assert_int_equal(0, holder_of(fd));
	assert_int_equal(0, flock(fd, LOCK_EX));
	assert_int_equal(getpid(), holder_of(fd));
	/* a descriptor that a child has too is still ours */
	child = fork();
	if (!child)
		_exit(holder_of(fd) == getppid() ? 0 : 1);
	assert_int_equal(child, waitpid(child, &got, 0));
	assert_int_equal(0, got);
	close(fd);
	fd = open(bed.file, O_RDWR);
	assert_int_equal(0, holder_of(fd));
	close(fd);
}

/* Anybody may lock it; "to the end" is all numbers there are. */
static void a_queue_that_another_holds_to_its_end_is_none(void **state)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0 };
	int queue = open(bed.queue, O_RDWR | O_CREAT, 0600), fd = -1;

	(void)state;
	assert_true(queue >= 0);
	for (whole.l_start = 0; whole.l_start < 3; whole.l_start++) {
		assert_int_equal(fcntl(queue, F_OFD_SETLK, &whole), 0);
		alarm(60);
		assert_int_equal(take(&fd), 0);
		alarm(0);
		assert_true(fd >= 0);
		close(fd);
		whole.l_type = F_UNLCK;
		assert_int_equal(fcntl(queue, F_OFD_SETLK, &whole), 0);
		whole.l_type = F_WRLCK;
	}
	close(queue);
}

/* A lock that begins before the first number is one, too. */
static void a_number_that_another_holds_is_not_taken(void **state)
{
	struct flock some = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 5 };
	int queue = open(bed.queue, O_RDWR | O_CREAT, 0600), fd = -1;

	(void)state;
	assert_true(queue >= 0);
	assert_int_equal(fcntl(queue, F_OFD_SETLK, &some), 0);
	alarm(60);
	assert_int_equal(runlock_take_of(bed.file, bed.queue, NULL, 100000000u, &fd, &bed.err), -1);
	alarm(0);
	assert_int_equal(bed.err.code, ERR_BUSY);
	close(queue);
	assert_int_equal(take(&fd), 0);
	close(fd);
}

static void variable_names_another_lock(void **state)
{
	char other[80];
	int held = -1, fd = -1;

	(void)state;
	snprintf(other, sizeof(other), "%s/other", bed.dir);
	assert_int_equal(setenv(RUNLOCK_ENV, bed.file, 1), 0);
	assert_int_equal(runlock_take(NULL, 1, &held, &bed.err), 0);
	assert_true(held >= 0);
	assert_int_equal(runlock_take(NULL, 1, &fd, &bed.err), -1);
	assert_int_equal(bed.err.code, ERR_BUSY);
	/* Who names another one does not wait. */
	assert_int_equal(setenv(RUNLOCK_ENV, other, 1), 0);
	assert_int_equal(runlock_take(NULL, 1, &fd, &bed.err), 0);
	assert_true(fd >= 0);
	close(fd);
	close(held);
	assert_int_equal(setenv(RUNLOCK_ENV, "lock", 1), 0);
	assert_int_equal(runlock_take(NULL, 1, &fd, &bed.err), -1);
	assert_int_equal(bed.err.code, ERR_USAGE);
	assert_int_equal(fd, -1);
	assert_int_equal(unsetenv(RUNLOCK_ENV), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(it_is_held_until_it_is_closed),
		TEST(who_comes_first_is_served_first),
		TEST(one_that_was_killed_is_not_waited_for),
		TEST(who_holds_it_without_a_number_is_waited_for),
		TEST(without_a_queue_there_is_a_lock),
		TEST(without_a_file_nothing_is_held_and_that_is_no_error),
		TEST(one_that_is_no_file_is_not_waited_for),
		TEST(waiting_can_be_bounded),
		cmocka_unit_test(a_budget_bounds_the_waiting),
		TEST(who_holds_it_is_told),
		TEST(a_queue_that_another_holds_to_its_end_is_none),
		TEST(a_number_that_another_holds_is_not_taken),
		TEST(variable_names_another_lock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
