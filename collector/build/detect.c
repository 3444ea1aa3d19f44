#include "collector/build/detect.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/build/recipe.h"
#include "lib/base/buf.h"
#include "lib/base/file.h"
#include "lib/base/strv.h"

#include "lib/base/banned.h"

#define JOBS "-j$(getconf _NPROCESSORS_ONLN)"
#define MAKEFILE_MAX (1u << 20)
#define PAWL_MK_TARGET "bench-programs"

/*
 * In order of preference.  The number of processors is that of whoever runs it.  The build types
 * are those a program is shipped with; the search path of shared objects is relative, so that it
 * does not hold the folder of the build.  Debug information is not loaded and costs nothing, but
 * tells `pawl why` the lines.  autogen.sh often runs configure itself unless it is told not to.
 */
static const struct method {
	const char *file, *command;
	bool is_make;
} methods[] = {
	{ "GNUmakefile", "make " JOBS, true },
	{ "makefile", "make " JOBS, true },
	{ "Makefile", "make " JOBS, true },
	{ "CMakeLists.txt",
	  "CFLAGS=\"-g $CFLAGS\" CXXFLAGS=\"-g $CXXFLAGS\" cmake -S . -B build "
	  "-DCMAKE_BUILD_TYPE=Release -DCMAKE_BUILD_RPATH_USE_ORIGIN=ON && "
	  "cmake --build build " JOBS,
	  false },
	{ "meson.build",
	  "meson setup build --buildtype=release -Ddebug=true && "
	  "meson compile -C build " JOBS,
	  false },
	{ "configure", "sh ./configure && make " JOBS, false },
	{ "autogen.sh",
	  "chmod +x autogen.sh && NOCONFIGURE=1 ./autogen.sh && ./configure && "
	  "make " JOBS,
	  false },
	{ "configure.ac", "autoreconf -fi && ./configure && make " JOBS, false },
	{ "Cargo.toml", "cargo build --release", false },
};
#define N_METHODS (sizeof(methods) / sizeof(methods[0]))

/* Whether it is there and can be read. */
static bool has(const char *top, const char *file)
{
	struct buf path = BUF_INIT;
	bool is;

	buf_addf(&path, "%s/%s", top, file);
	is = !buf_check(&path, NULL) && !access(buf_str(&path), R_OK);
	buf_release(&path);
	return is;
}

/* Whether a line of the Makefile is a rule, so that there is a default target. */
static bool has_rule(const char *text)
{
	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		size_t n = strcspn(text, ":=#\n");

		if (n && text[n] == ':' && !strchr("\t.", *text) && text[n + 1] != '=' &&
		    strncmp(text + n, "::=", 3) != 0)
			return true;
	}
	return false;
}

/* Whether the name is one of the words of text[0..n). */
static bool has_word(const char *text, size_t n, const char *name)
{
	size_t length;

	for (; n; text += length, n -= length) {
		for (length = 0; length < n && strchr(" \t\r", text[length]);)
			length++;
		text += length;
		n -= length;
		for (length = 0; length < n && !strchr(" \t\r", text[length]);)
			length++;
		if (length == strlen(name) && !memcmp(text, name, length))
			return true;
	}
	return false;
}

/* Whether a line of a Makefile is a rule for that target, or gives a variable that name. */
static bool line_names(const char *line, const char *target)
{
	size_t n = strcspn(line, ":=#\n");
	const char *value;

	if (*line == '\t')
		return false;
	if (line[n] == ':' && line[n + 1] != '=' && strncmp(line + n, "::=", 3) != 0)
		return has_word(line, n, target);
	value = line + n + strspn(line + n, ":=");
	value += strspn(value, " \t");
	return value > line + n && value[-1] != '\n' && str_starts(value, target) &&
	       strchr("\r\n", value[strlen(target)]);
}

/*
 * The name of a target that builds benchmarks, as projects call it; NULL: none.  *out_alone: the
 * default target is none of the project's.
 */
static const char *bench_target(const char *top, const char *file, bool *out_alone)
{
	static const char *const names[] = { "bench", "benchmarks", "benchmark", "benches" };
	struct buf path = BUF_INIT, text = BUF_INIT;
	const char *found = NULL, *line;
	size_t i;

	buf_addf(&path, "%s/%s", top, file);
	if (buf_check(&path, NULL) || file_read_whole(buf_str(&path), MAKEFILE_MAX, &text, NULL))
		goto out;
	if (strstr(buf_str(&text), "PAWL_BENCHMARKS")) {
		found = PAWL_MK_TARGET;
		*out_alone = !has_rule(buf_str(&text));
	}
	for (line = buf_str(&text); line && !found; line = strchr(line, '\n')) {
		line += *line == '\n';
		for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (line_names(line, names[i]))
				found = names[i];
	}
out:
	buf_release(&path);
	buf_release(&text);
	return found;
}

/*
 * After the default target, so that both are there, whichever makes the benchmark.  A target that
 * may also run them is left out; that of integrations/pawl.mk is known to build only.
 */
static int add_bench(const char *top, const struct method *m, char **command, struct err *err)
{
	bool alone = false;
	const char *target = m->is_make ? bench_target(top, m->file, &alone) : NULL;
	struct buf text = BUF_INIT;
	int result = -1;

	if (!target || (strcmp(target, PAWL_MK_TARGET) != 0 && !recipe_builds(top, target)))
		return 0;
	if (!alone)
		buf_addf(&text, "%s && ", *command);
	buf_addf(&text, "%s %s", *command, target);
	if (!buf_check(&text, err))
		result = str_set(command, buf_str(&text), err);
	buf_release(&text);
	return result;
}

int build_detect_nth(const char *top, size_t nth, char **out, char **out_what, struct err *err)
{
	char *command, *what;
	size_t i;

	for (i = 0; i < N_METHODS; i++)
		if (has(top, methods[i].file) && !nth--)
			break;
	if (i == N_METHODS) {
		err_set(err, ERR_ABSENT, "cannot tell how '%s' is built", top);
		return err_hint(err, "set pawl.build to the command, or to 'true' for nothing");
	}
	command = str_dup(methods[i].command, err);
	what = command && !add_bench(top, &methods[i], &command, err)
		       ? str_dup(methods[i].file, err)
		       : NULL;
	if (!what) {
		free(command);
		return -1;
	}
	*out = command;
	*out_what = what;
	return 0;
}

int build_detect(const char *top, char **out, char **out_what, struct err *err)
{
	return build_detect_nth(top, 0, out, out_what, err);
}
