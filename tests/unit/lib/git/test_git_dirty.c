/* When a work tree counts as changed; both readers must agree. */
#include "tests/unit/test_git_fixture.h"

#include "lib/git/backend.h"

#include "lib/base/banned.h"

static bool one_says(const struct git_backend *backend, const char *dir)
{
	struct repo *repo = NULL;
	struct err err = ERR_INIT;
	bool dirty = false;

	if (repo_open_with(backend, at("%s", dir), &repo, &err) ||
	    repo_is_dirty(repo, &dirty, &err))
		fail_msg("%s: %s", backend->name, err.text);
	repo_close(repo);
	return dirty;
}

static bool is_dirty(const char *dir)
{
	bool dirty = one_says(&backend_libgit2, dir);

	assert_int_equal(one_says(&backend_cli, dir), dirty);
	return dirty;
}

static void untracked_and_ignored_files_do_not_count(void **state)
{
	(void)state;
	make_repo("extra");
	put(at("extra/new"), "x\n");
	put(at("extra/.git/info/exclude"), "f2\n");
	put(at("extra/f2"), "x\n");
	assert_false(is_dirty("extra"));
}

static void changed_content_counts_staged_or_not(void **state)
{
	(void)state;
	make_repo("changed");
	assert_false(is_dirty("changed"));
	put(at("changed/f"), "4\n");
	assert_true(is_dirty("changed"));
	run("changed", "git", "add", "f");
	assert_true(is_dirty("changed"));
	/* staged, and taken back in the work tree alone */
	put(at("changed/f"), "3\n");
	assert_true(is_dirty("changed"));
	run("changed", "git", "reset", "-q", "--hard");
	assert_false(is_dirty("changed"));
}

static void deleted_file_counts(void **state)
{
	(void)state;
	make_repo("deleted");
	run("deleted", "rm", "f");
	assert_true(is_dirty("deleted"));
}

static void changed_mode_counts(void **state)
{
	(void)state;
	make_repo("mode");
	run("mode", "chmod", "+x", "f");
	assert_true(is_dirty("mode"));
}

static void touched_file_with_the_same_content_does_not_count(void **state)
{
	(void)state;
	make_repo("touched");
	run("touched", "touch", "-d", "2001-01-01", "f");
	assert_false(is_dirty("touched"));
}

static void index_is_not_written(void **state)
{
	char *before, *after;

	(void)state;
	make_repo("index");
	run("index", "touch", "-d", "2001-01-01", "f");
	before = git_says("index", "hash-object", ".git/index", NULL);
	assert_false(is_dirty("index"));
	after = git_says("index", "hash-object", ".git/index", NULL);
	assert_string_equal(before, after);
	free(before);
	free(after);
}

static void read_only_repository_can_be_asked(void **state)
{
	(void)state;
	make_repo("locked");
	run("locked", "touch", "-d", "2001-01-01", "f");
	run("locked", "chmod", "-R", "a-w", ".git");
	assert_false(is_dirty("locked"));
	run("locked", "chmod", "-R", "u+w", ".git");
}

static void submodule_counts_by_its_commit_and_not_by_its_files(void **state)
{
	(void)state;
	make_repo("part");
	make_repo("whole");
	run("whole", "git", "submodule", "--quiet", "add", at("part"), "part");
	run("whole", "git", "commit", "-qm", "with part");
	assert_false(is_dirty("whole"));
	put(at("whole/part/f"), "changed\n");
	assert_false(is_dirty("whole"));
	run("whole/part", "git", "checkout", "-q", "-f", "HEAD~1");
	assert_true(is_dirty("whole"));
	run("whole", "git", "add", "part");
	assert_true(is_dirty("whole"));
}

static void submodule_that_is_not_checked_out_does_not_count(void **state)
{
	(void)state;
	make_repo("part2");
	make_repo("whole2");
	run("whole2", "git", "submodule", "--quiet", "add", at("part2"), "part");
	run("whole2", "git", "commit", "-qm", "with part");
	run(".", "git", "clone", "-q", "whole2", "empty-part");
	assert_false(is_dirty("empty-part"));
}

/* libgit2 alone would call these changed: it runs no filter and knows no sparse checkout. */
static void file_behind_a_clean_filter_does_not_count(void **state)
{
	(void)state;
	make_repo("filtered");
	run("filtered", "git", "config", "filter.up.clean", "tr a-z A-Z");
	run("filtered", "git", "config", "filter.up.smudge", "tr A-Z a-z");
	put(at("filtered/.gitattributes"), "g filter=up\n");
	put(at("filtered/g"), "text\n");
	run("filtered", "git", "add", ".");
	run("filtered", "git", "commit", "-qm", "filtered");
	run("filtered", "touch", "-d", "2001-01-01", "g");
	assert_false(is_dirty("filtered"));
	put(at("filtered/g"), "other\n");
	assert_true(is_dirty("filtered"));
}

static void sparse_checkout_does_not_count(void **state)
{
	(void)state;
	make_repo("sparse");
	run("sparse", "mkdir", "a", "b");
	put(at("sparse/a/x"), "x\n");
	put(at("sparse/b/y"), "y\n");
	run("sparse", "git", "add", ".");
	run("sparse", "git", "commit", "-qm", "folders");
	run("sparse", "git", "sparse-checkout", "set", "--cone", "a");
	assert_false(file_exists(at("sparse/b/y")));
	assert_false(is_dirty("sparse"));
	run("sparse", "git", "sparse-checkout", "set", "--cone", "--sparse-index", "a");
	assert_false(is_dirty("sparse"));
	put(at("sparse/a/x"), "z\n");
	assert_true(is_dirty("sparse"));
}

static void no_hook_and_no_monitor_is_run(void **state)
{
	(void)state;
	make_repo("hooked");
	run("hooked", "mkdir", "-p", ".git/hooks");
	put(at("hooked/.git/hooks/monitor"), "#!/bin/sh\ntouch \"${0%/*}/ran\" ran\n");
	run("hooked", "cp", ".git/hooks/monitor", ".git/hooks/post-index-change");
	run("hooked", "chmod", "+x", ".git/hooks/monitor", ".git/hooks/post-index-change");
	run("hooked", "git", "config", "core.fsmonitor", ".git/hooks/monitor");
	run("hooked", "touch", "-d", "2001-01-01", "f");
	assert_false(is_dirty("hooked"));
	assert_false(file_exists(at("hooked/.git/hooks/ran")));
	assert_false(file_exists(at("hooked/ran")));
	/* the trap works: git left alone steps into it */
	try_run("hooked", "git", "status", NULL);
	assert_true(file_exists(at("hooked/ran")));
}

static void bare_repository_is_clean(void **state)
{
	(void)state;
	run(".", "git", "init", "-q", "--bare", "bare.git");
	assert_false(is_dirty("bare.git"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(untracked_and_ignored_files_do_not_count),
		cmocka_unit_test(changed_content_counts_staged_or_not),
		cmocka_unit_test(deleted_file_counts),
		cmocka_unit_test(changed_mode_counts),
		cmocka_unit_test(touched_file_with_the_same_content_does_not_count),
		cmocka_unit_test(index_is_not_written),
		cmocka_unit_test(read_only_repository_can_be_asked),
		cmocka_unit_test(submodule_counts_by_its_commit_and_not_by_its_files),
		cmocka_unit_test(submodule_that_is_not_checked_out_does_not_count),
		cmocka_unit_test(file_behind_a_clean_filter_does_not_count),
		cmocka_unit_test(sparse_checkout_does_not_count),
		cmocka_unit_test(no_hook_and_no_monitor_is_run),
		cmocka_unit_test(bare_repository_is_clean),
	};

	return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
