/*
 * test_git_fixture - real repositories in a scratch folder, made with the git command line.
 *
 * Nothing of the machine's own git set-up takes part: HOME is inside the scratch folder.
 */
#ifndef PAWL_TESTS_GIT_FIXTURE_H
#define PAWL_TESTS_GIT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/base/file.h"
#include "lib/process/proc.h"
#include "lib/base/strv.h"

#define FIXTURE_PATH 4096

/* The author's and the committer's time of every commit made here. */
#define FIXTURE_AUTHOR_US INT64_C(1700000000000000)
#define FIXTURE_COMMIT_US INT64_C(1700000100000000)

static char fixture_root[FIXTURE_PATH];

/* Absolute name of a path below the scratch folder; four may be in use at a time. */
__attribute__((unused, format(printf, 1, 2))) static const char *at(const char *fmt, ...)
{
	static char slot[4][FIXTURE_PATH * 2];
	static unsigned next;
	char tail[FIXTURE_PATH];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(tail, sizeof(tail), fmt, ap);
	va_end(ap);
	next = (next + 1) % 4;
	snprintf(slot[next], sizeof(slot[next]), "%s/%s", fixture_root, tail);
	return slot[next];
}

/* Runs words (ended by NULL) in a folder below the scratch folder; the status. */
__attribute__((unused, sentinel)) static int try_run(const char *dir, ...)
{
	struct strv argv = STRV_INIT;
	struct buf talk = BUF_INIT;
	struct err err = ERR_INIT;
	const char *word;
	int status = -1;
	va_list ap;

	va_start(ap, dir);
	while ((word = va_arg(ap, const char *)))
		assert_int_equal(strv_add(&argv, word, &err), 0);
	va_end(ap);
	if (proc_capture(at("%s", dir), argv.v, 1 << 20, UINT64_C(60000000000), NULL, &talk,
			 &status, &err))
		fail_msg("%s", err.text);
	if (status)
		print_message("# %s %s: status %d: %s\n", argv.v[0], argv.v[1], status,
			      buf_str(&talk));
	buf_release(&talk);
	strv_release(&argv);
	return status;
}

#define run(...) assert_int_equal(try_run(__VA_ARGS__, NULL), 0)

/* What `git ...` prints in a folder, without the line end; free() it. */
__attribute__((unused, sentinel)) static char *git_says(const char *dir, ...)
{
	struct strv argv = STRV_INIT;
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;
	const char *word;
	int status;
	va_list ap;

	assert_int_equal(strv_add(&argv, "git", &err), 0);
	va_start(ap, dir);
	while ((word = va_arg(ap, const char *)))
		assert_int_equal(strv_add(&argv, word, &err), 0);
	va_end(ap);
	assert_int_equal(proc_capture(at("%s", dir), argv.v, 1 << 20, UINT64_C(60000000000), &out,
				      NULL, &status, &err),
			 0);
	assert_int_equal(status, 0);
	strv_release(&argv);
	while (out.len && out.data[out.len - 1] == '\n')
		buf_truncate(&out, out.len - 1);
	buf_addc(&out, '\0');
	return buf_detach(&out);
}

__attribute__((unused)) static void put(const char *path, const char *text)
{
	struct err err = ERR_INIT;

	if (file_write_whole(path, text, strlen(text), 0644, &err))
		fail_msg("%s", err.text);
}

/* A commit that sets file f of a repository to text. */
__attribute__((unused)) static void commit(const char *dir, const char *text, const char *message)
{
	put(at("%s/f", dir), text);
	run(dir, "git", "add", "f");
	run(dir, "git", "commit", "-qm", message);
}

/* A repository with the commits "one", "two", "three" on branch main: a copy of the first such. */
__attribute__((unused)) static void make_repo(const char *dir)
{
	static const char first[] = "first-repository";

	if (!file_exists(at("%s", first))) {
		run(".", "git", "init", "-q", first);
		commit(first, "1\n", "one");
		commit(first, "2\n", "two");
		commit(first, "3\n", "three");
	}
	run(".", "cp", "-RpT", first, dir);
}

static void clear_git_environment(void)
{
	static const char *const names[] = { "GIT_DIR",		  "GIT_WORK_TREE",
					     "GIT_INDEX_FILE",	  "GIT_COMMON_DIR",
					     "GIT_CONFIG_COUNT",  "GIT_CONFIG_PARAMETERS",
					     "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM",
					     "GIT_PREFIX",	  "GIT_OBJECT_DIRECTORY",
					     "XDG_CONFIG_HOME" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
}

/* Group or test set-up: a fresh scratch folder and home. */
__attribute__((unused)) static int fixture_begin(void **state)
{
	const char *tmp = getenv("TMPDIR");
	char made[FIXTURE_PATH];

	(void)state;
	snprintf(made, sizeof(made), "%s/pawl-git.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(made) || !realpath(made, fixture_root))
		return -1;
	clear_git_environment();
	setenv("HOME", at("home"), 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CEILING_DIRECTORIES", fixture_root, 1);
	setenv("GIT_AUTHOR_DATE", "1700000000 +0530", 1);
	setenv("GIT_COMMITTER_DATE", "1700000100 -0800", 1);
	run(".", "mkdir", "home");
	put(at("home/.gitconfig"), "[user]\n\tname = Test\n\temail = test@pawl.invalid\n"
				   "[init]\n\tdefaultBranch = main\n"
				   "[maintenance]\n\tauto = false\n"
				   "[protocol \"file\"]\n\tallow = always\n");
	return 0;
}

__attribute__((unused)) static int fixture_end(void **state)
{
	(void)state;
	clear_git_environment();
	return file_remove_tree(fixture_root, NULL);
}

#endif
