/* What CTest and Meson tell of the benchmarks of a built tree. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "collector/survey/survey.h"
#include "lib/base/file.h"
#include "lib/process/proc.h"
#include "lib/json/jtree.h"

#include "lib/base/banned.h"

#define ANSWER_MAX_BYTES (16u << 20)
#define TIMEOUT_NS 60000000000ull
#define DEPTH 32

/* The folders into which people, and build_detect(), build. */
static const char *const folders[] = { "build", "builddir", "_build", "." };

/* A path inside the tree becomes relative to its top; true where it is there. */
static bool make_relative(const char *top, const char *word, const char **out)
{
	size_t n = strlen(top);

	*out = word;
	if (strncmp(word, top, n) != 0 || word[n] != '/')
		return false;
	*out = word + n + 1;
	return true;
}

/* An array of words as a command, in which paths of the tree are relative to its top. */
static int take_command(const char *top, const struct jtree *words, struct strv *out,
			struct err *err)
{
	const struct jtree *item, *first = jtree_first(words);
	bool inside;

	for (item = first; item; item = jtree_after(words, item)) {
		const char *word = jtree_text(item);

		if (!word)
			return 1;
		/* A program without a slash would be looked for in PATH. */
		inside = make_relative(top, word, &word);
		if (strv_addf(out, err, "%s%s",
			      inside && item == first && !strchr(word, '/') ? "./" : "", word))
			return -1;
	}
	/* As pawl_add_benchmark() of pawl's CMake package runs it as a test: no part of the
	 * benchmark. */
	if (out->n > 2 && !strcmp(out->v[out->n - 2], "--min-time"))
		strv_cut(out, out->n - 2);
	return out->n ? 0 : 1;
}

/* Of a test: one that only a program of this machine runs, such as a script of CMake, is left out.
 */
static int add(struct survey *s, const char *top, const char *name, const struct jtree *words,
	       const char *dir, const char *found_by, bool is_test, struct err *err)
{
	struct strv command = STRV_INIT;
	int result = name ? take_command(top, words, &command, err) : 1;

	/* What it is linked to says which format; the scan has not been there yet. */
	if (!result && !is_test)
		result = survey_add(s, name, &command, NULL, found_by, err);
	else if (!result && *command.v[0] != '/' && strchr(command.v[0], '/'))
		result = survey_add_test(s, name, &command,
					 dir && make_relative(top, dir, &dir) ? dir : NULL,
					 found_by, err);
	strv_release(&command);
	return result < 0 ? -1 : 0;
}

/* ---- CTest ---------------------------------------------------------------------------------- */

static bool is_benchmark_label(const char *label)
{
	static const char *const labels[] = { "benchmark", "benchmarks", "bench", "perf",
					      "performance" };
	size_t i;

	for (i = 0; label && i < sizeof(labels) / sizeof(labels[0]); i++)
		if (!strcasecmp(label, labels[i]))
			return true;
	return false;
}

/* The value of a property of a test; NULL: it has none. */
static const struct jtree *property(const struct jtree *test, const char *wanted)
{
	const struct jtree *properties = jtree_get(test, "properties"), *p;

	for (p = jtree_first(properties); p; p = jtree_after(properties, p)) {
		const char *name = jtree_text(jtree_get(p, "name"));

		if (name && !strcmp(name, wanted))
			return jtree_get(p, "value");
	}
	return NULL;
}

/* Whether the property LABELS of a test says that it is one. */
static bool is_benchmark(const struct jtree *test)
{
	const struct jtree *labels = property(test, "LABELS"), *label;

	for (label = jtree_first(labels); label; label = jtree_after(labels, label))
		if (is_benchmark_label(jtree_text(label)))
			return true;
	return false;
}

static int ask_ctest(struct survey *s, const char *top, const char *dir, struct err *err)
{
	char *const argv[] = { (char[]){ "ctest" }, (char[]){ "--show-only=json-v1" }, NULL };
	struct buf text = BUF_INIT;
	struct jtree *answer = NULL;
	const struct jtree *tests, *test;
	int status = 1, result = 0;

	if (proc_capture(dir, argv, ANSWER_MAX_BYTES, TIMEOUT_NS, &text, NULL, &status, NULL) ||
	    status)
		goto out; /* no ctest, or one that is too old: the scan goes on */
	answer = jtree_parse(text.data, text.len, ANSWER_MAX_BYTES, DEPTH, NULL);
	tests = jtree_get(answer, "tests");
	for (test = jtree_first(tests); test && !result; test = jtree_after(tests, test)) {
		bool is = is_benchmark(test);
		const char *in = jtree_text(property(test, "WORKING_DIRECTORY"));

		result =
			add(s, top, jtree_text(jtree_get(test, "name")), jtree_get(test, "command"),
			    in, is ? "a label of CTest" : "a test of CTest", !is, err);
	}
out:
	jtree_free(answer);
	buf_release(&text);
	return result;
}

/* ---- Meson ---------------------------------------------------------------------------------- */

static int ask_meson(struct survey *s, const char *top, const char *path, bool is_test,
		     struct err *err)
{
	struct buf text = BUF_INIT;
	const struct jtree *b;
	struct jtree *all = NULL;
	int result = 0;

	if (!file_read_whole(path, ANSWER_MAX_BYTES, &text, NULL))
		all = jtree_parse(text.data, text.len, ANSWER_MAX_BYTES, DEPTH, NULL);
	for (b = jtree_first(all); b && !result; b = jtree_after(all, b))
		result = add(s, top, jtree_text(jtree_get(b, "name")), jtree_get(b, "cmd"),
			     jtree_text(jtree_get(b, "workdir")),
			     is_test ? "a test of Meson" : "benchmark() of Meson", is_test, err);
	jtree_free(all);
	buf_release(&text);
	return result;
}

int survey_ask_tools(struct survey *s, const char *top, const char *folder, struct err *err)
{
	struct buf dir = BUF_INIT, file = BUF_INIT;
	int result = 0;
	size_t i, k;

	for (i = 0; i < sizeof(folders) / sizeof(folders[0]) && !result; i++) {
		buf_reset(&dir);
		buf_addf(&dir, "%s/%s%s%s", top, folder, *folder ? "/" : "", folders[i]);
		buf_reset(&file);
		buf_addf(&file, "%s/CTestTestfile.cmake", buf_str(&dir));
		if (!buf_check(&file, NULL) && file_exists(buf_str(&file)))
			result = ask_ctest(s, top, buf_str(&dir), err);
		for (k = 0; k < 2 && !result; k++) {
			buf_reset(&file);
			buf_addf(&file, "%s/meson-info/intro-%s.json", buf_str(&dir),
				 k ? "tests" : "benchmarks");
			if (!buf_check(&file, NULL) && file_exists(buf_str(&file)))
				result = ask_meson(s, top, buf_str(&file), k == 1, err);
		}
	}
	buf_release(&dir);
	buf_release(&file);
	return result;
}
