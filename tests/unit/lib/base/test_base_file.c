/* Unit tests of lib/base/file.c. */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/folder_fixture.h"

#include "lib/digest/digest.h"

#include "lib/base/banned.h"

static void check_content(const char *name, const char *wanted)
{
	struct buf got = BUF_INIT;
	struct err err = ERR_INIT;

	if (file_read_whole(at(name), 1 << 20, &got, &err))
		fail_msg("%s", err.text);
	assert_string_equal(buf_str(&got), wanted);
	buf_release(&got);
}

static size_t count_files(void)
{
	DIR *dir = opendir(folder);
	size_t n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n - 2;
}

static void a_file_is_replaced_whole_with_its_mode(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(file_write_whole(at("a"), "old", 3, 0644, NULL), 0);
	assert_int_equal(file_write_whole(at("a"), "newer", 5, 0600, NULL), 0);
	check_content("a", "newer");
	assert_int_equal(stat(at("a"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(file_write_whole(at("a"), "", 0, 0600, NULL), 0);
	check_content("a", "");
	assert_int_equal(count_files(), 1);
}

/* A file size limit makes write() fail as a full disk does, as any user. */
static void a_failed_write_leaves_the_old_file_and_nothing_else(void **state)
{
	struct rlimit before, small;
	struct err err = ERR_INIT;
	char big[8192];
	int result;

	(void)state;
	memset(big, 'x', sizeof(big));
	assert_int_equal(file_write_whole(at("a"), "old", 3, 0600, NULL), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = before;
	small.rlim_cur = 4096;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	result = file_write_whole(at("a"), big, sizeof(big), 0600, &err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(result, -1);
	assert_int_equal(err.code, ERR_IO);
	check_content("a", "old");
	assert_int_equal(count_files(), 1);
}

static void a_folder_in_the_way_is_an_error_and_nothing_is_left(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(file_make_dirs(at("a/b"), 0700, NULL), 0);
	assert_int_equal(file_write_whole(at("a"), "x", 1, 0600, &err), -1);
	assert_int_equal(err.code, ERR_IO);
	assert_int_equal(count_files(), 1);
	assert_int_equal(file_write_whole(at("none/x"), "x", 1, 0600, &err), -1);
}

static void a_link_is_replaced_not_followed(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(file_write_whole(at("target"), "safe", 4, 0600, NULL), 0);
	assert_int_equal(symlink("target", at("link")), 0);
	assert_int_equal(file_write_whole(at("link"), "new", 3, 0600, NULL), 0);
	check_content("target", "safe");
	check_content("link", "new");
	assert_int_equal(lstat(at("link"), &st), 0);
	assert_true(S_ISREG(st.st_mode));
}

static void a_new_file_is_made_only_where_there_is_none(void **state)
{
	struct err err = ERR_INIT;
	struct stat st;

	(void)state;
	assert_int_equal(0, file_write_new(at("new"), "one", 3, 0640, &err));
	check_content("new", "one");
	assert_int_equal(0, stat(at("new"), &st));
	assert_int_equal(0640, st.st_mode & 07777);
	assert_int_equal(-1, file_write_new(at("new"), "two", 3, 0640, &err));
	assert_int_equal(ERR_IO, err.code);
	check_content("new", "one");
	assert_int_equal(-1, file_write_new(at("nowhere/new"), "", 0, 0600, &err));
	unlink(at("new"));
}

static void what_is_missing_is_absent(void **state)
{
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;
	char line[8];

	(void)state;
	assert_int_equal(file_read_whole(at("none"), 10, &out, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_int_equal(file_write_whole(at("a"), "x", 1, 0600, NULL), 0);
	assert_int_equal(file_read_whole(at("a/b"), 10, &out, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_int_equal(file_copy(at("none"), at("b"), 0600, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_false(file_exists(at("none")));
	assert_true(file_exists(at("a")));
	assert_false(file_first_line(at("none"), line, sizeof(line)));
	buf_release(&out);
}

static void a_read_that_fails_adds_nothing(void **state)
{
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	buf_adds(&out, "kept");
	assert_int_equal(file_write_whole(at("a"), "12345", 5, 0600, NULL), 0);
	assert_int_equal(file_read_whole(at("a"), 4, &out, &err), -1);
	assert_int_equal(err.code, ERR_LIMIT);
	assert_string_equal(buf_str(&out), "kept");
	assert_int_equal(file_read_whole(folder, 100, &out, &err), -1);
	assert_int_equal(err.code, ERR_IO);
	assert_int_equal(file_read_whole(at("a"), 5, &out, &err), 0);
	assert_string_equal(buf_str(&out), "kept12345");
	buf_release(&out);
}

static void a_copy_has_the_bytes_and_its_own_mode(void **state)
{
	char big[200000];
	struct buf got = BUF_INIT;
	struct stat st;

	(void)state;
	memset(big, 'y', sizeof(big));
	assert_int_equal(file_write_whole(at("a"), big, sizeof(big), 0600, NULL), 0);
	assert_int_equal(file_copy(at("a"), at("b"), 0755, NULL), 0);
	assert_int_equal(file_read_whole(at("b"), sizeof(big), &got, NULL), 0);
	assert_int_equal(got.len, sizeof(big));
	assert_memory_equal(got.data, big, sizeof(big));
	assert_int_equal(stat(at("b"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
	buf_release(&got);
}

static void folders_are_made_down_to_the_last(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(file_make_dirs(at("a/b//c/"), 0700, NULL), 0);
	assert_int_equal(stat(at("a/b/c"), &st), 0);
	assert_true(S_ISDIR(st.st_mode));
	assert_int_equal(file_make_dirs(at("a/b/c"), 0700, NULL), 0);
	assert_int_equal(file_make_dirs("/", 0700, NULL), 0);
	assert_int_equal(symlink("a", at("link")), 0);
	assert_int_equal(file_make_dirs(at("link/d"), 0700, NULL), 0);
	assert_int_equal(stat(at("a/d"), &st), 0);
}

static void a_file_is_no_folder(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(file_write_whole(at("a"), "x", 1, 0600, NULL), 0);
	assert_int_equal(file_make_dirs(at("a"), 0700, &err), -1);
	assert_int_equal(err.code, ERR_IO);
	assert_non_null(strstr(err.text, "Not a directory"));
	assert_int_equal(file_make_dirs(at("a/b"), 0700, &err), -1);
	assert_int_equal(symlink("nowhere", at("dangling")), 0);
	assert_int_equal(file_make_dirs(at("dangling"), 0700, &err), -1);
	assert_int_equal(file_make_dirs("", 0700, &err), -1);
	assert_int_equal(err.code, ERR_IO);
}

static void a_tree_goes_without_following_links(void **state)
{
	(void)state;
	assert_int_equal(file_make_dirs(at("outside"), 0700, NULL), 0);
	assert_int_equal(file_write_whole(at("outside/kept"), "x", 1, 0600, NULL), 0);
	assert_int_equal(file_make_dirs(at("tree/a/b"), 0700, NULL), 0);
	assert_int_equal(file_write_whole(at("tree/a/file"), "x", 1, 0400, NULL), 0);
	assert_int_equal(symlink("../outside", at("tree/link")), 0);
	assert_int_equal(symlink("nowhere", at("tree/dangling")), 0);
	assert_int_equal(symlink("outside", at("top")), 0);
	assert_int_equal(file_remove_tree(at("tree"), NULL), 0);
	assert_false(file_exists(at("tree")));
	assert_int_equal(file_remove_tree(at("top"), NULL), 0);
	assert_int_equal(count_files(), 1);
	check_content("outside/kept", "x");
}

static void removing_what_is_not_there_is_fine(void **state)
{
	(void)state;
	assert_int_equal(file_remove_tree(at("none"), NULL), 0);
	assert_int_equal(file_write_whole(at("a"), "x", 1, 0600, NULL), 0);
	assert_int_equal(file_remove_tree(at("a/b"), NULL), 0);
	assert_int_equal(file_remove_tree(at("a"), NULL), 0);
	assert_int_equal(count_files(), 0);
}

static void the_first_line_is_cut_to_its_room(void **state)
{
	char line[8];

	(void)state;
	assert_int_equal(file_write_whole(at("a"), "performance\nx", 13, 0600, NULL), 0);
	assert_true(file_first_line(at("a"), line, sizeof(line)));
	assert_string_equal(line, "perform");
	assert_int_equal(file_write_whole(at("a"), "1\n2\n", 4, 0600, NULL), 0);
	assert_true(file_first_line(at("a"), line, sizeof(line)));
	assert_string_equal(line, "1");
	assert_int_equal(file_write_whole(at("a"), "", 0, 0600, NULL), 0);
	assert_true(file_first_line(at("a"), line, sizeof(line)));
	assert_string_equal(line, "");
	assert_false(file_first_line(folder, line, sizeof(line)));
}

static void temporary_files_of_days_ago_are_removed(void **state)
{
	static const struct timespec old[2] = { { 1, 0 }, { 1, 0 } };
	static const char *const names[] = { "a.tmp.Xy12zZ", "b.tmp.Xy12zZ", "c.tmp.long-name",
					     "d" };
	char *path;
	size_t i;

	(void)state;
	for (i = 0; i < 4; i++) {
		path = path_join(folder, names[i], NULL);
		assert_int_equal(0, file_write_new(path, "x", 1, 0600, NULL));
		if (i != 1) /* somebody may be writing that one */
			assert_int_equal(0, utimensat(AT_FDCWD, path, old, 0));
		free(path);
	}
	file_drop_left_overs(folder);
	for (i = 0; i < 4; i++) {
		path = path_join(folder, names[i], NULL);
		assert_int_equal(i != 0, file_exists(path));
		free(path);
	}
	path = path_join(folder, "absent", NULL);
	file_drop_left_overs(path);
	free(path);
}

static void a_full_device_has_its_own_code(void **state)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	struct err err = ERR_INIT;

	(void)state;
	if (fd < 0)
		skip();
	assert_int_equal(file_write_fd(fd, "/dev/full", "x", 1, &err), -1);
	assert_int_equal(err.code, ERR_FULL);
	close(fd);
}

#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)

/* Nobody would ever write to it, or read from it. */
static void a_pipe_of_somebody_is_not_waited_for(void **state)
{
	struct buf text = BUF_INIT;
	char hex[DIGEST_HEX];
	struct err err;

	(void)state;
	assert_int_equal(mkfifo(at("pipe"), 0600), 0);
	assert_int_equal(symlink("pipe", at("link")), 0);
	err = (struct err)ERR_INIT;
	assert_int_equal(file_read_whole(at("link"), 100, &text, &err), -1);
	assert_non_null(strstr(err.text, "it is a pipe"));
	assert_int_equal(digest_of_file(at("pipe"), hex, &err), -1);
	assert_int_equal(file_copy(at("pipe"), at("copy"), 0600, &err), -1);
	assert_false(file_exists(at("copy")));
	assert_int_equal(file_write_whole(at("link"), "one", 3, 0600, &err), 0);
	assert_int_equal(file_write_whole(at("pipe"), "two", 3, 0600, &err), 0);
	assert_int_equal(file_read_whole(at("pipe"), 100, &text, &err), 0);
	assert_int_equal(file_read_whole(at("link"), 100, &text, &err), 0);
	assert_string_equal(buf_str(&text), "twoone");
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(a_file_is_replaced_whole_with_its_mode),
		IN_FOLDER(a_failed_write_leaves_the_old_file_and_nothing_else),
		IN_FOLDER(a_folder_in_the_way_is_an_error_and_nothing_is_left),
		IN_FOLDER(a_link_is_replaced_not_followed),
		IN_FOLDER(a_new_file_is_made_only_where_there_is_none),
		IN_FOLDER(a_pipe_of_somebody_is_not_waited_for),
		IN_FOLDER(what_is_missing_is_absent),
		IN_FOLDER(a_read_that_fails_adds_nothing),
		IN_FOLDER(a_copy_has_the_bytes_and_its_own_mode),
		IN_FOLDER(folders_are_made_down_to_the_last),
		IN_FOLDER(a_file_is_no_folder),
		IN_FOLDER(a_tree_goes_without_following_links),
		IN_FOLDER(removing_what_is_not_there_is_fine),
		IN_FOLDER(the_first_line_is_cut_to_its_room),
		IN_FOLDER(temporary_files_of_days_ago_are_removed),
		cmocka_unit_test(a_full_device_has_its_own_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
