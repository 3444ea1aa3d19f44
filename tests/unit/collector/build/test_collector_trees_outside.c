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

/* It stands in for the linker itself, as pawl does. */
int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_header_that_the_build_read_builds_again),
		cmocka_unit_test(a_file_that_the_build_names_elsewhere_builds_again),
		cmocka_unit_test(a_library_that_was_linked_builds_again),
	};

	if (recorder_is(path_base(argv[0])))
		return recorder_main(argc, argv);
	recorder_offer(realpath("/proc/self/exe", NULL));
	return cmocka_run_group_tests(tests, trees_begin, trees_end);
}
