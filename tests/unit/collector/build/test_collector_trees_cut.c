/* Built commits: what a kill, a stop signal and a full disk leave. */
#include "tests/unit/collector/build/trees_fixture.h"

#include <signal.h>
#include <sys/mount.h>

#include "lib/process/stop.h"

#include "lib/base/banned.h"

/* Runs tree_open() in a process of its own until something in it waits, and kills it. */
static void kill_at_work(const char *dir, int signal)
{
	int status;
	pid_t pid;

	unlink(at("home/at-work"));
	pid = fork();
	if (!pid) {
		struct tree t = TREE_INIT;

		stop_install();
		_exit(tree_open(&request, id_of(dir, "HEAD"), NULL, &t, &fault) ? fault.code : 0);
	}
	while (!file_exists(at("home/at-work")) && waitpid(pid, &status, WNOHANG) == 0)
		usleep(50000);
	assert_true(file_exists(at("home/at-work")));
	assert_int_equal(kill(pid, signal), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (signal == SIGKILL)
		assert_true(WIFSIGNALED(status));
	else
		assert_int_equal(WEXITSTATUS(status), ERR_STOPPED);
}

/* Ends what a killed pawl left running in its trees. */
static void end_those_in(const char *dir)
{
	run(".", "sh", "-c",
	    "for p in /proc/[0-9]*; do case $(readlink $p/cwd) in "
	    "*/\"$1\"/.git/pawl/trees/*) kill ${p#/proc/};; esac; done; true",
	    "sh", dir);
}

static const char waiting[] = COUNT "touch half; test -e \"$HOME/go\" || "
				    "{ touch \"$HOME/at-work\"; sleep 1000; }; rm half; cp f made";

static void what_a_killed_pawl_left_is_built_anew(void **state)
{
	struct tree t;

	(void)state;
	start("killed", waiting);
	kill_at_work("killed", SIGKILL);
	assert_int_equal(n_kept("killed"), 1);
	put(at("home/go"), "");
	end_those_in("killed"); /* the orphan holds the log and would be waited for */
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
	kill_at_work("stopped", SIGTERM);
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

/* The first filter to run waits. */
static void a_checkout_that_was_killed_is_made_anew(void **state)
{
	struct tree t;

	(void)state;
	make_repo("filter");
	put(at("filter/.gitattributes"), "f filter=slow\n");
	run("filter", "git", "add", ".gitattributes");
	run("filter", "git", "commit", "-qm", "attributes");
	run("filter", "git", "config", "filter.slow.smudge",
	    "if test -e \"$HOME/go\"; then cat; else touch \"$HOME/at-work\"; sleep 1000; fi");
	use("filter", "cp f made");
	kill_at_work("filter", SIGKILL);
	end_those_in("filter");
	assert_int_equal(n_kept("filter"), 1);
	put(at("home/go"), "");
	t = open_well("filter", "HEAD");
	assert_file(at("%s/made", t.path + strlen(fixture_root) + 1), "3\n");
	tree_close(&t);
	assert_alone("filter");
	unlink(at("home/go"));
}

static void a_checkout_that_was_stopped_leaves_nothing(void **state)
{
	(void)state;
	assert_int_equal(trees_trim(request.state_dir, request.repo, 0, &fault), 0);
	kill_at_work("filter", SIGTERM);
	assert_int_equal(n_kept("filter"), 0);
	end_those_in("filter");
	assert_alone("filter");
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_killed_pawl_left_is_built_anew),
		cmocka_unit_test(a_stopped_build_leaves_nothing_but_its_log),
		cmocka_unit_test(a_checkout_that_was_killed_is_made_anew),
		cmocka_unit_test(a_checkout_that_was_stopped_leaves_nothing),
		cmocka_unit_test(leftovers_are_cleared_by_trimming),
		cmocka_unit_test(a_full_disk_fails_and_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, trees_begin, trees_end);
}
