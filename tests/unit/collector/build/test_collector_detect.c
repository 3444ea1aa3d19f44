/* How a source tree is built when nobody said it. */
#include "tests/unit/collector/build/trees_fixture.h"

#include <unistd.h>

#include "collector/build/detect.h"
#include "collector/build/recipe.h"

#include "lib/base/banned.h"

/* The command for a folder with these files (ended by NULL), up to "-j"; "" for none. */
static const char *detected(const char *const *files, const char *want_what)
{
	static char text[512];
	char *command = NULL, *what = NULL, *jobs;

	run(".", "rm", "-rf", "top");
	run(".", "mkdir", "top");
	for (; *files; files++)
		put(at("top/%s", *files), "");
	err_clear(&fault);
	if (build_detect(at("top"), &command, &what, &fault)) {
		assert_int_equal(fault.code, ERR_ABSENT);
		assert_true(fault.hint[0]);
		return "";
	}
	assert_string_equal(what, want_what);
	jobs = strstr(command, "-j");
	assert_non_null(jobs);
	assert_non_null(strstr(jobs, "-j$(getconf _NPROCESSORS_ONLN)"));
	snprintf(text, sizeof(text), "%.*s", (int)(jobs - command), command);
	free(command);
	free(what);
	return text;
}

#define DETECTED(what, ...) detected((const char *const[]){ __VA_ARGS__, NULL }, what)

static void each_kind_has_its_command(void **state)
{
	(void)state;
	assert_string_equal(DETECTED("Makefile", "Makefile"), "make ");
	assert_string_equal(DETECTED("makefile", "makefile"), "make ");
	assert_string_equal(DETECTED("GNUmakefile", "GNUmakefile"), "make ");
	assert_non_null(
		strstr(DETECTED("CMakeLists.txt", "CMakeLists.txt"), "cmake --build build"));
	assert_non_null(strstr(DETECTED("meson.build", "meson.build"), "meson setup build"));
	assert_string_equal(DETECTED("configure", "configure"), "sh ./configure && make ");
	assert_non_null(strstr(DETECTED("configure.ac", "configure.ac"), "autoreconf -fi"));
	assert_non_null(strstr(DETECTED("autogen.sh", "autogen.sh"), "NOCONFIGURE=1"));
}

static void the_first_of_several_counts(void **state)
{
	(void)state;
	assert_string_equal(DETECTED("Makefile", "configure", "CMakeLists.txt", "Makefile"),
			    "make ");
	assert_non_null(
		strstr(DETECTED("CMakeLists.txt", "meson.build", "configure", "CMakeLists.txt"),
		       "cmake "));
	assert_non_null(strstr(DETECTED("meson.build", "configure.ac", "meson.build"), "meson "));
	assert_string_equal(DETECTED("configure", "configure.ac", "autogen.sh", "configure"),
			    "sh ./configure && make ");
	assert_non_null(strstr(DETECTED("autogen.sh", "configure.ac", "autogen.sh"), "autogen"));
}

static void a_target_for_benchmarks_is_built_too(void **state)
{
	char *command = NULL, *what = NULL;

	(void)state;
	run(".", "rm", "-rf", "top");
	run(".", "mkdir", "top");
	put(at("top/Makefile"),
	    "bench := 1\nbenchmark.o:\nall:\n\nbenchmarks : all\n\tcc -o bench/x x.c\n");
	assert_int_equal(0, build_detect(at("top"), &command, &what, &fault));
	assert_non_null(strstr(command, " && make -j"));
	assert_non_null(strstr(command, " benchmarks"));
	free(command);
	free(what);
	put(at("top/Makefile"),
	    "BENCH = bench\n$(info as it is)\nall:\n\n$(BENCH): x.c\n\tcc -o $@ x.c\n");
	put(at("top/x.c"), "");
	assert_int_equal(0, build_detect(at("top"), &command, &what, &fault));
	assert_non_null(strstr(command, " bench"));
	free(command);
	free(what);
	put(at("top/Makefile"), "all:\nother bench: x.c\n\tcc -o $@ x.c\nDIR=bench/x\n");
	assert_int_equal(0, build_detect(at("top"), &command, &what, &fault));
	assert_non_null(strstr(command, " bench"));
	free(command);
	free(what);
	put(at("top/Makefile"), "all:\n\techo bench\nbenches=1\nDIR = bench x # bench\n");
	assert_int_equal(0, build_detect(at("top"), &command, &what, &fault));
	assert_null(strstr(command, " bench"));
	free(command);
	free(what);
	put(at("top/Makefile"), "all:\nPAWL_BENCHMARKS = bench/a\ninclude pawl.mk\n");
	assert_int_equal(0, build_detect(at("top"), &command, &what, &fault));
	assert_non_null(strstr(command, " bench-programs"));
	assert_non_null(strstr(command, " && "));
	free(command);
	free(what);
	put(at("top/Makefile"), "PAWL_BENCHMARKS := bench/a\nX ::= y\n# a: b\ninclude pawl.mk\n");
	assert_int_equal(0, build_detect(at("top"), &command, &what, &fault));
	assert_non_null(strstr(command, " bench-programs"));
	assert_null(strstr(command, " && ")); /* there is no default target */
	free(command);
	free(what);
}

static void a_target_that_may_run_them_is_not(void **state)
{
	static const char *const recipes[] = {
		"git clone https://example.invalid/x && cd x && make", "cc -o x x.c && ./x",
		"$(MAKE) -C bench run && touch ran", "+./x && touch ran",
		"for i in 1 2; do touch ran; done"
	};
	char *command = NULL, *what = NULL;
	size_t i;

	(void)state;
	run(".", "rm", "-rf", "top");
	run(".", "mkdir", "top");
	for (i = 0; i < sizeof(recipes) / sizeof(recipes[0]); i++) {
		char text[256];

		snprintf(text, sizeof(text), "all:\n\tcc -c x.c\nbench: all\n\t%s\n", recipes[i]);
		put(at("top/Makefile"), text);
		assert_int_equal(0, build_detect(at("top"), &command, &what, &fault));
		assert_null(strstr(command, " bench"));
		assert_int_not_equal(0, access(at("top/ran"), F_OK));
		free(command);
		free(what);
	}
}

static void what_make_prints_is_looked_at_word_by_word(void **state)
{
	(void)state;
	assert_true(recipe_text_builds("cc -O2 -c a.c\nar rcs liba.a a.o\nmkdir -p bench\n"));
	assert_true(recipe_text_builds("x86_64-linux-gnu-gcc-12 -o b b.c \\\n\t-lm\n"));
	assert_true(
		recipe_text_builds("LANG=C /usr/bin/clang++ -DX='a;b' b.cc 2>&1 | sed s/a/b/\n"));
	assert_true(recipe_text_builds("cd bench && gcc -DV=\"1\" -o x x.c; echo done\n"));
	assert_false(recipe_text_builds(""));
	assert_false(recipe_text_builds("make: Nothing to be done for 'bench'.\n"));
	assert_false(recipe_text_builds("cc -o b b.c\n./b\n"));
	assert_false(recipe_text_builds("cc -o b b.c\nbench/b --all\n"));
	assert_false(recipe_text_builds("cc -o b b.c & ./b\n"));
	assert_false(recipe_text_builds("echo `./b`\n"));
	assert_false(recipe_text_builds("echo \"$(./b)\"\n"));
	assert_false(recipe_text_builds("if true; then ./b; fi\n"));
	assert_false(recipe_text_builds("make -C bench\n"));
	assert_false(recipe_text_builds("curl -O x\n"));
	assert_false(recipe_text_builds("mygcc2 x\n"));
}

/* What making "check" would start, by a makefile with this recipe; joined by '|'. */
static const char *started(const char *recipe)
{
	static char text[256];
	struct strv found = STRV_INIT;
	char file[256];
	size_t i, n = 0;

	run(".", "rm", "-rf", "top");
	run(".", "mkdir", "top");
	snprintf(file, sizeof(file), "check:\n\t%s\n", recipe);
	put(at("top/Makefile"), file);
	assert_int_equal(0, recipe_programs(at("top"), "check", &found, &fault));
	text[0] = '\0';
	for (i = 0; i < found.n; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", i ? "|" : "", found.v[i]);
	strv_release(&found);
	return text;
}

static void what_a_check_would_start_is_taken_as_it_is_written(void **state)
{
	(void)state;
	assert_string_equal(started("./a --all; t/b >/dev/null"), "./a --all|t/b");
	assert_string_equal(started("nice ./a 1 && cc -c x.c"), "./a 1");
	/* The number of what is redirected is no argument, a number is one. */
	assert_string_equal(started("./a --all 2>/dev/null"), "./a --all");
	assert_string_equal(started("./a 2>&1"), "./a");
	assert_string_equal(started("./a 2 > log"), "./a 2");
	assert_string_equal(started("./a x2>log"), "./a x2");
	/* What is quoted ends no command. */
	assert_string_equal(started("echo 'first; ./a --write; then'"), "");
	assert_string_equal(started("./a 'x;y' && ./b"), "./a 'x;y'|./b");
	/* Nor does the end of a line that goes on. */
	assert_string_equal(started("for i in 1 2; do \\\n\t./a; \\\n\tdone; \\\n\t./b x"), "");
	assert_string_equal(started("./a --input \\\n\t./b\n\t./c"), "./c");
}

static void nothing_known_is_said_so(void **state)
{
	(void)state;
	assert_string_equal(DETECTED("", "README", "Makefile.am", "build.zig"), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_has_its_command),
		cmocka_unit_test(the_first_of_several_counts),
		cmocka_unit_test(a_target_for_benchmarks_is_built_too),
		cmocka_unit_test(a_target_that_may_run_them_is_not),
		cmocka_unit_test(what_make_prints_is_looked_at_word_by_word),
		cmocka_unit_test(what_a_check_would_start_is_taken_as_it_is_written),
		cmocka_unit_test(nothing_known_is_said_so),
	};

	return cmocka_run_group_tests(tests, trees_begin, trees_end);
}
