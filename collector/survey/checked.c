#include "collector/survey/checked.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collector/build/recipe.h"
#include "collector/survey/places.h"
#include "collector/survey/sources.h"
#include "lib/base/buf.h"

#include "lib/base/banned.h"

#define MOST 12 /* targets that are built */
#define MAKE " && make -j$(getconf _NPROCESSORS_ONLN)"

static const char *const targets[] = { "check", "test", "tests" };

/* What the first of the targets would start that starts something. */
static int list_programs(const char *dir, struct strv *out, struct err *err)
{
	size_t i;

	for (i = 0; i < sizeof(targets) / sizeof(targets[0]) && !out->n; i++)
		if (recipe_programs(dir, targets[i], out, err))
			return -1;
	return 0;
}

static const char *without_dot(const char *path)
{
	return str_starts(path, "./") ? path + 2 : path;
}

static bool is_program(const char *tree, const char *path)
{
	struct buf at = BUF_INIT;
	struct stat st;
	bool is;

	buf_addf(&at, "%s/%s", tree, path);
	is = !buf_check(&at, NULL) && !lstat(buf_str(&at), &st) && S_ISREG(st.st_mode) &&
	     (st.st_mode & S_IXUSR);
	buf_release(&at);
	return is;
}

/* Words that name files would do so from the folder: there a program with arguments is left out. */
static int add_line(struct survey *s, const char *tree, const char *folder,
		    const struct strv *tracked, const char *line, struct err *err)
{
	struct strv words = STRV_INIT, command = STRV_INIT;
	struct buf path = BUF_INIT;
	int result = -1;

	if (words_split(line, &words, NULL) || !words.n || (*folder && words.n > 1)) {
		result = 0;
		goto out;
	}
	buf_addf(&path, "%s%s%s", folder, *folder ? "/" : "", without_dot(words.v[0]));
	if (buf_check(&path, err))
		goto out;
	if (strv_has_sorted(tracked, buf_str(&path)) || !is_program(tree, buf_str(&path))) {
		result = 0;
		goto out;
	}
	if (strv_addf(&command, err, "%s%s", strchr(buf_str(&path), '/') ? "" : "./",
		      buf_str(&path)) ||
	    strv_add_all(&command, words.v + 1, err))
		goto out;
	result = survey_add_test(s, path_base(buf_str(&path)), &command, folder,
				 "run by 'make check'", err);
out:
	strv_release(&words);
	strv_release(&command);
	buf_release(&path);
	return result;
}

int checked_add(struct survey *s, const char *tree, const char *folder, const struct strv *tracked,
		struct err *err)
{
	struct strv lines = STRV_INIT;
	struct buf dir = BUF_INIT;
	int result = -1;
	size_t i;

	buf_addf(&dir, "%s%s%s", tree, *folder ? "/" : "", folder);
	if (buf_check(&dir, err) || list_programs(buf_str(&dir), &lines, err))
		goto out;
	for (i = 0; i < lines.n; i++)
		if (add_line(s, tree, folder, tracked, lines.v[i], err))
			goto out;
	result = 0;
out:
	strv_release(&lines);
	buf_release(&dir);
	return result;
}

/* ---- building them --------------------------------------------------------------------------- */

/* Automake builds what "check" would run, and with no TESTS it runs none. */
static bool has_check_programs(const char *tree, const struct strv *tracked)
{
	size_t i;

	for (i = 0; i < tracked->n; i++)
		if (!strcmp(path_base(tracked->v[i]), "Makefile.am") &&
		    !place_is_foreign(tracked->v[i]) &&
		    source_holds(tree, tracked->v[i], "check_PROGRAMS"))
			return true;
	return false;
}

/* Whether "check" does more than that: with whatever else it makes, nobody knows what it runs. */
static bool checks_more(const char *tree, const struct strv *tracked)
{
	static const char *const marks[] = { "check-local", "dejagnu", "\ncheck:", "\ncheck-am:" };
	size_t i, k;

	for (i = 0; i < tracked->n; i++)
		for (k = 0; !strcmp(path_base(tracked->v[i]), "Makefile.am") &&
			    k < sizeof(marks) / sizeof(marks[0]);
		     k++)
			if (source_holds(tree, tracked->v[i], marks[k]))
				return true;
	return false;
}

/* The targets of programs that are not there, and that only build. */
static int add_targets(const char *tree, const struct strv *tracked, struct buf *out,
		       struct err *err)
{
	struct strv lines = STRV_INIT, seen = STRV_INIT;
	int result = -1;
	size_t i;

	if (list_programs(tree, &lines, err))
		goto out;
	for (i = 0; i < lines.n && seen.n < MOST; i++) {
		size_t n = strcspn(without_dot(lines.v[i]), " \t");
		struct strv name = STRV_INIT;

		if (strv_addf(&name, err, "%.*s", (int)n, without_dot(lines.v[i])) ||
		    (!strv_has(&seen, name.v[0]) && !strv_has(tracked, name.v[0]) &&
		     !is_program(tree, name.v[0]) && recipe_builds(tree, name.v[0]) &&
		     strv_add(&seen, name.v[0], err))) {
			strv_release(&name);
			goto out;
		}
		strv_release(&name);
	}
	if (seen.n) {
		buf_addf(out, MAKE " ");
		words_quote(seen.v, out);
	}
	result = 0;
out:
	strv_release(&lines);
	strv_release(&seen);
	return result;
}

int checked_build(const char *tree, const struct strv *tracked, const char *build, char **out,
		  struct err *err)
{
	struct buf more = BUF_INIT;
	int result = -1;

	*out = NULL;
	if (str_starts(build, "cd ") || strstr(build, "cargo ") || strstr(build, "cmake "))
		return 0;
	if (strstr(build, "configure") && has_check_programs(tree, tracked) &&
	    !checks_more(tree, tracked))
		buf_adds(&more, MAKE " check TESTS=");
	else if (strstr(build, "make ") && add_targets(tree, tracked, &more, err))
		goto out;
	if (more.len) {
		struct buf text = BUF_INIT;

		buf_addf(&text, "%s%s", build, buf_str(&more));
		result = buf_check(&text, err) || str_set(out, buf_str(&text), err) ? -1 : 0;
		buf_release(&text);
		goto out;
	}
	result = buf_check(&more, err);
out:
	buf_release(&more);
	return result;
}
