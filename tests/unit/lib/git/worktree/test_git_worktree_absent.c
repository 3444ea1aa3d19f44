/* Other commits checked out where something is missing: objects, space, rights, submodules. */
#include "tests/unit/worktree_fixture.h"

#include <sys/mount.h>

#include "lib/base/banned.h"

#define NOBODY 65534
#define UNFIT 77 /* status of a child that cannot try it on this machine */

static void a_partial_clone_fetches_nothing_and_says_the_cure(void **state)
{
	(void)state;
	make_repo("whole");
	run("whole", "git", "config", "uploadpack.allowFilter", "true");
	run(".", "sh", "-c",
	    "git clone -q --no-checkout --filter=blob:none \"file://$PWD/whole\" partial");
	assert_int_equal(make_at("partial", "HEAD", "partial-out", false), -1);
	assert_int_equal(fault.code, ERR_ABSENT);
	assert_non_null(strstr(fault.hint, "git fetch"));
	assert_false(file_exists(at("partial-out")));
	assert_alone("partial");
	run("partial", "git", "fetch", "-q", "--refetch", "--no-filter");
	make_well("partial", "HEAD", "partial-out");
	assert_file(at("partial-out/f"), "3\n");
	assert_int_equal(worktree_detach(opened, at("partial-out"), &fault), 0);
}

static void a_damaged_repository_is_no_clean_checkout(void **state)
{
	const char *id;

	(void)state;
	make_repo("damaged");
	id = id_of("damaged", "HEAD:f");
	run("damaged", "rm", "-f", at("damaged/.git/objects/%.2s/%s", id, id + 2));
	assert_int_equal(make_at("damaged", "HEAD", "damaged-out", false), -1);
	assert_int_equal(fault.code, ERR_ABSENT);
	assert_false(file_exists(at("damaged-out")));
	make_well("damaged", "HEAD~1", "damaged-out");
	assert_file(at("damaged-out/f"), "2\n");
	assert_int_equal(worktree_detach(opened, at("damaged-out"), &fault), 0);
}

static void a_repository_that_cannot_be_written_is_read(void **state)
{
	const char *id;
	pid_t pid;
	int status;

	(void)state;
	make_repo("readonly");
	id = id_of("readonly", "HEAD");
	run("readonly", "git", "config", "filter.shout.smudge", "sed s/3/three/");
	put(at("readonly/.git/info/attributes"), "f filter=shout\n");
	run(".", "mkdir", "writable");
	run(".", "chmod", "-R", "a+rX,a-w", "readonly", "home");
	if (!getuid()) {
		assert_int_equal(chmod(fixture_root, 0755), 0);
		run(".", "chown", "-R", "65534", "readonly", "writable", "home");
	}
	pid = fork();
	if (!pid) {
		const char *path = at("writable/out");

		if (!getuid() && (setgid(NOBODY) || setuid(NOBODY)))
			_exit(1);
		if (access("/dev/null", R_OK | W_OK))
			_exit(UNFIT);
		if (repo_open(at("readonly"), &opened, &fault) ||
		    worktree_make(opened, id, NULL, path, false, NULL, NULL, &fault) ||
		    worktree_detach(opened, path, &fault))
			fprintf(stderr, "# %s\n", fault.text);
		_exit(fault.code);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	run(".", "chmod", "-R", "u+w", "readonly", "home");
	if (!getuid())
		run(".", "chown", "-R", "0", "readonly", "home");
	if (WIFEXITED(status) && WEXITSTATUS(status) == UNFIT) {
		print_message("# skipped: /dev/null is not for everybody here\n");
		skip();
	}
	assert_int_equal(status, 0);
	assert_file(at("writable/out/f"), "three\n");
	assert_false(file_exists(at("writable/out/.git")));
	assert_false(file_exists(at("writable/out.index")));
	assert_alone("readonly");
}

static void a_full_disk_is_said_and_nothing_left(void **state)
{
	char *big = calloc(1, 300001);
	int failed;

	(void)state;
	run(".", "mkdir", "small");
	if (mount("none", at("small"), "tmpfs", 0, "size=128k")) {
		free(big);
		print_message("# skipped: no right to mount a small disk\n");
		skip();
	}
	make_repo("full");
	memset(big, 'x', 300000);
	commit("full", big, "big");
	free(big);
	failed = make_at("full", "HEAD", "small/out", false);
	assert_false(file_exists(at("small/out")));
	assert_int_equal(umount(at("small")), 0);
	assert_int_equal(failed, -1);
	assert_int_equal(fault.code, ERR_FULL);
	assert_alone("full");
}

/* A repository "super" with submodule "sub dir" at path "deps/sub". */
static void make_super(void)
{
	make_repo("sub");
	run(".", "git", "init", "-q", "super");
	commit("super", "1\n", "one");
	run("super", "git", "submodule", "--quiet", "add", "--name", "sub dir", at("sub"),
	    "deps/sub");
	run("super", "git", "commit", "-qm", "submodule");
}

static void submodules_are_filled_on_request_from_what_is_here(void **state)
{
	(void)state;
	make_super();
	make_well("super", "HEAD", "super-out");
	assert_non_null(strstr(noted, "1 submodule is left empty"));
	assert_true(whole); /* it was not asked for */
	assert_false(file_exists(at("super-out/deps/sub/f")));
	assert_int_equal(worktree_detach(opened, at("super-out"), &fault), 0);
	assert_alone("super");
	assert_int_equal(make_at("super", "HEAD", "super-full", true), 0);
	assert_null(noted);
	assert_file(at("super-full/deps/sub/f"), "3\n");
	assert_false(file_exists(at("super-full/deps/sub.index")));
	assert_int_equal(worktree_detach(opened, at("super-full"), &fault), 0);
	assert_alone("super");
	run("super", "git", "submodule", "--quiet", "status");
}

static void a_submodule_that_is_not_here_is_noted_and_not_fetched(void **state)
{
	(void)state;
	run(".", "git", "clone", "-q", "super", "thin");
	assert_int_equal(make_at("thin", "HEAD", "thin-out", true), 0);
	assert_non_null(strstr(noted, "submodule 'deps/sub' is not here"));
	assert_false(whole);
	assert_false(file_exists(at("thin-out/deps/sub/f")));
	assert_false(file_exists(at("thin/.git/modules")));
	assert_int_equal(worktree_detach(opened, at("thin-out"), &fault), 0);
}

static void a_hostile_submodule_name_leads_nowhere(void **state)
{
	(void)state;
	run(".", "git", "clone", "-q", "super", "hostile");
	put(at("hostile/.gitmodules"), "[submodule \"../../../sub/.git\"]\n\tpath = deps/sub\n"
				       "\turl = ext::sh -c touch% pwned\n");
	run("hostile", "git", "commit", "-qam", "hostile");
	assert_int_equal(make_at("hostile", "HEAD", "hostile-out", true), 0);
	assert_non_null(strstr(noted, "is not here"));
	assert_false(file_exists(at("hostile-out/deps/sub/f")));
	assert_int_equal(worktree_detach(opened, at("hostile-out"), &fault), 0);
}

static void pointers_of_lfs_are_noticed(void **state)
{
	(void)state;
	make_repo("lfs");
	put(at("lfs/.gitattributes"), "*.bin filter=lfs diff=lfs merge=lfs -text\n");
	put(at("lfs/a.bin"), "version https://git-lfs.github.com/spec/v1\n"
			     "oid sha256:"
			     "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n"
			     "size 12\n");
	run("lfs", "git", "add", ".");
	run("lfs", "git", "commit", "-qm", "pointer");
	make_well("lfs", "HEAD", "lfs-out");
	assert_non_null(noted);
	assert_non_null(strstr(noted, "1 file of Git LFS is not here, as 'a.bin'"));
	assert_false(whole);
	assert_int_equal(worktree_detach(opened, at("lfs-out"), &fault), 0);
}

static void lfs_files_that_are_here_are_filled_in(void **state)
{
	(void)state;
	if (try_run(".", "git", "lfs", "version", NULL)) {
		print_message("# skipped: there is no git-lfs\n");
		skip();
	}
	run(".", "git", "init", "-q", "lfs-here");
	run("lfs-here", "git", "lfs", "install", "--local");
	run("lfs-here", "git", "lfs", "track", "*.bin");
	put(at("lfs-here/a.bin"), "content\n");
	run("lfs-here", "git", "add", ".");
	run("lfs-here", "git", "commit", "-qm", "one");
	make_well("lfs-here", "HEAD", "lfs-here-out");
	assert_null(noted);
	assert_file(at("lfs-here-out/a.bin"), "content\n");
	assert_true(whole);
	assert_int_equal(worktree_detach(opened, at("lfs-here-out"), &fault), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_partial_clone_fetches_nothing_and_says_the_cure),
		cmocka_unit_test(a_damaged_repository_is_no_clean_checkout),
		cmocka_unit_test(a_repository_that_cannot_be_written_is_read),
		cmocka_unit_test(a_full_disk_is_said_and_nothing_left),
		cmocka_unit_test(submodules_are_filled_on_request_from_what_is_here),
		cmocka_unit_test(a_submodule_that_is_not_here_is_noted_and_not_fetched),
		cmocka_unit_test(a_hostile_submodule_name_leads_nowhere),
		cmocka_unit_test(pointers_of_lfs_are_noticed),
		cmocka_unit_test(lfs_files_that_are_here_are_filled_in),
	};

	return cmocka_run_group_tests(tests, fixture_begin, worktree_end);
}
