/* Two commits with the same sources become the same code, whatever builds them. */
#include "tests/unit/collector/build/trees_fixture.h"

#include "lib/base/banned.h"

static const char plain_make[] = "prog: work.c main.c\n"
				 "\t$(CC) -g -O2 $(CFLAGS) -o $@ $(CURDIR)/work.c main.c\n";

/* Commits what is there, then an unrelated file, then a change of the code. */
static void commit_history(const char *dir)
{
	commit_all(dir, "one");
	write_at(dir, "README", "unrelated\n");
	commit_all(dir, "two");
	write_at(dir, "work.c", WORK_C "int more(void);\nint more(void) { return 3; }\n");
	commit_all(dir, "three");
}

/*
 * The same code at the first two commits, other code at the third, which a build that takes long
 * has in the long form alone: that other code is found in what make built shows the first.
 */
static void assert_alike_of(const char *dir, const char *exe, int n)
{
	struct tree t[3] = { 0 };
	int i;

	for (i = 0; i < n; i++) {
		t[i] = open_well(dir, i == 0 ? "HEAD~2" : i == 1 ? "HEAD~1" : "HEAD");
		assert_int_equal(strlen(t[i].path), strlen(t[0].path));
		assert_false(t[i].kept);
	}
	assert_string_not_equal(t[0].path, t[1].path);
	assert_true(is_same_code(&t[0], &t[1], exe));
	if (n == 3)
		assert_false(is_same_code(&t[1], &t[2], exe));
	for (i = 0; i < n; i++)
		tree_close(&t[i]);
}

static void assert_alike(const char *dir, const char *exe)
{
	assert_alike_of(dir, exe, 3);
}

/* What follows in a test is of the long run alone. */
static void takes_long(void)
{
	if (!getenv("PAWL_TEST_SLOW")) {
		print_message("# skipped: takes many seconds: make check-slow\n");
		skip();
	}
}

static void make_builds_are_alike(void **state)
{
	(void)state;
	NEEDS("make");
	make_project("m");
	write_at("m", "Makefile", plain_make);
	commit_history("m");
	use("m", NULL);
	assert_alike("m", "prog");
}

static void cmake_builds_are_alike_though_they_name_absolute_paths(void **state)
{
	(void)state;
	NEEDS("cmake");
	make_project("c");
	write_at("c", "CMakeLists.txt",
		 "cmake_minimum_required(VERSION 3.13)\nproject(p C)\n"
		 "set(CMAKE_C_FLAGS_RELEASE \"-O2 -g\")\n"
		 "add_library(work SHARED work.c)\nadd_executable(prog main.c)\n"
		 "target_link_libraries(prog work)\n");
	commit_history("c");
	use("c", NULL);
	assert_alike_of("c", "build/prog", getenv("PAWL_TEST_SLOW") ? 3 : 2);
}

static void meson_builds_are_alike(void **state)
{
	(void)state;
	takes_long();
	NEEDS("meson");
	make_project("n");
	write_at("n", "meson.build",
		 "project('p', 'c', default_options: ['debug=true'])\n"
		 "executable('prog', 'work.c', 'main.c')\n");
	commit_history("n");
	use("n", NULL);
	assert_alike("n", "build/prog");
}

static void autotools_builds_are_alike(void **state)
{
	(void)state;
	takes_long();
	NEEDS("autoreconf");
	NEEDS("automake");
	make_project("a");
	write_at("a", "configure.ac",
		 "AC_INIT([p], [1])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\n"
		 "AC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n");
	write_at("a", "Makefile.am", "bin_PROGRAMS = prog\nprog_SOURCES = work.c main.c\n");
	commit_history("a");
	use("a", NULL);
	assert_alike("a", "prog");
}

static void a_configured_command_and_absolute_compilers_are_alike(void **state)
{
	(void)state;
	NEEDS("gcc");
	make_project("b");
	commit_history("b");
	setenv("CC", "/usr/bin/gcc", 1);
	use("b", "mkdir out && cd out && $CC -g -O2 -o prog \"$PWD\"/../work.c ../main.c");
	assert_alike("b", "out/prog");
	unsetenv("CC");
}

static void clang_builds_are_alike(void **state)
{
	(void)state;
	takes_long();
	NEEDS("clang");
	make_project("l");
	commit_history("l");
	setenv("CC", "clang", 1);
	use("l", "clang -Werror -g -c -o work.o \"$PWD/work.c\" && "
		 "clang -Werror -o prog work.o main.c");
	assert_alike("l", "prog");
	unsetenv("CC");
}

/* Refused when it is first asked for, and never asked for again. */
static void a_compiler_without_the_option_builds_all_the_same(void **state)
{
	struct tree t;

	(void)state;
	make_project("old");
	commit_history("old");
	put(at("oldcc"), "#!/bin/sh\necho x >>\"$HOME/builds\"\n"
			 "case $* in *-ffile-prefix-map*) exit 1 ;; esac\nexec gcc \"$@\"\n");
	run(".", "chmod", "+x", "oldcc");
	setenv("CC", at("oldcc"), 1);
	use("old", "rm -f \"$HOME/builds\"; $CC -c work.c && $CC -c main.c && "
		   "$CC -o prog work.o main.o && ls \"${CC%/*}\" >names");
	n_builds();
	t = open_well("old", "HEAD");
	assert_file(at("%s/names", t.path + strlen(fixture_root) + 1), "oldcc\noldcc.refuses\n");
	assert_int_equal(n_builds(), 4);
	tree_close(&t);
	unsetenv("CC");
}

static void dates_in_the_code_are_alike(void **state)
{
	(void)state;
	make_project("d");
	write_at("d", "work.c",
		 "int work(int n);\nint work(int n) { return __TIME__[n % 4] + "
		 "__DATE__[n % 4] + __TIMESTAMP__[n % 4]; }\n");
	commit_history("d");
	use("d", "cc -O2 -o prog work.c main.c; sleep 1.1");
	assert_alike("d", "prog");
}

static void builds_see_no_repository(void **state)
{
	struct buf text = BUF_INIT;
	struct tree t;

	(void)state;
	make_project("g");
	commit_history("g");
	use("g", "git describe --always >version 2>&1 || echo none >version");
	t = open_well("g", "HEAD");
	assert_int_equal(file_read_whole(at("%s/version", t.path + strlen(fixture_root) + 1), 4096,
					 &text, NULL),
			 0);
	assert_string_equal(buf_str(&text), "none\n");
	buf_release(&text);
	tree_close(&t);
	assert_alone("g");
}

static void generated_files_that_are_committed_are_not_made_again(void **state)
{
	struct tree t;

	(void)state;
	NEEDS("make");
	make_project("o");
	write_at("o", "Makefile",
		 "all: generated\n\tcc -o prog work.c main.c\n"
		 "generated: source source2\n\t@echo made again; exit 1\n");
	write_at("o", "generated", "g\n");
	write_at("o", "source", "s\n");
	write_at("o", "source2", "s\n");
	commit_all("o", "one");
	use("o", NULL);
	t = open_well("o", "HEAD");
	tree_close(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(make_builds_are_alike),
		cmocka_unit_test(cmake_builds_are_alike_though_they_name_absolute_paths),
		cmocka_unit_test(meson_builds_are_alike),
		cmocka_unit_test(autotools_builds_are_alike),
		cmocka_unit_test(a_configured_command_and_absolute_compilers_are_alike),
		cmocka_unit_test(clang_builds_are_alike),
		cmocka_unit_test(a_compiler_without_the_option_builds_all_the_same),
		cmocka_unit_test(dates_in_the_code_are_alike),
		cmocka_unit_test(builds_see_no_repository),
		cmocka_unit_test(generated_files_that_are_committed_are_not_made_again),
	};

	return cmocka_run_group_tests(tests, trees_begin, trees_end);
}
