/* The executables that a build made, and what they are linked to. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/code/libtool.h"
#include "collector/survey/places.h"
#include "collector/survey/survey.h"
#include "lib/base/buf.h"

#include "lib/base/banned.h"

#define DEPTH_MOST 12
#define EXECUTABLE_MAX_BYTES (256l << 20)

struct scan {
	struct survey *s;
	const char *top;
	const struct strv *tracked; /* sorted */
};

/* By what the library leaves in a program, linked in or shared. */
static const struct {
	const char *text, *format, *found_by;
} marks[] = {
	{ "PAWL_TURNS", "pawl", "linked to libpawl" },
	{ "pawl_main", "pawl", "linked to libpawl" },
	{ "benchmark_list_tests", "google", "linked to google-benchmark" },
	{ "_ZN9benchmark10Initialize", "google", "linked to google-benchmark" },
	{ "--benchmark-samples", "catch2", "linked to Catch2" },
	{ "benchmark-no-analysis", "catch2", "linked to Catch2" },
};

static bool holds(const char *at, size_t n, const char *text)
{
	return memmem(at, n, text, strlen(text)) != NULL;
}

/* An ELF program, and which of the marks it bears: -1 none, -2 it is no program. */
static int classify(int fd, size_t n)
{
	const char *at = mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0);
	int found = -1;
	size_t i;

	if (at == MAP_FAILED)
		return -2;
	if (n < 64 || memcmp(at, "\177ELF", 4) != 0)
		found = -2;
	for (i = 0; found == -1 && i < sizeof(marks) / sizeof(marks[0]); i++)
		if (holds(at, n, marks[i].text))
			found = (int)i;
	munmap((void *)(uintptr_t)at, n);
	return found;
}

/* The same of a file: of a wrapper of libtool that of the program behind it. */
static int classify_file(const char *full)
{
	struct libtool lt = LIBTOOL_INIT;
	struct stat st;
	const char *path = full;
	int fd, mark = -2;

	if (!libtool_find(full, &lt, NULL) && lt.exe)
		path = lt.exe;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd >= 0 && !fstat(fd, &st) && st.st_size < EXECUTABLE_MAX_BYTES && st.st_size > 0)
		mark = classify(fd, (size_t)st.st_size);
	if (fd >= 0)
		close(fd);
	libtool_release(&lt);
	return mark;
}

/* Where the sources of a program lie: what it reads may lie there, too. */
static const char *source_folder(const struct scan *scan, const char *path, struct buf *out)
{
	const char *below = strchr(path, '/');
	struct stat st;
	int i;

	for (i = 0; i < 2; i++) {
		const char *from = i ? path : below ? below + 1 : "";
		const char *slash = strrchr(from, '/');

		buf_reset(out);
		buf_addf(out, "%s/%.*s", scan->top, slash ? (int)(slash - from) : 0, from);
		if (slash && !buf_check(out, NULL) && !stat(buf_str(out), &st) &&
		    S_ISDIR(st.st_mode))
			return buf_str(out) + strlen(scan->top) + 1;
	}
	return NULL;
}

/* One that is nothing known: it may be a test that runs by itself. */
static int add_other(const struct scan *scan, const char *path, const char *program,
		     struct err *err)
{
	struct strv command = STRV_INIT;
	struct buf dir = BUF_INIT;
	int result = 0;

	if (place_is_test(path))
		result = strv_add(&command, program, err) ||
			 survey_add_test(scan->s, path_base(path), &command,
					 source_folder(scan, path, &dir), "a test program", err);
	buf_release(&dir);
	if (result)
		return -1;
	return scan->s->others.n < SURVEY_OTHERS ? strv_add(&scan->s->others, program, err) : 0;
}

/* The benchmark that a build system named already; its format is known only now. */
static bool settle(struct survey *s, const char *path, const char *format)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (!strcmp(s->v[i].command.v[0], path)) {
			s->v[i].format = s->v[i].format ? s->v[i].format : format;
			return true;
		}
	return false;
}

static int look_at_file(const struct scan *scan, const char *path, const char *full,
			struct err *err)
{
	const char *name = strrchr(path, '/');
	struct strv command = STRV_INIT;
	struct buf program = BUF_INIT; /* without a slash it would be looked for in PATH */
	int mark = classify_file(full), result;

	buf_addf(&program, "%s%s", name ? "" : "./", path);
	name = name ? name + 1 : path;
	if (buf_check(&program, err))
		result = -1;
	else if (mark == -2 || strstr(name, ".so") ||
		 settle(scan->s, buf_str(&program), mark < 0 ? "command" : marks[mark].format))
		result = 0;
	else if (mark < 0 && !place_is_benchmark(path))
		result = add_other(scan, path, buf_str(&program), err);
	else if (strv_add(&command, buf_str(&program), err))
		result = -1;
	else
		result = survey_add(
			scan->s, name, &command, mark < 0 ? "command" : marks[mark].format,
			mark < 0 ? "named like a benchmark" : marks[mark].found_by, err);
	buf_release(&program);
	return result;
}

/* Folders of build systems that hold trial programs, or the same ones under other names. */
static bool is_left_out(const char *name)
{
	static const char *const names[] = { ".",
					     "..",
					     ".git",
					     "CMakeFiles",
					     "meson-private",
					     "meson-logs",
					     "autom4te.cache",
					     ".libs",
					     ".fingerprint",
					     "deps",
					     "incremental",
					     "node_modules" };

	return STR_IS_ONE_OF(name, names);
}

/* Cargo makes target/release/examples/NAME, and the same as NAME-16 digits. */
static bool is_twin(const char *path)
{
	const char *dash = strrchr(path_base(path), '-');

	return dash && strlen(dash) == 17 && strspn(dash + 1, "0123456789abcdef") == 16 &&
	       strstr(path, "target/release/examples/");
}

static int look_at_folder(const struct scan *scan, const char *path, int depth, struct err *err);

static int look_at_entry(const struct scan *scan, const char *path, int depth, struct err *err)
{
	struct buf full = BUF_INIT;
	struct stat st;
	int result = 0;

	if (!survey_can_write(path))
		return 0;
	buf_addf(&full, "%s/%s", scan->top, path);
	if (buf_check(&full, err))
		result = -1;
	else if (lstat(buf_str(&full), &st))
		result = 0;
	else if (S_ISDIR(st.st_mode))
		result = look_at_folder(scan, path, depth + 1, err);
	else if (S_ISREG(st.st_mode) && (st.st_mode & S_IXUSR) &&
		 !strv_has_sorted(scan->tracked, path) && !is_twin(path))
		result = look_at_file(scan, path, buf_str(&full), err);
	buf_release(&full);
	return result;
}

/* In the order of the names, so that the same tree gives the same file. */
static int look_at_folder(const struct scan *scan, const char *path, int depth, struct err *err)
{
	struct strv names = STRV_INIT;
	struct buf at = BUF_INIT;
	struct dirent *e;
	DIR *d = NULL;
	int result = -1;
	size_t i;

	buf_addf(&at, "%s%s%s", scan->top, *path ? "/" : "", path);
	if (buf_check(&at, err))
		goto out;
	if (depth <= DEPTH_MOST)
		d = opendir(buf_str(&at));
	while (d && (e = readdir(d)))
		if (!is_left_out(e->d_name) &&
		    strv_addf(&names, err, "%s%s%s", path, *path ? "/" : "", e->d_name))
			goto out;
	strv_sort(&names);
	for (i = 0; i < names.n; i++)
		if (look_at_entry(scan, names.v[i], depth, err))
			goto out;
	result = 0;
out:
	if (d)
		closedir(d);
	strv_release(&names);
	buf_release(&at);
	return result;
}

int survey_scan(struct survey *s, const char *top, struct strv *tracked, struct err *err)
{
	const struct scan scan = { s, top, tracked };
	size_t i;

	strv_sort(tracked);
	if (look_at_folder(&scan, "", 0, err))
		return -1;
	for (i = 0; i < s->n; i++)
		if (!s->v[i].format)
			s->v[i].format = "command";
	return 0;
}
