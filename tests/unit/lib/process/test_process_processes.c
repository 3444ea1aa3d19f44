/* Who descends from us, as /proc tells. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/process/processes.h"

#include "lib/base/banned.h"

static const struct process *found(const struct processes *all, pid_t pid)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->v[i].pid == pid)
			return &all->v[i];
	return NULL;
}

/* A child of that name, which waits to be killed; it has it once its pipe is closed. */
static pid_t start(const char *name)
{
	int ready[2];
	pid_t pid;
	char c;

	assert_int_equal(0, pipe(ready));
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, name);
		close(ready[0]);
		close(ready[1]);
		for (;;)
			pause();
	}
	close(ready[1]);
	assert_int_equal(0, read(ready[0], &c, 1));
	close(ready[0]);
	return pid;
}

static void assert_is_child(const char *name)
{
	struct processes all = PROCESSES_INIT;
	const struct process *p;
	pid_t pid = start(name);

	processes_look(&all);
	p = found(&all, pid);
	assert_non_null(p);
	assert_int_equal(getpid(), p->parent);
	assert_int_equal(1, p->n_threads);
	assert_true(p->state == 'S' || p->state == 'R');
	assert_true(p->is_ours);
	assert_false(found(&all, getpid())->is_ours);
	processes_release(&all);
	kill(pid, SIGKILL);
	assert_int_equal(pid, waitpid(pid, NULL, 0));
}

static void a_child_is_ours(void **state)
{
	(void)state;
	assert_is_child("plain");
}

static void a_name_may_hold_what_ends_it(void **state)
{
	(void)state;
	assert_is_child(") R 1 2 3");
	assert_is_child("two\nlines\n");
}

static void who_is_gone_is_not_seen(void **state)
{
	struct processes all = PROCESSES_INIT;
	pid_t pid = start("gone");

	(void)state;
	processes_look(&all);
	assert_non_null(found(&all, pid));
	kill(pid, SIGKILL);
	assert_int_equal(pid, waitpid(pid, NULL, 0));
	processes_look(&all);
	assert_null(found(&all, pid));
	processes_release(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_child_is_ours),
		cmocka_unit_test(a_name_may_hold_what_ends_it),
		cmocka_unit_test(who_is_gone_is_not_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
