/* Built commits: their links are recorded, and what comes of that is no part of the build. */
#include "tests/unit/collector/build/trees_fixture.h"

#include "collector/layout/layout.h"
#include "collector/link/recorder.h"

#include "lib/base/banned.h"

#define BUILD_IT "cc -O1 -o prog main.c work.c"

/* Valid until the next call. */
static char *in_folder(const char *folder, const char *name)
{
	static char path[2 * FIXTURE_PATH];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void make_linked(const char *dir, const char *build)
{
	make_project(dir);
	commit_all(dir, "one");
	use(dir, build);
	n_builds();
}

static void links_of_a_build_are_recorded_beside_the_tree(void **state)
{
	struct layouts all = LAYOUTS_INIT;
	struct tree t;
	char program[FIXTURE_PATH];

	(void)state;
	NEEDS("cc");
	make_linked("linked", COUNT BUILD_IT);
	t = open_well("linked", "HEAD");
	snprintf(program, sizeof(program), "%s/prog", t.path);
	if (layouts_open(t.path, program, &all, &fault))
		fail_msg("%s", fault.text);
	layouts_close(&all);
	tree_close(&t);
}

static void layouts_do_not_change_a_tree(void **state)
{
	struct tree t;
	char folder[FIXTURE_PATH];
	uint64_t before;

	(void)state;
	NEEDS("cc");
	make_linked("kept", COUNT BUILD_IT);
	t = open_well("kept", "HEAD");
	snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(t.path, '/') - t.path), t.path);
	tree_close(&t);
	before = layouts_bytes(folder);
	run(".", "sh", "-c", "mkdir -p $1 && head -c 100000 /dev/zero >$1/1", "sh",
	    in_folder(folder, "layouts/0123456789abcdef"));
	assert_in_range(layouts_bytes(folder) - before, 100000, 110000);
	t = open_well("kept", "HEAD");
	assert_true(t.kept);
	tree_close(&t);
	assert_int_equal(n_builds(), 1);

	assert_int_equal(access(folder, F_OK), 0);
	/* their bytes count, and they go with the tree */
	assert_int_equal(trees_trim(request.state_dir, request.repo, 99999, &fault), 0);
	assert_true(access(folder, F_OK));
}

static void a_tree_whose_links_are_not_known_has_one_layout(void **state)
{
	struct layouts all = LAYOUTS_INIT;
	struct tree t;
	char program[FIXTURE_PATH];

	(void)state;
	NEEDS("cc");
	make_linked("old", COUNT BUILD_IT);
	t = open_well("old", "HEAD");
	run(".", "rm", "-r", in_folder(t.path, "../links")); /* as an older pawl left it */
	snprintf(program, sizeof(program), "%s/prog", t.path);
	tree_close(&t);
	t = open_well("old", "HEAD");
	assert_true(t.kept);
	assert_int_equal(layouts_open(t.path, program, &all, &fault), -1);
	assert_int_equal(fault.code, ERR_ABSENT);
	assert_string_equal(fault.text, "no link was recorded when it was built");
	tree_close(&t);
}

/* A compiler cache must find what it made for another commit. */
static void two_commits_search_the_same_folder_for_linkers(void **state)
{
	struct tree a, b;
	struct buf said[2] = { BUF_INIT, BUF_INIT };
	char path[FIXTURE_PATH];

	(void)state;
	make_linked("search", "echo $COMPILER_PATH >said; cp main.c work.c /dev/null || :");
	write_at("search", "more.c", "int more;\n");
	commit_all("search", "two");
	a = open_well("search", "HEAD~1");
	b = open_well("search", "HEAD");
	snprintf(path, sizeof(path), "%s/said", a.path);
	assert_int_equal(file_read_whole(path, 4096, &said[0], NULL), 0);
	snprintf(path, sizeof(path), "%s/said", b.path);
	assert_int_equal(file_read_whole(path, 4096, &said[1], NULL), 0);
	assert_string_equal(buf_str(&said[0]), buf_str(&said[1]));
	assert_non_null(strstr(buf_str(&said[0]), "/linkers\n"));
	buf_release(&said[0]);
	buf_release(&said[1]);
	tree_close(&a);
	tree_close(&b);
}

static void what_a_killed_pawl_left_among_the_linkers_goes(void **state)
{
	struct tree t;

	(void)state;
	make_linked("left", "true");
	t = open_well("left", "HEAD");
	tree_close(&t);
	run("left/.git/pawl", "sh", "-c",
	    "for d in trees/cc-*/linkers trees/cc-*/linkers/named; do touch -d @1 "
	    "$d/ld.tmp.EfwmNm; "
	    "ln -s /x $d/pawl/ld.tmp.012345; touch -h -d @1 $d/pawl/ld.tmp.012345; done");
	t = open_well("left", "HEAD");
	tree_close(&t);
	run("left/.git/pawl", "sh", "-c",
	    "! find . -name '*.tmp.*' | grep . && find . -path '*/named/pawl/ld'");
}

/* It stands in for the linker itself, as pawl does. */
int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_of_a_build_are_recorded_beside_the_tree),
		cmocka_unit_test(layouts_do_not_change_a_tree),
		cmocka_unit_test(a_tree_whose_links_are_not_known_has_one_layout),
		cmocka_unit_test(two_commits_search_the_same_folder_for_linkers),
		cmocka_unit_test(what_a_killed_pawl_left_among_the_linkers_goes),
	};

	if (recorder_is(path_base(argv[0])))
		return recorder_main(argc, argv);
	recorder_offer(realpath("/proc/self/exe", NULL));
	return cmocka_run_group_tests(tests, trees_begin, trees_end);
}
