/* Built commits: kept, shared, rebuilt when they are not whole, and cleared. */
#include "tests/unit/trees_fixture.h"

#include <signal.h>
#include <sys/mount.h>

#include "lib/base/stop.h"

#include "lib/base/banned.h"

/* Each build adds a line to $HOME/builds. */
#define COUNT "echo x >>\"$HOME/builds\"; "

static size_t n_builds(void)
{
	struct buf text = BUF_INIT;
	size_t n;

	file_read_whole(at("home/builds"), 1 << 20, &text, NULL);
	n = text.len / 2;
	buf_release(&text);
	unlink(at("home/builds"));
	return n;
}

/* A repository of three commits and this build command. */
static void start(const char *dir, const char *build)
{
	make_repo(dir);
	use(dir, build);
	n_builds();
}

/* What is in the repository's folder of trees that is no lock and no wrapper. */
static size_t n_kept(const char *dir)
{
	struct buf out = BUF_INIT;
	char *argv[] = { (char[]){ "sh" }, (char[]){ "-c" },
			 (char[]){ "ls .git/pawl/trees | grep -vc '^cc-\\|lock$'" }, NULL };
	int status;
	size_t n;

	assert_int_equal(
		proc_capture(at("%s", dir), argv, 4096, UINT64_MAX, &out, NULL, &status, NULL), 0);
	n = strtoul(buf_str(&out), NULL, 10);
	buf_release(&out);
	return n;
}

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
	assert_non_null(strstr(buf_str(&told), "were changed: building it again"));
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

/* Runs tree_open() in a process of its own whose build waits, and kills it when it does. */
static void kill_while_building(const char *dir, int signal)
{
	int status, i;
	pid_t pid;

	unlink(at("home/building"));
	pid = fork();
	if (!pid) {
		struct tree t = TREE_INIT;

		stop_install();
		_exit(tree_open(&request, id_of(dir, "HEAD"), NULL, &t, &fault) ? fault.code : 0);
	}
	for (i = 0; i < 600 && !file_exists(at("home/building")); i++)
		usleep(50000);
	assert_true(file_exists(at("home/building")));
	assert_int_equal(kill(pid, signal), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (signal == SIGKILL)
		assert_true(WIFSIGNALED(status));
	else
		assert_int_equal(WEXITSTATUS(status), ERR_STOPPED);
}

static const char waiting[] = COUNT "touch half; test -e \"$HOME/go\" || "
				    "{ touch \"$HOME/building\"; sleep 1000; }; rm half; cp f made";

static void what_a_killed_pawl_left_is_built_anew(void **state)
{
	struct tree t;

	(void)state;
	start("killed", waiting);
	kill_while_building("killed", SIGKILL);
	assert_int_equal(n_kept("killed"), 1);
	put(at("home/go"), "");
	/* The sleep of the killed build is an orphan now; it holds the log and is waited for. */
	run(".", "sh", "-c",
	    "for p in /proc/[0-9]*; do case $(readlink $p/cwd) in "
	    "*/killed/.git/pawl/trees/*) kill ${p#/proc/};; esac; done; true");
	t = open_well("killed", "HEAD");
	assert_false(t.kept);
	assert_int_equal(n_builds(), 2);
	assert_false(file_exists(at("%s/half", t.path + strlen(fixture_root) + 1)));
	tree_close(&t);
	assert_alone("killed");
	unlink(at("home/go"));
}

static void a_stopped_build_leaves_nothing_but_its_log(void **state)
{
	(void)state;
	start("stopped", waiting);
	kill_while_building("stopped", SIGTERM);
	assert_int_equal(n_kept("stopped"), 0);
	assert_alone("stopped");
}

static void leftovers_are_cleared_by_trimming(void **state)
{
	(void)state;
	start("left", "true");
	run("left", "mkdir", "-p", ".git/pawl/trees/0123456789abcdef/tree");
	run("left", "git", "worktree", "add", "-q", "--detach", "--lock", "--reason",
	    "pawl no-such-boot 1 1 pid:[1]", ".git/pawl/trees/fedcba9876543210/tree");
	assert_int_equal(n_kept("left"), 2);
	assert_int_equal(trees_trim(request.state_dir, request.repo, UINT64_MAX, &fault), 0);
	assert_int_equal(n_kept("left"), 0);
	assert_alone("left");
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

			_exit(tree_open(&request, id_of("two", "HEAD"), NULL, &t, &fault) ? 1 : 0);
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

static void a_full_disk_fails_and_leaves_nothing(void **state)
{
	struct tree t = TREE_INIT;
	char small[FIXTURE_PATH * 2];
	int failed, left;

	(void)state;
	start("full", "head -c 3000000 /dev/zero >made");
	snprintf(small, sizeof(small), "%s", at("small"));
	run(".", "mkdir", "small");
	if (mount("none", small, "tmpfs", 0, "size=1m")) {
		print_message("# skipped: no right to mount a small disk\n");
		skip();
	}
	request.state_dir = small;
	failed = open_rev("full", "HEAD", &t);
	left = try_run(".", "sh", "-c", "ls small/trees | grep -v '^cc-\\|lock$' >&2", NULL);
	assert_int_equal(umount(small), 0);
	assert_int_equal(failed, -1);
	assert_int_equal(fault.code, ERR_FULL);
	assert_int_equal(left, 1); /* grep found none */
	assert_alone("full");
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
		cmocka_unit_test(another_compiler_builds_again),
		cmocka_unit_test(uncommitted_work_is_built_by_its_tree),
		cmocka_unit_test(a_failed_build_says_why_and_leaves_its_log_alone),
		cmocka_unit_test(a_build_that_removes_its_own_folder_failed),
		cmocka_unit_test(a_build_that_makes_folders_unwritable_can_be_removed),
		cmocka_unit_test(a_build_that_takes_too_long_is_ended),
		cmocka_unit_test(files_that_were_changed_are_built_again),
		cmocka_unit_test(what_a_killed_pawl_left_is_built_anew),
		cmocka_unit_test(a_stopped_build_leaves_nothing_but_its_log),
		cmocka_unit_test(leftovers_are_cleared_by_trimming),
		cmocka_unit_test(two_pawls_build_one_commit_once),
		cmocka_unit_test(trees_used_longest_ago_go_first_and_used_ones_never),
		cmocka_unit_test(a_full_disk_fails_and_leaves_nothing),
		cmocka_unit_test(nothing_to_build_is_warned_of),
		cmocka_unit_test(odd_folders_are_built_in_too),
		cmocka_unit_test(an_unknown_commit_is_absent),
	};

	return cmocka_run_group_tests(tests, trees_begin, trees_end);
}
