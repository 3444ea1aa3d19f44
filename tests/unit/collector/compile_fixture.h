/*
 * compile_fixture - small programs and shared objects, compiled in a folder of the test.
 */
#ifndef PAWL_TESTS_UNIT_COLLECTOR_COMPILE_FIXTURE_H
#define PAWL_TESTS_UNIT_COLLECTOR_COMPILE_FIXTURE_H

#include "tests/unit/collector/child_fixture.h"

#include "lib/process/proc.h"

static char workshop[] = "/tmp/pawl-make.XXXXXX";
static bool has_compiler;

/* A path in the folder; valid until the fourth call from now. */
static inline const char *in_workshop(const char *name)
{
	static char paths[4][200];
	static int next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", workshop, name);
	return path;
}

/* Runs a line of shell in the folder; its exit status. */
static inline int shell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static inline int shell(const char *fmt, ...)
{
	static char sh[] = "sh", dash_c[] = "-c";
	struct buf line = BUF_INIT, errors = BUF_INIT;
	char *argv[] = { sh, dash_c, NULL, NULL };
	int status = -1;
	va_list ap;

	va_start(ap, fmt);
	buf_addv(&line, fmt, ap);
	va_end(ap);
	assert_int_equal(0, buf_check(&line, NULL));
	argv[2] = line.data;
	assert_int_equal(
		0, proc_capture(workshop, argv, 1 << 20, UINT64_MAX, NULL, &errors, &status, NULL));
	if (status)
		print_message("# %s: %s\n", buf_str(&line), buf_str(&errors));
	buf_release(&line);
	buf_release(&errors);
	return status;
}

static inline void write_source(const char *name, const char *text)
{
	assert_int_equal(0, file_write_whole(in_workshop(name), text, strlen(text), 0644, NULL));
}

/* Compiles with these words behind cc, or fails the test. */
#define COMPILE(...) compile_words("" __VA_ARGS__)
static inline void compile_words(const char *words)
{
	const char *cc = getenv("CC");

	if (shell("%s %s", cc ? cc : "cc", words))
		fail_msg("cannot compile: %s", words);
}

static inline void needs_compiler(void)
{
	if (has_compiler)
		return;
	print_message("# skipped: there is no C compiler\n");
	skip();
}

static inline int workshop_open(void **state)
{
	const char *cc = getenv("CC");

	if (rig_setup(state) || !mkdtemp(workshop))
		return -1;
	write_source("empty.c", "int main(void){return 0;}\n");
	has_compiler = !shell("%s -o empty empty.c", cc ? cc : "cc");
	return 0;
}

static inline int workshop_close(void **state)
{
	return rig_teardown(state) || file_remove_tree(workshop, NULL) ? -1 : 0;
}

#endif
