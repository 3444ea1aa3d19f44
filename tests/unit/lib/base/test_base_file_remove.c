/* Several processes remove one tree at once, as pawls do that tidy up after another one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/base/file.h"

#include "lib/base/banned.h"

enum { ROUNDS = 10, FOLDERS = 30, FILES = 10, PROCESSES = 4 };

static void make_tree(const char *top)
{
	char path[256];

	for (int i = 0; i < FOLDERS; i++) {
		snprintf(path, sizeof(path), "%s/%d", top, i);
		assert_int_equal(file_make_dirs(path, 0700, NULL), 0);
		for (int k = 0; k < FILES; k++) {
			snprintf(path, sizeof(path), "%s/%d/%d", top, i, k);
			assert_int_equal(file_write_whole(path, "x", 1, 0600, NULL), 0);
		}
	}
}

/* All of them begin when the pipe is closed. */
static pid_t remove_beside(const char *top, const int wait_for[2])
{
	pid_t pid = fork();
	char byte;

	assert_true(pid >= 0);
	if (pid)
		return pid;
	close(wait_for[1]);
	_exit(read(wait_for[0], &byte, 1) || file_remove_tree(top, NULL) ? 1 : 0);
}

static void one_tree_is_removed_by_several(void **state)
{
	char folder[] = "/tmp/pawl-remove.XXXXXX", top[64];

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(top, sizeof(top), "%s/top", folder);
	for (int round = 0; round < ROUNDS; round++) {
		pid_t pids[PROCESSES];
		int begin[2], status;

		make_tree(top);
		assert_int_equal(pipe(begin), 0);
		for (int i = 0; i < PROCESSES; i++)
			pids[i] = remove_beside(top, begin);
		close(begin[0]);
		close(begin[1]);
		for (int i = 0; i < PROCESSES; i++) {
			assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
			assert_int_equal(status, 0);
		}
		assert_false(file_exists(top));
	}
	assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(one_tree_is_removed_by_several) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
