/* Built commits: kept, shared, rebuilt when they are not whole, and trimmed. */
#include "tests/unit/collector/build/trees_fixture.h"

#include "lib/base/banned.h"

static void a_commit_is_built_once(void **state)
{
	struct tree a, b;

	(void)state;
	start("once", COUNT "cp f made");
	a = open_well("once", "HEAD");
	b = open_well("once", "HEAD");
	assert_false(a.kept);
	assert_true(b.kept);
	assert_string_equal(a.path, b.path);
	assert_string_equal(a.build, COUNT "cp f made");
	assert_string_equal(b.id, id_of("once", "HEAD^{tree}"));
	assert_true(file_exists(a.log_path));
	assert_file(at("%s/made", a.path + strlen(fixture_root) + 1), "3\n");
	assert_int_equal(n_builds(), 1);
	tree_close(&a);
	tree_close(&b);
	a = open_well("once", "HEAD~1");
	assert_false(a.kept);
	tree_close(&a);
	assert_alone("once");
}

static void whatever_could_change_the_result_builds_again(void **state)
{
	struct tree t;

	(void)state;
	start("key", COUNT "true");
	t = open_well("key", "HEAD");
	tree_close(&t);
	setenv("CFLAGS", "-O3", 1);
	t = open_well("key", "HEAD");
	assert_false(t.kept);
	tree_close(&t);
	unsetenv("CFLAGS");
	setenv("TERM", "other", 1); /* no build sees it */
	t = open_well("key", "HEAD");
	assert_true(t.kept);
	tree_close(&t);
	use("key", COUNT "true # another command");
	t = open_well("key", "HEAD");
	assert_false(t.kept);
	tree_close(&t);
	request.rebuild = true;
	t = open_well("key", "HEAD");
	assert_true(t.kept); /* by this very process, so it is fresh */
	tree_close(&t);
	assert_int_equal(n_builds(), 3);
}

/* Any of these built every kept tree again, without a word. */
static void what_no_build_sees_builds_nothing_again(void **state)
{
	static const char *const names[] = { "BENCH_SIZE", "XDG_CACHE_HOME", "LANG",  "LC_TIME",
					     "TZ",	   "ASAN_OPTIONS",   "TMPDIR" };
	struct tree t;
	size_t i;

	(void)state;
	start("unseen",
	      COUNT "echo \"$BENCH_SIZE$XDG_CACHE_HOME$LANG$LC_TIME$ASAN_OPTIONS\" >made");
	t = open_well("unseen", "HEAD");
	tree_close(&t);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *before = getenv(names[i]) ? strdup(getenv(names[i])) : NULL;

		setenv(names[i], i == 6 ? fixture_root : "other", 1);
		t = open_well("unseen", "HEAD");
		if (!t.kept)
			fail_msg("%s", names[i]);
		assert_file(at("%s/made", t.path + strlen(fixture_root) + 1), "\n");
		tree_close(&t);
		if (before)
			setenv(names[i], before, 1);
		else
			unsetenv(names[i]);
		free(before);
	}
	assert_int_equal(n_builds(), 1);
}

static void what_is_different_since_is_told(void **state)
{
	struct tree t;

	(void)state;
	start("why", COUNT "true");
	t = open_well("why", "HEAD");
	tree_close(&t);
	buf_reset(&told);
	setenv("CFLAGS", "-O3", 1);
	t = open_well("why", "HEAD");
	assert_non_null(strstr(buf_str(&told), "is built again: CFLAGS is '-O3', was not set\n"));
	tree_close(&t);
	setenv("CFLAGS", "-O1", 1);
	t = open_well("why", "HEAD");
	assert_non_null(strstr(buf_str(&told), "is built again: CFLAGS was '-O3', is '-O1'\n"));
	tree_close(&t);
	setenv("CFLAGS", "", 1);
	t = open_well("why", "HEAD");
	assert_non_null(strstr(buf_str(&told), "is built again: CFLAGS was '-O1', is empty\n"));
	tree_close(&t);
	unsetenv("CFLAGS");
}

static void another_compiler_builds_again(void **state)
{
	struct tree t;

	(void)state;
	start("compiler", "true");
	put(at("home/mycc"), "#!/bin/sh\necho mycc 1\n");
	assert_int_equal(chmod(at("home/mycc"), 0755), 0);
	setenv("CC", at("home/mycc"), 1);
	t = open_well("compiler", "HEAD");
	tree_close(&t);
	t = open_well("compiler", "HEAD");
	assert_true(t.kept);
	tree_close(&t);
	put(at("home/mycc"), "#!/bin/sh\necho mycc 2\n");
	assert_int_equal(chmod(at("home/mycc"), 0755), 0);
	t = open_well("compiler", "HEAD");
	assert_false(t.kept);
	tree_close(&t);
	unsetenv("CC");
	buf_reset(&told);
	t = open_well("compiler", "HEAD");
	assert_non_null(strstr(buf_str(&told), "is built again: CC was '"));
	assert_non_null(strstr(buf_str(&told), "', is not set\n")); /* and no files */
	tree_close(&t);
}

static void uncommitted_work_is_built_by_its_tree(void **state)
{
	char id[OID_TEXT];
	struct tree t = TREE_INIT;

	(void)state;
	start("work", "cp new made");
	put(at("work/new"), "new\n");
	assert_int_equal(worktree_id(request.repo, id, &fault), 0);
	if (tree_open(&request, id_of("work", "HEAD"), id, &t, &fault))
		fail_msg("%s", fault.text);
	assert_file(at("%s/made", t.path + strlen(fixture_root) + 1), "new\n");
	assert_string_equal(t.id, id);
	tree_close(&t);
}

static void a_failed_build_says_why_and_leaves_its_log_alone(void **state)
{
	struct tree t = TREE_INIT;

	(void)state;
	start("fails", "echo first; echo 'a.c:3:1: error: no such thing'; echo last; exit 3");
	assert_int_equal(open_rev("fails", "HEAD", &t), -1);
	assert_int_equal(fault.code, ERR_CHILD);
	assert_string_equal(fault.text, "the build exited with status 3: a.c:3:1: error: no such "
					"thing");
	assert_non_null(strstr(fault.hint, "/log/build-"));
	assert_non_null(strstr(buf_str(&told), "build: first\n"));
	assert_non_null(strstr(buf_str(&told), "build: last\n"));
	assert_null(t.path);
	assert_int_equal(n_kept("fails"), 0);
	assert_alone("fails");
}

static void expect_why(const char *name, const char *build, const char *why)
{
	struct tree t = TREE_INIT;

	start(name, build);
	assert_int_equal(open_rev(name, "HEAD", &t), -1);
	assert_string_equal(fault.text, why);
}

static void a_build_that_make_gave_up_says_why(void **state)
{
	(void)state;
	expect_why("target",
		   "echo cc; echo \"make: *** No rule to make target 'b'.  Stop.\"; "
		   "echo 'make: *** Waiting for unfinished jobs....'; exit 2",
		   "the build exited with status 2: make: *** No rule to make target 'b'.  Stop");
	expect_why("parallel",
		   "echo 'sh: 1: docker: not found'; echo 'make: *** [Makefile:2: b] Error 127'; "
		   "echo 'make: *** Waiting for unfinished jobs....'; echo done; exit 2",
		   "the build exited with status 2: sh: 1: docker: not found "
		   "(make: *** [Makefile:2: b] Error 127)");
	expect_why("silent",
		   "echo \"make[1]: Entering directory '/x'\"; echo 'make[1]: *** [b] Error 1'; "
		   "echo \"make[1]: Leaving directory '/x'\"; exit 2",
		   "the build exited with status 2: make[1]: *** [b] Error 1");
	expect_why("linker",
		   "echo \"x.c:1: undefined reference to 'f'\"; "
		   "echo 'collect2: error: ld returned 1 exit status'; exit 1",
		   "the build exited with status 1: x.c:1: undefined reference to 'f'");
}

static void a_build_that_removes_its_own_folder_failed(void **state)
{
	struct tree t = TREE_INIT;

	(void)state;
	start("removes", "rm -rf \"$PWD\"");
	assert_int_equal(open_rev("removes", "HEAD", &t), -1);
	assert_int_equal(fault.code, ERR_CHILD);
	assert_non_null(strstr(fault.text, "removed the folder"));
	use("removes", "cd ..; rm -rf \"$PWD\"");
	assert_int_equal(open_rev("removes", "HEAD", &t), -1);
	assert_int_equal(fault.code, ERR_CHILD);
	assert_int_equal(n_kept("removes"), 0);
	assert_file(at("removes/f"), "3\n");
	run("removes", "git", "fsck");
}

static void a_build_that_makes_folders_unwritable_can_be_removed(void **state)
{
	struct tree t;

	(void)state;
	start("unwritable", "mkdir -p a/b && touch a/b/c && chmod 555 a/b a");
	t = open_well("unwritable", "HEAD");
	tree_close(&t);
	assert_int_equal(trees_trim(request.state_dir, request.repo, 0, &fault), 0);
	assert_int_equal(n_kept("unwritable"), 0);
}

static void a_build_that_takes_too_long_is_ended(void **state)
{
	struct tree t = TREE_INIT;

	(void)state;
	start("slow", "sleep 1000");
	config.build_timeout_ns = UINT64_C(300000000);
	assert_int_equal(open_rev("slow", "HEAD", &t), -1);
	assert_int_equal(fault.code, ERR_TIMEOUT);
	assert_int_equal(n_kept("slow"), 0);
}

static void files_that_were_changed_are_built_again(void **state)
{
	struct tree t;

	(void)state;
	start("changed", COUNT "cp f made");
	t = open_well("changed", "HEAD");
	put(at("%s/made", t.path + strlen(fixture_root) + 1), "other\n");
	put(at("%s/output", t.path + strlen(fixture_root) + 1), "of a benchmark\n");
	tree_close(&t);
	t = open_well("changed", "HEAD");
	assert_non_null(
		strstr(buf_str(&told), "is built again: files of the built tree were changed"));
	assert_file(at("%s/made", t.path + strlen(fixture_root) + 1), "3\n");
	put(at("%s/output", t.path + strlen(fixture_root) + 1), "of a benchmark\n");
	tree_close(&t);
	t = open_well("changed", "HEAD"); /* what came after the build is no change of it */
	assert_true(t.kept);
	run(t.path + strlen(fixture_root) + 1, "rm", "f");
	tree_close(&t);
	t = open_well("changed", "HEAD");
	assert_false(t.kept);
	tree_close(&t);
	assert_int_equal(n_builds(), 3);
}

static void two_pawls_build_one_commit_once(void **state)
{
	pid_t pids[4];
	int i, status;

	(void)state;
	start("two", COUNT "sleep 0.3; cp f made");
	for (i = 0; i < 4; i++) {
		pids[i] = fork();
		if (!pids[i]) {
			struct tree t = TREE_INIT;
			int failed = tree_open(&request, id_of("two", "HEAD"), NULL, &t, &fault);

			/* Shown where the test fails: which of them built, and why. */
			fprintf(stderr, "# %d: %s%s", i, buf_str(&told), failed ? fault.text : "");
			_exit(failed ? 1 : 0);
		}
	}
	for (i = 0; i < 4; i++) {
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	assert_int_equal(n_builds(), 1);
	assert_alone("two");
}

static void trees_used_longest_ago_go_first_and_used_ones_never(void **state)
{
	struct tree used, t;

	(void)state;
	start("trim", "head -c 400000 /dev/zero >made");
	used = open_well("trim", "HEAD~2");
	t = open_well("trim", "HEAD~1");
	tree_close(&t);
	usleep(20000);
	t = open_well("trim", "HEAD");
	tree_close(&t);
	usleep(20000);
	t = open_well("trim", "HEAD~1"); /* used again, later than HEAD */
	tree_close(&t);
	assert_int_equal(n_kept("trim"), 3);
	assert_int_equal(trees_trim(request.state_dir, request.repo, 900000, &fault), 0);
	assert_int_equal(n_kept("trim"), 2);
	t = open_well("trim", "HEAD~1");
	assert_true(t.kept);
	tree_close(&t);
	assert_int_equal(trees_trim(request.state_dir, request.repo, 0, &fault), 0);
	assert_int_equal(n_kept("trim"), 1);
	assert_true(file_exists(used.path));
	tree_close(&used);
	assert_int_equal(trees_trim(request.state_dir, request.repo, 0, &fault), 0);
	assert_int_equal(n_kept("trim"), 0);
}

static void nothing_to_build_is_warned_of(void **state)
{
	struct tree t;

	(void)state;
	start("bare", NULL);
	t = open_well("bare", "HEAD");
	assert_null(t.build);
	assert_null(t.log_path);
	assert_non_null(strstr(buf_str(&told), "is not built: nothing says how (set pawl.build"));
	tree_close(&t);
	t = open_well("bare", "HEAD");
	assert_true(t.kept);
	assert_null(t.build);
	tree_close(&t);
}

static void odd_folders_are_built_in_too(void **state)
{
	static const char *const names[] = { "with space", "new\nline", "co:lon", "equal=s",
					     "q'\"$(id)" };
	struct tree t;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		make_project(names[i]);
		commit_all(names[i], "one");
		use(names[i], "cc -g -o prog work.c main.c");
		t = open_well(names[i], "HEAD");
		tree_close(&t);
		assert_alone(names[i]);
	}
}

static void an_unknown_commit_is_absent(void **state)
{
	struct tree t = TREE_INIT;

	(void)state;
	start("unknown", "true");
	err_clear(&fault);
	assert_int_equal(
		tree_open(&request, "0123456789012345678901234567890123456789", NULL, &t, &fault),
		-1);
	assert_int_equal(fault.code, ERR_ABSENT);
	assert_null(t.path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_commit_is_built_once),
		cmocka_unit_test(whatever_could_change_the_result_builds_again),
		cmocka_unit_test(what_no_build_sees_builds_nothing_again),
		cmocka_unit_test(what_is_different_since_is_told),
		cmocka_unit_test(another_compiler_builds_again),
		cmocka_unit_test(uncommitted_work_is_built_by_its_tree),
		cmocka_unit_test(a_failed_build_says_why_and_leaves_its_log_alone),
		cmocka_unit_test(a_build_that_make_gave_up_says_why),
		cmocka_unit_test(a_build_that_removes_its_own_folder_failed),
		cmocka_unit_test(a_build_that_makes_folders_unwritable_can_be_removed),
		cmocka_unit_test(a_build_that_takes_too_long_is_ended),
		cmocka_unit_test(files_that_were_changed_are_built_again),
		cmocka_unit_test(two_pawls_build_one_commit_once),
		cmocka_unit_test(trees_used_longest_ago_go_first_and_used_ones_never),
		cmocka_unit_test(nothing_to_build_is_warned_of),
		cmocka_unit_test(odd_folders_are_built_in_too),
		cmocka_unit_test(an_unknown_commit_is_absent),
	};

	return cmocka_run_group_tests(tests, trees_begin, trees_end);
}
