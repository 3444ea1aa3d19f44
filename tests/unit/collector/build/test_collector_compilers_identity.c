/* Unit tests of collector/build/compilers_identity.c, with the compilers of this machine. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "collector/build/compilers.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

static char folder[] = "/tmp/pawl-compilers.XXXXXX";
static char memory[sizeof(folder) + 16];

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(memory, sizeof(memory), "%s/memory", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	file_remove_tree(folder, NULL);
	return 0;
}

static void identify(struct strv *env, struct buf *out)
{
	struct err err = ERR_INIT;

	buf_reset(out);
	assert_int_equal(compilers_identity(env, memory, out, &err), 0);
}

/* Puts other words behind the key, so that it shows whether they are believed. */
static void forge_memory(void)
{
	struct buf text = BUF_INIT;

	assert_int_equal(file_read_whole(memory, 1 << 20, &text, NULL), 0);
	buf_truncate(&text, strcspn(text.data, "\n") + 1);
	buf_adds(&text, "as remembered\n");
	assert_int_equal(file_write_whole(memory, text.data, text.len, 0600, NULL), 0);
	buf_release(&text);
}

static void environment(struct strv *env, const char *more)
{
	strv_release(env);
	assert_int_equal(strv_addf(env, NULL, "PATH=%s:%s", folder, getenv("PATH")), 0);
	if (more)
		assert_int_equal(strv_add(env, more, NULL), 0);
}

static void the_answer_is_remembered_until_the_environment_changes(void **state)
{
	struct strv env = STRV_INIT;
	struct buf text = BUF_INIT;

	(void)state;
	environment(&env, NULL);
	identify(&env, &text);
	assert_non_null(strstr(buf_str(&text), "cc\n"));
	forge_memory();
	identify(&env, &text);
	assert_true(str_starts(buf_str(&text), "as remembered\n"));
	environment(&env, "CFLAGS=-g");
	identify(&env, &text);
	assert_false(str_starts(buf_str(&text), "as remembered\n"));
	forge_memory();
	identify(&env, &text);
	assert_true(str_starts(buf_str(&text), "as remembered\n"));
	strv_release(&env);
	buf_release(&text);
}

/* ld comes first in PATH, and later than the others in time. */
static void another_program_of_that_name_is_asked(void **state)
{
	char path[sizeof(folder) + 8];
	struct strv env = STRV_INIT;
	struct buf text = BUF_INIT;

	(void)state;
	environment(&env, NULL);
	identify(&env, &text);
	forge_memory();
	snprintf(path, sizeof(path), "%s/ld", folder);
	assert_int_equal(file_copy("/bin/true", path, 0755, NULL), 0);
	identify(&env, &text);
	assert_non_null(strstr(buf_str(&text), path));
	unlink(path);
	strv_release(&env);
	buf_release(&text);
}

/* As `rsync --inplace --times` writes it: neither its number, nor its size, nor its time tells. */
static void a_program_written_over_is_asked(void **state)
{
	char path[sizeof(folder) + 8];
	struct strv env = STRV_INIT;
	struct timespec times[2];
	struct buf text = BUF_INIT;
	struct stat st;
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "%s/ld", folder);
	assert_int_equal(file_copy("/bin/true", path, 0755, NULL), 0);
	environment(&env, NULL);
	identify(&env, &text);
	forge_memory();
	identify(&env, &text);
	assert_true(str_starts(buf_str(&text), "as remembered\n"));
	assert_int_equal(stat(path, &st), 0);
	times[0] = st.st_atim;
	times[1] = st.st_mtim;
	fd = open(path, O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, "x", 1, st.st_size - 1), 1);
	close(fd);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	identify(&env, &text);
	assert_false(str_starts(buf_str(&text), "as remembered\n"));
	unlink(path);
	strv_release(&env);
	buf_release(&text);
}

/* The same bytes with another time were another linker, and another package installed, too. */
static void a_program_is_known_by_its_content(void **state)
{
	const struct timespec times[2] = { { 1, 0 }, { 1, 0 } };
	struct buf before = BUF_INIT, after = BUF_INIT;
	char path[sizeof(folder) + 8];
	struct strv env = STRV_INIT;

	(void)state;
	snprintf(path, sizeof(path), "%s/ld", folder);
	assert_int_equal(file_copy("/bin/true", path, 0755, NULL), 0);
	environment(&env, NULL);
	identify(&env, &before);
	assert_non_null(strstr(buf_str(&before), COMPILERS_FILE));
	utimensat(AT_FDCWD, path, times, 0);
	identify(&env, &after);
	assert_string_equal(buf_str(&before), buf_str(&after));
	unlink(path);
	assert_int_equal(file_copy("/bin/false", path, 0755, NULL), 0);
	identify(&env, &after);
	assert_string_not_equal(buf_str(&before), buf_str(&after));
	/* the compiler proper is among them, not only the driver */
	assert_true(!strstr(buf_str(&after), "gcc") || strstr(buf_str(&after), "/cc1 "));
	unlink(path);
	strv_release(&env);
	buf_release(&before);
	buf_release(&after);
}

static void a_script_is_asked_each_time(void **state)
{
	static const char words[] = "#!/bin/sh\necho a compiler of mine\n";
	char path[sizeof(folder) + 8];
	struct strv env = STRV_INIT;
	struct buf text = BUF_INIT;

	(void)state;
	unlink(memory);
	snprintf(path, sizeof(path), "%s/c++", folder);
	assert_int_equal(file_write_whole(path, words, sizeof(words) - 1, 0755, NULL), 0);
	environment(&env, NULL);
	identify(&env, &text);
	assert_non_null(strstr(buf_str(&text), "a compiler of mine\n"));
	assert_false(file_exists(memory));
	unlink(path);
	strv_release(&env);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_answer_is_remembered_until_the_environment_changes),
		cmocka_unit_test(another_program_of_that_name_is_asked),
		cmocka_unit_test(a_program_written_over_is_asked),
		cmocka_unit_test(a_program_is_known_by_its_content),
		cmocka_unit_test(a_script_is_asked_each_time),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
