/* Built commits: a file outside of the tree that is another one since builds them again. */
#include "tests/unit/collector/build/trees_fixture.h"

#include "collector/link/recorder.h"

#include "lib/base/banned.h"

/* The header lies where no tree is, as those of the system do; in a folder with a blank. */
static void a_header_that_the_build_read_builds_again(void **state)
{
	char build[FIXTURE_PATH * 2];
	struct tree t;

	(void)state;
	snprintf(build, sizeof(build), COUNT "cc '-I%s' -c main.c", at("an include"));
	start("header", build);
	run(".", "mkdir", "-p", "an include");
	put(at("an include/number.h"), "#define NUMBER 1\n");
	put(at("an include/other.h"), "#define OTHER 1\n");
	write_at("header", "main.c",
		 "#include \"number.h\"\nint number(void);\nint number(void) { return NUMBER; }\n");
	commit_all("header", "a header of the system");
	buf_reset(&told);
	request.explain = true;
	t = open_well("header", "HEAD");
	assert_non_null(strstr(buf_str(&told), "is built: no build of it is kept"));
	tree_close(&t);
	put(at("an include/other.h"), "#define OTHER 22\n");
	t = open_well("header", "HEAD");
	assert_true(t.kept);
	assert_null(strstr(buf_str(&told), "is built again"));
	tree_close(&t);
	request.explain = false;
	put(at("an include/number.h"), "#define NUMBER 22\n");
	t = open_well("header", "HEAD");
	assert_false(t.kept);
	assert_non_null(strstr(buf_str(&told), "an include/number.h' is another one since"));
	tree_close(&t);
}

/* A driver that is copied in, or a script; what the build writes there itself is no input of it. */
static void a_file_that_the_build_names_elsewhere_builds_again(void **state)
{
	char build[FIXTURE_PATH * 3];
	struct tree t;

	(void)state;
	run(".", "mkdir", "-p", "elsewhere");
	put(at("elsewhere/driver.c"), "one\n");
	put(at("elsewhere/out"), "one\n");
	snprintf(build, sizeof(build), COUNT "cp \"%s\" made && date +%%N >%s",
		 at("elsewhere/driver.c"), at("elsewhere/out"));
	start("named", build);
	t = open_well("named", "HEAD");
	tree_close(&t);
	t = open_well("named", "HEAD");
	assert_true(t.kept);
	tree_close(&t);
	put(at("elsewhere/driver.c"), "two two\n");
	buf_reset(&told);
	t = open_well("named", "HEAD");
	assert_false(t.kept);
	assert_non_null(strstr(buf_str(&told), "elsewhere/driver.c' is another one since"));
	assert_file(at("%s/made", t.path + strlen(fixture_root) + 1), "two two\n");
	tree_close(&t);
}

static void put_library(const char *value)
{
	run("library", "sh", "-c",
	    "echo \"int number(void) { return $1; }\" >number.c && cc -c number.c && rm -f "
	    "libnumber.a && "
	    "ar rc libnumber.a number.o && cp libnumber.a other.a",
	    "sh", value);
}

/* By -l, by its file, by its path. */
static void a_library_that_was_linked_builds_again(void **state)
{
	static const struct {
		const char *before, *after;
	} ways[] = { { "-L", " -lnumber" }, { "-L", " -l:other.a" }, { "", "/libnumber.a" } };
	char build[FIXTURE_PATH * 3], name[16];
	struct tree t;
	size_t i;

	(void)state;
	NEEDS("cc");
	run(".", "mkdir", "-p", "library");
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		put_library("1");
		snprintf(name, sizeof(name), "linked%zu", i);
		snprintf(build, sizeof(build), COUNT "cc -o prog main.c %s%s%s", ways[i].before,
			 at("library"), ways[i].after);
		start(name, build);
		write_at(name, "main.c",
			 "int number(void);\nint main(void) { return number(); }\n");
		commit_all(name, "one");
		t = open_well(name, "HEAD");
		tree_close(&t);
		t = open_well(name, "HEAD");
		assert_true(t.kept);
		tree_close(&t);
		put_library("222 * 222");
		buf_reset(&told);
		t = open_well(name, "HEAD");
		assert_false(t.kept);
		assert_non_null(strstr(buf_str(&told), ".a' is another one since"));
		tree_close(&t);
	}
}

/* Opens HEAD, which is built; then it is kept. */
static void build_once(const char *dir)
{
	struct tree t = open_well(dir, "HEAD");

	assert_false(t.kept);
	tree_close(&t);
	t = open_well(dir, "HEAD");
	assert_true(t.kept);
	tree_close(&t);
	buf_reset(&told);
}

/* Whether it was kept. */
static bool open_and_close(const char *dir)
{
	struct tree t = open_well(dir, "HEAD");
	bool kept = t.kept;

	tree_close(&t);
	return kept;
}

static void assert_built_again(const char *dir, const char *since)
{
	struct tree t = open_well(dir, "HEAD");

	if (t.kept || !strstr(buf_str(&told), since))
		fail_msg("%s: %s", t.kept ? "kept" : "built", buf_str(&told));
	tree_close(&t);
}

/* Where the build asks for dependencies itself, of files that nobody finds, or of its own alone. */
static void a_header_is_seen_whatever_is_asked(void **state)
{
	static const char *const ways[] = {
		"cc -MMD -c -o main.o main.c",
		"cc -c -MD -MF notes.txt main.c -o main.o",
		"cc -c -Wp,-MMD,main.d main.c -o main.o",
		"cc -c -MD -MP -MF main.d main.c -o main.o",
		"cc -c -MMD -MFmain.dep -omain.o main.c",
		"clang -c -o main.o main.c",
		"clang -c -MMD -o main.o main.c",
	};
	char build[FIXTURE_PATH * 2], name[16];
	size_t i;

	(void)state;
	NEEDS("cc");
	run(".", "mkdir", "-p", "asked");
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (str_starts(ways[i], "clang") && !has_program("clang"))
			continue;
		put(at("asked/number.h"), "#define NUMBER 1\n");
		snprintf(build, sizeof(build), COUNT "%s -isystem %s", ways[i], at("asked"));
		snprintf(name, sizeof(name), "asked%zu", i);
		start(name, build);
		write_at(name, "main.c",
			 "#include <number.h>\nint number(void);\n"
			 "int number(void) { return NUMBER; }\n");
		commit_all(name, "a header of the system");
		build_once(name);
		put(at("asked/number.h"), "#define NUMBER 22\n");
		assert_built_again(name, "asked/number.h' is another one since");
	}
}

static void a_header_that_comes_before_another_builds_again(void **state)
{
	char build[FIXTURE_PATH * 3];

	(void)state;
	NEEDS("cc");
	run(".", "mkdir", "-p", "first", "second/deep");
	put(at("second/deep/number.h"), "#define NUMBER 1\n");
	snprintf(build, sizeof(build), COUNT "cc -c '-I%s' -isystem '%s' main.c", at("first"),
		 at("second"));
	start("before", build);
	write_at("before", "main.c",
		 "#include <deep/number.h>\nint number(void);\n"
		 "int number(void) { return NUMBER; }\n");
	commit_all("before", "a header of the system");
	build_once("before");
	run(".", "mkdir", "-p", "first/deep");
	put(at("first/other.h"), "#define NUMBER 2\n");
	assert_true(open_and_close("before"));
	put(at("first/deep/number.h"), "#define NUMBER 2\n");
	assert_built_again("before", "first/deep/number.h' is another one since");
}

/* Puts a folder in front of PATH; its programs are scripts. */
static void put_in_path(const char *folder)
{
	struct buf path = BUF_INIT;

	run(".", "mkdir", "-p", folder);
	buf_addf(&path, "%s:%s", at("%s", folder), getenv("PATH"));
	setenv("PATH", buf_str(&path), 1);
	buf_release(&path);
}

static void put_program(const char *file, const char *text)
{
	put(at("%s", file), text);
	assert_int_equal(chmod(at("%s", file), 0755), 0);
}

/* None of these is what cc stands for: by a makefile, by a script that it starts, by its path. */
static void another_compiler_builds_again(void **state)
{
	char *path = strdup(getenv("PATH")), makefile[FIXTURE_PATH * 3], script[FIXTURE_PATH];

	(void)state;
	NEEDS("cc");
	NEEDS("make");
	put_in_path("early");
	put_in_path("tools");
	put_program("early/rest", "#!/bin/sh\nexit 0\n");
	snprintf(script, sizeof(script), "#!/bin/sh\nexec %s \"$@\"\n", at("behind"));
	put_program("behind", "#!/bin/sh\nexec cc -O1 \"$@\"\n");
	put_program("tools/mycc", script);
	put_program("elsewhere-cc", "#!/bin/sh\nexec cc -O1 \"$@\"\n");
	start("mycc", COUNT "make -s");
	snprintf(makefile, sizeof(makefile),
		 "CC = mycc\nall:\n\t$(CC) -c main.c\n\t%s -c work.c\n\tsh helper.sh\n",
		 at("elsewhere-cc"));
	write_at("mycc", "Makefile", makefile);
	write_at("mycc", "helper.sh", "#!/bin/sh\n# notme\nrest\n");
	write_at("mycc", "main.c", MAIN_C);
	write_at("mycc", "work.c", WORK_C);
	commit_all("mycc", "a compiler of its own");
	put_program("tools/notme", "#!/bin/sh\n");
	build_once("mycc");
	put_program("tools/notme", "#!/bin/sh\nexit 1\n");
	assert_true(open_and_close("mycc"));
	put_program("tools/mycc", script);
	assert_built_again("mycc", "tools/mycc' is another one since");
	put_program("behind", "#!/bin/sh\nexec cc -O2 \"$@\"\n");
	assert_built_again("mycc", "behind' is another one since");
	put_program("elsewhere-cc", "#!/bin/sh\nexec cc -O2 \"$@\"\n");
	assert_built_again("mycc", "elsewhere-cc' is another one since");
	put_program("tools/rest", "#!/bin/sh\ntrue\n");
	assert_built_again("mycc", "tools/rest' is another one since");
	setenv("PATH", path, 1);
	free(path);
}

/* By a wrapper: its headers are seen as those of cc are, and it counts itself. */
static void a_compiler_with_a_version_is_seen(void **state)
{
	char *path = strdup(getenv("PATH")), build[FIXTURE_PATH * 2];

	(void)state;
	NEEDS("cc");
	put_in_path("versions");
	put_program("versions/odd-gcc-7.5", "#!/bin/sh\nexec cc \"$@\"\n");
	run(".", "mkdir", "-p", "versioned");
	put(at("versioned/number.h"), "#define NUMBER 1\n");
	snprintf(build, sizeof(build), COUNT "b=7.5; odd-gcc-$b -isystem %s -c main.c",
		 at("versioned"));
	start("version", build);
	write_at("version", "main.c",
		 "#include <number.h>\nint number(void);\nint number(void) { return NUMBER; }\n");
	commit_all("version", "a compiler by a name that is put together");
	build_once("version");
	put(at("versioned/number.h"), "#define NUMBER 22\n");
	assert_built_again("version", "versioned/number.h' is another one since");
	put_program("versions/odd-gcc-7.5", "#!/bin/sh\nexec cc -O2 \"$@\"\n");
	assert_built_again("version", "versions/odd-gcc-7.5' is another one since");
	setenv("PATH", path, 1);
	free(path);
}

/* What PATH leads to chooses the toolchain. */
static void another_toolchain_of_rust_or_go_builds_again(void **state)
{
	char *path = strdup(getenv("PATH")), text[FIXTURE_PATH * 2];

	(void)state;
	put_in_path("proxies");
	run(".", "mkdir", "-p", "rust/bin", "rust/lib", "go-root/bin");
	put(at("rust/bin/rustc"), "one\n");
	put(at("rust/lib/librustc_driver-1.so"), "one\n");
	put(at("go-root/VERSION"), "go1\n");
	snprintf(text, sizeof(text), "#!/bin/sh\n[ \"$1\" != --print ] || echo %s\n", at("rust"));
	put_program("proxies/rustc", text);
	put_program("proxies/cargo", "#!/bin/sh\nrustc\n");
	snprintf(text, sizeof(text), "#!/bin/sh\necho %s\n", at("go-root"));
	put_program("proxies/go", text);
	start("rust", COUNT "cargo build");
	build_once("rust");
	put(at("rust/bin/rustc"), "two two\n");
	assert_built_again("rust", "rust/bin/rustc' is another one since");
	put(at("rust/lib/librustc_driver-1.so"), "two two\n");
	assert_built_again("rust", "librustc_driver-1.so' is another one since");
	run("home", "mkdir", "-p", ".cargo");
	put(at("home/.cargo/config.toml"), "[build]\n");
	assert_built_again("rust", "home/.cargo/config.toml' is another one since");
	start("go", COUNT "go build");
	build_once("go");
	put(at("go-root/VERSION"), "go1.1\n");
	assert_built_again("go", "go-root/VERSION' is another one since");
	setenv("PATH", path, 1);
	free(path);
}

static void a_makefile_elsewhere_builds_again(void **state)
{
	(void)state;
	NEEDS("make");
	put(at("home/site.mk"), "FLAGS = -O1\n");
	start("site", COUNT "make -s");
	write_at("site", "Makefile", "include $(HOME)/site.mk\nall:\n\techo $(FLAGS) >made\n");
	commit_all("site", "a makefile of this machine");
	build_once("site");
	put(at("home/site.mk"), "FLAGS = -O2\n");
	assert_built_again("site", "home/site.mk' is another one since");
}

/* It is made when it is looked at, with the time of that. */
static void what_the_kernel_shows_is_no_file(void **state)
{
	struct buf list = BUF_INIT;
	struct tree t;

	(void)state;
	put(at("home/settings"), "one\n");
	start("kernel", COUNT "cat /proc/cpuinfo \"$HOME/settings\" >made");
	t = open_well("kernel", "HEAD");
	assert_int_equal(file_read_whole(at("%s/../outside", t.path + strlen(fixture_root) + 1),
					 1 << 20, &list, &fault),
			 0);
	assert_non_null(memmem(list.data, list.len, "home/settings", 13));
	assert_null(memmem(list.data, list.len, "/proc/", 6));
	tree_close(&t);
	buf_release(&list);
}

/* It stands in for the linker itself, as pawl does. */
int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_header_that_the_build_read_builds_again),
		cmocka_unit_test(a_file_that_the_build_names_elsewhere_builds_again),
		cmocka_unit_test(a_library_that_was_linked_builds_again),
		cmocka_unit_test(a_header_is_seen_whatever_is_asked),
		cmocka_unit_test(a_header_that_comes_before_another_builds_again),
		cmocka_unit_test(another_compiler_builds_again),
		cmocka_unit_test(a_compiler_with_a_version_is_seen),
		cmocka_unit_test(another_toolchain_of_rust_or_go_builds_again),
		cmocka_unit_test(a_makefile_elsewhere_builds_again),
		cmocka_unit_test(what_the_kernel_shows_is_no_file),
	};

	if (recorder_is(path_base(argv[0])))
		return recorder_main(argc, argv);
	recorder_offer(realpath("/proc/self/exe", NULL));
	return cmocka_run_group_tests(tests, trees_begin, trees_end);
}
