#include "collector/survey/builds.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/build/detect.h"
#include "collector/build/recipe.h"
#include "collector/survey/places.h"
#include "collector/survey/sources.h"
#include "lib/base/buf.h"

#include "lib/base/banned.h"

#define MOST 24
#define DEPTH_MOST 2
#define CARGO "cargo build --release"
#define MAKE "make -j$(getconf _NPROCESSORS_ONLN)"

void builds_release(struct builds *b)
{
	size_t i;

	for (i = 0; i < b->n; i++) {
		free(b->v[i].command);
		free(b->v[i].folder);
	}
	free(b->v);
	*b = (struct builds)BUILDS_INIT;
}

/* n bytes of folder. */
static int add(struct builds *b, const char *command, const char *folder, size_t n,
	       enum build_when when, struct err *err)
{
	struct build_way w = { NULL, NULL, when, false };
	struct strv dir = STRV_INIT;
	struct buf text = BUF_INIT;
	int result = -1;

	if (!b->v && !(b->v = calloc(MOST, sizeof(*b->v))))
		return err_nomem(err);
	if (b->n == MOST)
		return 0;
	if (strv_addf(&dir, err, "%.*s", (int)n, folder))
		goto out;
	if (n) {
		buf_adds(&text, "cd ");
		words_quote(dir.v, &text);
		buf_adds(&text, " && ");
	}
	buf_adds(&text, command);
	if (buf_check(&text, err) || str_set(&w.command, buf_str(&text), err) ||
	    str_set(&w.folder, dir.v[0], err)) {
		free(w.command);
		goto out;
	}
	b->v[b->n++] = w;
	result = 0;
out:
	strv_release(&dir);
	buf_release(&text);
	return result;
}

/* With the options put into the first step of the command; nothing where there are none. */
static int add_with(struct builds *b, const char *command, const char *options, const char *folder,
		    size_t n, enum build_when when, struct err *err)
{
	const char *end = strstr(command, " && ");
	struct buf text = BUF_INIT;
	int result = 0;

	if (*options && end) {
		buf_addf(&text, "%.*s%s%s", (int)(end - command), command, options, end);
		result = buf_check(&text, err) || add(b, buf_str(&text), folder, n, when, err);
	}
	buf_release(&text);
	return result ? -1 : 0;
}

/* The last step of "make && make bench" alone: where the rest does not build, benchmarks may. */
static int add_last(struct builds *b, const char *command, const char *folder, size_t n,
		    enum build_when when, struct err *err)
{
	static const char first[] = MAKE " && ";

	if (!str_starts(command, first) || strstr(command + sizeof(first) - 1, " && "))
		return 0;
	return add(b, command + sizeof(first) - 1, folder, n, when, err);
}

/*
 * With its options for benchmarks, as it is, and with those for tests: where a library is all that
 * is made, its tests are the only programs that use it.
 */
static int add_all(struct builds *b, const char *command, char *const options[PARTS],
		   const char *folder, size_t n, enum build_when when, struct err *err)
{
	const char *of_benchmarks = options[PART_BENCHMARKS], *of_tests = options[PART_TESTS];

	if (add_with(b, command, of_benchmarks, folder, n, BUILD_FOR_BENCHMARKS, err) ||
	    add(b, command, folder, n, when, err) || add_last(b, command, folder, n, when, err) ||
	    add_with(b, command, of_tests, folder, n, when == BUILD_ALWAYS ? BUILD_FOR_TESTS : when,
		     err))
		return -1;
	return 0;
}

static int options_of(const char *top, const struct strv *tracked, const char *folder, size_t n,
		      const char *what, char *out[PARTS], struct err *err)
{
	int result = 0, part;

	for (part = 0; !result && part < PARTS; part++)
		result = source_options(top, tracked, folder, n, what, (enum source_part)part,
					&out[part], err);
	return result;
}

/* A letter of the build system: all descriptions of one make the same. */
static char system_of(const char *what)
{
	return strstr(what, "akefile")		 ? 'm'
	       : !strcmp(what, "CMakeLists.txt") ? 'c'
	       : !strcmp(what, "meson.build")	 ? 'n'
						 : 'a';
}

/* Whether one of the folder's descriptions for Meson has a benchmark(). */
static bool meson_has_benchmark(const char *top, const struct strv *tracked, const char *folder,
				size_t n)
{
	size_t i;

	for (i = 0; i < tracked->n; i++) {
		const char *path = tracked->v[i];

		if (!strcmp(path_base(path), "meson.build") && !strncmp(path, folder, n) &&
		    (!n || path[n] == '/') && !place_is_foreign(path) &&
		    source_holds(top, path, "benchmark("))
			return true;
	}
	return false;
}

static bool is_configure_here(const char *dir)
{
	struct buf path = BUF_INIT;
	bool is;

	buf_addf(&path, "%s/configure", dir);
	is = !buf_check(&path, NULL) && !access(buf_str(&path), X_OK);
	buf_release(&path);
	return is;
}

/*
 * All descriptions of one folder.  A Makefile beside ./configure may be there to ask for that, and
 * one build system may make only a library where the next one makes programs, too.  A Makefile
 * beside Go's or Cargo's description may do anything, such as start containers: it must only build.
 * A folder's description for a system of the top is a part of that one.
 */
static int add_folder(struct builds *b, const char *top, const struct strv *tracked,
		      const char *folder, size_t n, struct err *err)
{
	struct buf dir = BUF_INIT;
	struct err fault = ERR_INIT;
	char systems[8] = ""; /* that came before, each once */
	int result = 0, part;
	size_t nth;

	buf_addf(&dir, "%s%s%.*s", top, n ? "/" : "", (int)n, folder);
	result = buf_check(&dir, err);
	for (nth = 0; !result; nth++) {
		char *command = NULL, *what = NULL, *options[PARTS] = { NULL };
		enum build_when when = *b->systems ? BUILD_FOR_PROGRAMS : BUILD_ALWAYS;

		if (build_detect_nth(buf_str(&dir), nth, &command, &what, &fault))
			break;
		if ((!nth || strcmp(what, "configure") != 0 || is_configure_here(buf_str(&dir))) &&
		    !strchr(systems, system_of(what))) {
			if (nth)
				when = BUILD_FOR_PROGRAMS;
			if (nth && system_of(what) == 'n' &&
			    meson_has_benchmark(top, tracked, folder, n))
				when = BUILD_FOR_BENCHMARKS;
			systems[strlen(systems)] = system_of(what);
		}
		if (strcmp(what, "Cargo.toml") != 0 && !strchr(b->systems, system_of(what)) &&
		    (!b->n || !str_starts(command, "make ") || recipe_builds(buf_str(&dir), NULL)))
			result = options_of(top, tracked, folder, n, what, options, err) ||
				 add_all(b, command, options, folder, n, when, err);
		free(command);
		free(what);
		for (part = 0; part < PARTS; part++)
			free(options[part]);
	}
	if (!n)
		memcpy(b->systems, systems, sizeof(systems));
	buf_release(&dir);
	if (!result && fault.code && fault.code != ERR_ABSENT) {
		*err = fault;
		return -1;
	}
	return result ? -1 : 0;
}

static int add_go(struct builds *b, const struct go_packages *go, struct err *err)
{
	char *command = NULL;
	int result;

	if (!go->n)
		return 0;
	result = go_packages_build(go, " && ", NULL, &command, err) ||
		 add(b, command, "", 0, BUILD_FOR_BENCHMARKS, err);
	if (!result)
		b->v[b->n - 1].is_go = true;
	free(command);
	return result ? -1 : 0;
}

/* Whether Cargo's folder, n bytes of path, has programs that show how a library is used. */
static bool has_examples(const struct strv *tracked, size_t n, const char *path)
{
	size_t i;

	for (i = 0; i < tracked->n; i++)
		if (!strncmp(tracked->v[i], path, n) &&
		    str_starts(tracked->v[i] + n, n ? "/examples/" : "examples/"))
			return true;
	return false;
}

/* Criterion's benchmarks are built, too, so that they are not while they are measured. */
static int add_cargo(struct builds *b, const char *top, const struct strv *tracked,
		     const char *path, struct err *err)
{
	size_t n = place_folder(path);

	if (source_holds(top, path, "criterion") &&
	    add(b, CARGO " && cargo bench --no-run", path, n, BUILD_FOR_BENCHMARKS, err))
		return -1;
	return add(b, CARGO, path, n, BUILD_ALWAYS, err) ||
			       (has_examples(tracked, n, path) &&
				add(b, CARGO " --examples", path, n, BUILD_FOR_TESTS, err))
		       ? -1
		       : 0;
}

/* ---- folders within ------------------------------------------------------------------------ */

static bool is_description(const char *name)
{
	static const char *const names[] = { "GNUmakefile",    "makefile",     "Makefile",
					     "CMakeLists.txt", "meson.build",  "configure",
					     "autogen.sh",     "configure.ac", "Cargo.toml" };

	return STR_IS_ONE_OF(name, names);
}

/* How far from what would be built first; SIZE_MAX: never. */
static size_t distance(const char *path)
{
	size_t depth = place_depth(path);

	if (!depth || depth > DEPTH_MOST || !is_description(path_base(path)) ||
	    place_is_foreign(path) || !survey_can_write(path))
		return SIZE_MAX;
	return depth + (place_is_aside(path) ? DEPTH_MOST : 0);
}

static bool is_listed(const struct builds *b, const char *path)
{
	size_t i, n = place_folder(path);

	for (i = 0; i < b->n; i++)
		if (strlen(b->v[i].folder) == n && !memcmp(b->v[i].folder, path, n))
			return true;
	return false;
}

/* The nearest first; of one distance in the order of their names. */
static int add_below(struct builds *b, const char *top, const struct strv *tracked, struct err *err)
{
	size_t want, i, n = 0;

	for (want = 1; want <= 2 * DEPTH_MOST; want++)
		for (i = 0; i < tracked->n && n < BUILDS_BELOW; i++) {
			const char *path = tracked->v[i];
			size_t before = b->n;
			bool is_cargo = !strcmp(path_base(path), "Cargo.toml");

			if (distance(path) != want || is_listed(b, path) ||
			    (is_cargo && *b->systems))
				continue;
			if (is_cargo ? add_cargo(b, top, tracked, path, err)
				     : add_folder(b, top, tracked, path, place_folder(path), err))
				return -1;
			n += b->n > before;
		}
	return 0;
}

int builds_list(const char *top, const struct strv *tracked, const struct go_packages *go,
		struct builds *out, struct err *err)
{
	if ((go->has_top && add_go(out, go, err)) ||
	    (strv_has(tracked, "Cargo.toml") && add_cargo(out, top, tracked, "Cargo.toml", err)) ||
	    add_folder(out, top, tracked, "", 0, err))
		return -1;
	if ((!out->n || *out->systems) && add_below(out, top, tracked, err))
		return -1;
	return go->has_top ? 0 : add_go(out, go, err);
}

/* ---- a folder of benchmarks ------------------------------------------------------------------ */

int builds_add_folder(const char *tree, const struct strv *tracked, const char *build, char **out,
		      struct err *err)
{
	size_t i;

	*out = NULL;
	for (i = 0; i < tracked->n && !*out; i++) {
		const char *path = tracked->v[i], *name = path_base(path);
		struct strv dir = STRV_INIT;
		struct buf at = BUF_INIT, text = BUF_INIT;
		int result;

		if (place_depth(path) < 1 || place_depth(path) > DEPTH_MOST ||
		    (strcmp(name, "Makefile") != 0 && strcmp(name, "GNUmakefile") != 0 &&
		     strcmp(name, "makefile") != 0) ||
		    !place_is_benchmark(path) || place_is_foreign(path) || !survey_can_write(path))
			continue;
		result = strv_addf(&dir, err, "%.*s", (int)place_folder(path), path);
		if (!result) {
			buf_addf(&at, "%s/%s", tree, dir.v[0]);
			buf_addf(&text, "%s && " MAKE " -C ", build);
			words_quote(dir.v, &text);
			result = buf_check(&at, err) || buf_check(&text, err);
		}
		if (!result && recipe_builds(buf_str(&at), NULL))
			result = str_set(out, buf_str(&text), err);
		strv_release(&dir);
		buf_release(&at);
		buf_release(&text);
		if (result)
			return -1;
	}
	return 0;
}
