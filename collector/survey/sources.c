#include "collector/survey/sources.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "collector/survey/places.h"
#include "lib/base/buf.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define SOURCE_MAX_BYTES (1u << 20)
#define SCRIPTS_MOST 8
#define SCRIPT_DEPTH 3
#define OF_A_NAME "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

static bool read_source(const char *top, const char *path, struct buf *whole)
{
	struct buf name = BUF_INIT;
	bool is;

	buf_addf(&name, "%s/%s", top, path);
	is = !buf_check(&name, NULL) &&
	     !file_read_whole(buf_str(&name), SOURCE_MAX_BYTES, whole, NULL);
	buf_release(&name);
	return is;
}

bool source_holds(const char *top, const char *path, const char *text)
{
	struct buf whole = BUF_INIT;
	bool found = read_source(top, path, &whole) && strstr(buf_str(&whole), text);

	buf_release(&whole);
	return found;
}

/* ---- options of the build ------------------------------------------------------------------ */

/* A call "option(...)" that begins a line; *out_n the bytes of what is between the parentheses. */
static const char *next_option(const char *text, size_t *out_n)
{
	const char *at, *end;

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		at = text + strspn(text, " \t");
		if (strncasecmp(at, "option", 6) != 0)
			continue;
		at += 6;
		at += strspn(at, " \t");
		if (*at++ != '(')
			continue;
		for (end = at; *end && *end != ')';) {
			char quote = *end == '"' || *end == '\'' ? *end : '\0';

			end++;
			while (quote && *end && *end != quote)
				end++;
			end += quote && *end;
		}
		*out_n = (size_t)(end - at);
		return at;
	}
	return NULL;
}

static bool has_end(const char *name, size_t n, const char *end)
{
	size_t m = strlen(end);

	return n >= m && !strncasecmp(name + n - m, end, m);
}

/* As a word of its own, where it is short: a "LATEST" is no test. */
static bool has_word_end(const char *name, size_t n, const char *end)
{
	size_t m = strlen(end);

	return has_end(name, n, end) && (n == m || !isalnum((unsigned char)name[n - m - 1]));
}

/* Whether "on" would build that part: not what only changes how it is built. */
static bool switches(enum source_part part, const char *name, size_t n)
{
	static const char *const ends[PARTS][7] = {
		{ "bench", "benches", "benchmark", "benchmarks", "benchmarking", "perftests",
		  "perf_tests" },
		{ "test", "tests", "testing", "tests_enabled", "unittests" },
	};
	static const char *const denials[] = { "no", "disable", "without", "skip", "install" };
	bool is = false;
	size_t i, k;

	for (i = 0; i < sizeof(ends[0]) / sizeof(ends[0][0]) && ends[part][i]; i++)
		is = is || (part == PART_TESTS ? has_word_end : has_end)(name, n, ends[part][i]);
	for (i = 0; i < sizeof(denials) / sizeof(denials[0]); i++)
		for (k = 0; is && k + strlen(denials[i]) < n; k++)
			if ((!k || !isalnum((unsigned char)name[k - 1])) &&
			    !strncasecmp(name + k, denials[i], strlen(denials[i])))
				return false;
	return is;
}

/* NAME "what it does" [OFF] */
static void add_cmake(const char *args, size_t n, enum source_part part, struct buf *out)
{
	size_t lead = strspn(args, " \t\n"), name;

	args += lead;
	n -= lead;
	name = strspn(args, OF_A_NAME);
	while (n && isspace((unsigned char)args[n - 1]))
		n--;
	if (name && name < n && switches(part, args, name) &&
	    (args[n - 1] == '"' || has_end(args, n, "OFF") || has_end(args, n, "FALSE")))
		buf_addf(out, " -D%.*s=ON", (int)name, args);
}

static bool says(const char *args, size_t n, const char *word)
{
	return memmem(args, n, word, strlen(word)) != NULL;
}

/* 'name', type : 'boolean', value : false */
static void add_meson(const char *args, size_t n, enum source_part part, struct buf *out)
{
	size_t name;

	args += strspn(args, " \t\n");
	name = *args == '\'' ? strspn(args + 1, OF_A_NAME) : 0;
	if (!name || !switches(part, args + 1, name))
		return;
	if (says(args, n, "'boolean'") && says(args, n, "false"))
		buf_addf(out, " -D%.*s=true", (int)name, args + 1);
	else if (says(args, n, "'feature'") && !says(args, n, "'enabled'"))
		buf_addf(out, " -D%.*s=enabled", (int)name, args + 1);
}

static void add_options(const char *top, const char *path, enum source_part part,
			void (*add)(const char *, size_t, enum source_part, struct buf *),
			struct buf *out)
{
	struct buf whole = BUF_INIT;
	const char *at;
	size_t n;

	if (read_source(top, path, &whole))
		for (at = buf_str(&whole); (at = next_option(at, &n)); at += n)
			add(at, n, part, out);
	buf_release(&whole);
}

int source_options(const char *top, const struct strv *tracked, const char *folder, size_t n,
		   const char *what, enum source_part part, char **out, struct err *err)
{
	static const char *const files[] = { "CMakeLists.txt", "meson_options.txt",
					     "meson.options" };
	struct buf path = BUF_INIT, options = BUF_INIT;
	bool is_meson = !strcmp(what, "meson.build");
	int result;
	size_t i;

	for (i = is_meson; i < (is_meson ? 3u : 1u) && !strchr(what, '/'); i++) {
		buf_reset(&path);
		buf_addf(&path, "%.*s%s%s", (int)n, folder, n ? "/" : "", files[i]);
		if (!buf_check(&path, NULL) && strv_has(tracked, buf_str(&path)))
			add_options(top, buf_str(&path), part, is_meson ? add_meson : add_cmake,
				    &options);
	}
	result = buf_check(&options, err) || str_set(out, buf_str(&options), err) ? -1 : 0;
	buf_release(&path);
	buf_release(&options);
	return result;
}

/* ---- scripts ------------------------------------------------------------------------------- */

static bool is_executable(const char *top, const char *path)
{
	struct buf name = BUF_INIT;
	struct stat st;
	bool is;

	buf_addf(&name, "%s/%s", top, path);
	is = !buf_check(&name, NULL) && !lstat(buf_str(&name), &st) && S_ISREG(st.st_mode) &&
	     (st.st_mode & S_IXUSR);
	buf_release(&name);
	return is;
}

/* A module that others read is called so, too.  What a shell runs may fetch and build: no guess. */
static bool is_script(const char *path)
{
	const char *name = path_base(path);

	return has_end(path, strlen(path), ".py") && *name != '_' && !str_starts(name, "test_") &&
	       !place_is_of_results(path) && place_depth(path) <= SCRIPT_DEPTH &&
	       place_is_benchmark(path) && !place_is_foreign(path);
}

/* Python finds the project's own modules. */
static int add_words(const char *path, struct strv *command, struct err *err)
{
	return strv_add(command, "env", err) || strv_add(command, "PYTHONPATH=src:.", err) ||
			       strv_add(command, "python3", err) || strv_add(command, path, err)
		       ? -1
		       : 0;
}

/* What repeats by its clock takes as long however fast the code is. */
static int doubt_script(const char *top, const char *path, struct surveyed *b, struct err *err)
{
	/* Plots have an autorange, too: not Timer's, which is called. */
	static const struct {
		const char *name, *mark;
	} harnesses[] = { { "pyperf", "pyperf" },
			  { "timeit", ".autorange(" },
			  { "pytest-benchmark", "pytest_benchmark" } };
	struct buf text = BUF_INIT;
	size_t i;
	int result;

	for (i = 0; i < sizeof(harnesses) / sizeof(harnesses[0]); i++)
		if (source_holds(top, path, harnesses[i].mark))
			break;
	if (i == sizeof(harnesses) / sizeof(harnesses[0]))
		return 0;
	buf_addf(&text,
		 "%s repeats each benchmark until it has measured long enough, so the whole script "
		 "takes as long however fast its code is: name one that always does the same work",
		 harnesses[i].name);
	result = buf_check(&text, err) || str_set(&b->fault, buf_str(&text), err) ? -1 : 0;
	buf_release(&text);
	return result;
}

int source_scripts(const char *top, const struct strv *tracked, struct survey *s, struct err *err)
{
	size_t i, n = 0, before;

	for (i = 0; i < tracked->n && n < SCRIPTS_MOST; i++) {
		const char *path = tracked->v[i], *name = path_base(path);
		struct strv command = STRV_INIT;
		struct buf stem = BUF_INIT;
		int result;

		if (!is_script(path))
			continue;
		before = s->n;
		buf_add(&stem, name, strlen(name) - 3);
		result = buf_check(&stem, err) || add_words(path, &command, err) ||
			 survey_add(s, buf_str(&stem), &command, "command", "a script of that name",
				    err);
		if (!result && s->n > before)
			result = doubt_script(top, path, &s->v[before], err);
		buf_release(&stem);
		strv_release(&command);
		if (result)
			return -1;
		n++;
	}
	return 0;
}

/* Tests that unittest or pytest finds: the suite as a whole, as nobody knows which of them matter.
 */
int source_suites(const struct strv *tracked, struct survey *s, struct err *err)
{
	static const char *const suites[][3] = {
		{ "pytest", "-q", "-pno:cacheprovider" },
		{ "unittest", "discover", NULL },
	};
	const char *found = NULL;
	size_t i, k;

	for (i = 0; i < tracked->n && !found; i++)
		if (str_starts(path_base(tracked->v[i]), "test_") &&
		    str_ends(tracked->v[i], ".py") && !place_is_foreign(tracked->v[i]))
			found = tracked->v[i];
	for (i = 0; found && i < sizeof(suites) / sizeof(suites[0]); i++) {
		struct strv command = STRV_INIT;

		if (add_words("-m", &command, err)) {
			strv_release(&command);
			return -1;
		}
		for (k = 0; k < 3 && suites[i][k]; k++)
			if (strv_add(&command, suites[i][k], err)) {
				strv_release(&command);
				return -1;
			}
		if (survey_add_test(s, suites[i][0], &command, NULL, "the tests of Python", err))
			return -1;
	}
	return 0;
}

int source_programs(const char *top, const struct strv *tracked, struct survey *s, struct err *err)
{
	size_t i;

	for (i = 0; i < tracked->n && s->others.n < SURVEY_OTHERS; i++) {
		const char *path = tracked->v[i];

		if ((place_depth(path) && !str_below(path, "bin") && !place_is_benchmark(path) &&
		     (s->build || !place_is_test(path))) ||
		    *path == '.' || place_is_foreign(path) || !survey_can_write(path) ||
		    !is_executable(top, path))
			continue;
		s->are_scripts = true;
		if (strv_addf(&s->others, err, "%s%s", strchr(path, '/') ? "" : "./", path))
			return -1;
	}
	return 0;
}
