/*
 * child_fixture - runs tests/helpers/fixture as a child of the collector.
 */
#ifndef PAWL_TESTS_UNIT_COLLECTOR_CHILD_FIXTURE_H
#define PAWL_TESTS_UNIT_COLLECTOR_CHILD_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "collector/child/child.h"
#include "lib/base/file.h"
#include "lib/base/strv.h"

#define MS 1000000u
#define FIXTURE_WORDS 16

/* The folder of the build: $BUILD, which tests/run sets. */
static inline const char *build_dir(void)
{
	const char *dir = getenv("BUILD");

	return dir ? dir : "build/release";
}

/* Absolute path of a file of the build; free() it. */
static inline char *build_path(const char *name)
{
	struct buf path = BUF_INIT;
	char *absolute;

	buf_addf(&path, "%s/%s", build_dir(), name);
	absolute = realpath(buf_str(&path), NULL);
	if (!absolute)
		fail_msg("'%s' is not built", buf_str(&path));
	buf_release(&path);
	return absolute;
}

/* dir/name; four may be in use at a time. */
static inline const char *file_in(const char *dir, const char *name)
{
	static char paths[4][300];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", dir, name);
	return path;
}

static struct rig {
	char *exe;
	char *words[FIXTURE_WORDS + 1];
	char *env[4];
	struct child_spec spec;
	struct child child;
	struct child_result result;
	struct err err;
} rig;

static const struct child empty_child = CHILD_INIT;

static inline void rig_start(const char *mode, const char *first, const char *second)
{
	static char name[] = "fixture";

	rig.words[0] = name;
	rig.words[1] = (char *)(uintptr_t)mode;
	rig.words[2] = (char *)(uintptr_t)first;
	rig.words[3] = (char *)(uintptr_t)second;
	rig.words[4] = NULL;
	rig.spec = (struct child_spec){
		.exe = rig.exe, .argv = rig.words, .env = rig.env, .cpu = -1, .output_fd = -1
	};
	rig.child = empty_child;
	err_clear(&rig.err);
	memset(&rig.result, 0, sizeof(rig.result));
}

static inline int rig_run(void)
{
	return child_run(&rig.spec, &rig.child, &rig.result, &rig.err);
}

/* Runs the fixture and expects that it could be started. */
static inline void run_fixture(const char *mode, const char *first, const char *second)
{
	rig_start(mode, first, second);
	if (rig_run())
		fail_msg("child_run: %s", rig.err.text);
}

/* How it ended, in words; valid until the next call. */
static inline const char *explained(void)
{
	static struct buf text = BUF_INIT;

	buf_reset(&text);
	child_explain(&rig.child, &rig.result, rig.spec.timeout_ns, &text);
	return buf_str(&text);
}

static inline size_t count_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	size_t n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static inline void assert_no_children(void)
{
	assert_int_equal(-1, waitpid(-1, NULL, WNOHANG));
	assert_int_equal(ECHILD, errno);
}

static inline int rig_setup(void **state)
{
	(void)state;
	child_adopt_orphans();
	rig.exe = build_path("helpers/fixture");
	run_fixture("exit", "0", NULL); /* the first one opens what the others share */
	child_release(&rig.child);
	return 0;
}

static inline int rig_teardown(void **state)
{
	(void)state;
	free(rig.exe);
	return 0;
}

/* After each test: nothing may be left of the child. */
static inline int rig_release(void **state)
{
	(void)state;
	child_release(&rig.child);
	rig.child = empty_child;
	return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD ? 0 : -1;
}

#endif
