/* What libgit2 cannot open, whose repository it is, and what the environment says. */
#include "tests/unit/test_git_fixture.h"

#include <sys/stat.h>

#include "lib/git/backend.h"

#include "lib/base/banned.h"

#define NOBODY "65534"

/* Opens, and fails the test with the reason when that does not work. */
static struct repo *open_or_fail(const char *path)
{
	struct repo *repo = NULL;
	struct err err = ERR_INIT;

	if (repo_open(path, &repo, &err))
		fail_msg("%s", err.text);
	return repo;
}

static struct err fault_of_open(const char *path)
{
	struct repo *repo = NULL;
	struct err err = ERR_INIT;

	assert_int_equal(repo_open(path, &repo, &err), -1);
	assert_null(repo);
	return err;
}

/* Only root can give a folder to somebody else. */
static void needs_root(void)
{
	if (geteuid() == 0)
		return;
	print_message("# skipped: only root can give a repository to another user\n");
	skip();
}

static void sha256_repository_is_read_by_git_with_64_digits(void **state)
{
	struct git_commit c = GIT_COMMIT_INIT;
	struct err err = ERR_INIT;
	struct repo *repo;
	char parent[OID_TEXT], *branch = NULL, *name = NULL, *id;
	bool dirty = true;

	(void)state;
	run(".", "git", "init", "-q", "--object-format=sha256", "wide");
	commit("wide", "1\n", "one");
	commit("wide", "2\n", "two");
	id = git_says("wide", "rev-parse", "HEAD", NULL);
	repo = open_or_fail(at("wide"));
	assert_string_equal(repo_reader(repo), "git");
	assert_int_equal(repo_commit(repo, "HEAD", &c, &err), 0);
	assert_string_equal(c.id, id);
	assert_int_equal(strlen(c.id), 64);
	assert_int_equal(strlen(c.tree), 64);
	assert_string_equal(c.subject, "two");
	assert_int_equal(c.commit_time_us, FIXTURE_COMMIT_US);
	assert_int_equal(repo_first_parent(repo, c.id, parent, &err), 0);
	assert_string_equal(parent, c.parents.v[0]);
	assert_int_equal(repo_branch(repo, &branch, &err), 0);
	assert_string_equal(branch, "main");
	assert_int_equal(repo_project_name(repo, &name, &err), 0);
	assert_string_equal(name, "wide");
	assert_int_equal(repo_is_dirty(repo, &dirty, &err), 0);
	assert_false(dirty);
	put(at("wide/f"), "3\n");
	assert_int_equal(repo_is_dirty(repo, &dirty, &err), 0);
	assert_true(dirty);
	git_commit_release(&c);
	repo_close(repo);
	free(branch);
	free(name);
	free(id);
}

static void extension_nobody_knows_is_refused_in_git_s_words(void **state)
{
	struct err err;

	(void)state;
	make_repo("future");
	run("future", "git", "config", "core.repositoryformatversion", "1");
	run("future", "git", "config", "extensions.fromTheFuture", "true");
	err = fault_of_open(at("future"));
	assert_int_equal(err.code, ERR_GIT);
	assert_non_null(strstr(err.text, at("future")));
	assert_non_null(strstr(err.text, "unknown repository extension found: "));
	assert_non_null(strstr(err.text, "fromthefuture"));
}

static void without_git_the_fault_names_the_cure(void **state)
{
	char *path = strdup(getenv("PATH"));
	struct repo *repo;
	struct err err;

	(void)state;
	make_repo("alone");
	run(".", "git", "init", "-q", "--object-format=sha256", "wide2");
	setenv("PATH", "/nonexistent", 1);
	err = fault_of_open(at("wide2"));
	repo = open_or_fail(at("alone"));
	setenv("PATH", path, 1);
	free(path);
	repo_close(repo);
	assert_int_equal(err.code, ERR_GIT);
	assert_non_null(strstr(err.text, "extensions.objectformat"));
	assert_string_equal(err.hint, "install git: it reads what libgit2 cannot");
}

static void folder_without_a_repository_is_absent(void **state)
{
	struct err err;

	(void)state;
	run(".", "mkdir", "-p", "nothing/below");
	err = fault_of_open(at("nothing/below"));
	assert_int_equal(err.code, ERR_ABSENT);
	assert_non_null(strstr(err.text, "no git repository at '"));
	assert_string_equal(err.hint, "run pawl inside a repository, or `git init` one");
	err = fault_of_open(at("nothing/at all"));
	assert_int_equal(err.code, ERR_ABSENT);
	put(at("nothing/file"), "");
	err = fault_of_open(at("nothing/file"));
	assert_int_equal(err.code, ERR_ABSENT);
}

static void git_folder_that_is_none_is_absent_or_refused(void **state)
{
	struct err err;

	(void)state;
	run(".", "mkdir", "-p", "hollow/.git");
	err = fault_of_open(at("hollow"));
	assert_int_equal(err.code, ERR_ABSENT);
	run(".", "mkdir", "-p", "dangling");
	put(at("dangling/.git"), "gitdir: /nonexistent\n");
	err = fault_of_open(at("dangling"));
	assert_true(err.code == ERR_GIT || err.code == ERR_ABSENT);
}

static void repository_of_another_user_is_refused_until_trusted(void **state)
{
	char hint[FIXTURE_PATH * 2];
	struct err err;

	(void)state;
	needs_root();
	make_repo("theirs");
	run("theirs", "mkdir", "deep");
	run(".", "chown", "-R", NOBODY, "theirs");
	err = fault_of_open(at("theirs/deep"));
	assert_int_equal(err.code, ERR_GIT);
	assert_non_null(strstr(err.text, "repository '"));
	assert_non_null(strstr(err.text, "theirs' is owned by another user"));
	snprintf(hint, sizeof(hint), "git config --global --add safe.directory '%s'", at("theirs"));
	assert_string_equal(err.hint, hint);
	run(".", "sh", "-c", err.hint);
	repo_close(open_or_fail(at("theirs/deep")));
}

static void repository_of_another_user_is_told_without_git_too(void **state)
{
	char *path;
	struct err err;

	(void)state;
	needs_root();
	path = strdup(getenv("PATH"));
	make_repo("theirs2");
	run(".", "chown", "-R", NOBODY, "theirs2");
	setenv("PATH", "/nonexistent", 1);
	err = fault_of_open(at("theirs2"));
	setenv("PATH", path, 1);
	free(path);
	assert_int_equal(err.code, ERR_GIT);
	assert_non_null(strstr(err.text, "theirs2' is owned by another user"));
}

static void bare_repository_of_another_user_is_named_itself(void **state)
{
	struct err err;

	(void)state;
	needs_root();
	run(".", "git", "init", "-q", "--bare", "theirs.git");
	run(".", "chown", "-R", NOBODY, "theirs.git");
	err = fault_of_open(at("theirs.git/refs"));
	assert_non_null(strstr(err.text, "theirs.git' is owned by another user"));
}

/* A hook exports these for the repository that is pushed; both readers look elsewhere. */
static void environment_of_a_hook_does_not_lead_astray(void **state)
{
	const struct git_backend *const backends[] = { &backend_libgit2, &backend_cli };
	struct git_commit c = GIT_COMMIT_INIT;
	struct repo *repo = NULL;
	struct err err = ERR_INIT;
	bool dirty = true;
	size_t i;

	(void)state;
	make_repo("pushed");
	commit("pushed", "4\n", "from the hook");
	make_repo("looked-at");
	setenv("GIT_DIR", at("pushed/.git"), 1);
	setenv("GIT_WORK_TREE", at("pushed"), 1);
	setenv("GIT_INDEX_FILE", at("pushed/.git/no-index"), 1);
	setenv("GIT_OBJECT_DIRECTORY", at("pushed/.git/objects"), 1);
	setenv("GIT_PREFIX", "x/", 1);
	for (i = 0; i < 2; i++) {
		assert_int_equal(repo_open_with(backends[i], at("looked-at"), &repo, &err), 0);
		assert_string_equal(repo_top(repo), at("looked-at"));
		if (repo_commit(repo, "HEAD", &c, &err))
			fail_msg("%s", err.text);
		assert_string_equal(c.subject, "three");
		assert_int_equal(repo_is_dirty(repo, &dirty, &err), 0);
		assert_false(dirty);
		git_commit_release(&c);
		repo_close(repo);
	}
	clear_git_environment();
}

static void missing_home_is_no_fault(void **state)
{
	char *home = strdup(getenv("HOME"));
	struct git_commit c = GIT_COMMIT_INIT;
	struct err err = ERR_INIT;
	struct repo *repo;

	(void)state;
	make_repo("homeless");
	unsetenv("HOME");
	repo = open_or_fail(at("homeless"));
	assert_int_equal(repo_commit(repo, "HEAD", &c, &err), 0);
	git_commit_release(&c);
	repo_close(repo);
	setenv("HOME", "", 1);
	repo_close(open_or_fail(at("homeless")));
	setenv("HOME", home, 1);
	free(home);
}

static void two_repositories_may_be_open_at_a_time(void **state)
{
	struct git_commit c = GIT_COMMIT_INIT;
	struct err err = ERR_INIT;
	struct repo *one, *two;

	(void)state;
	make_repo("first");
	make_repo("second");
	one = open_or_fail(at("first"));
	two = open_or_fail(at("second"));
	repo_close(one);
	assert_int_equal(repo_commit(two, "HEAD", &c, &err), 0);
	git_commit_release(&c);
	repo_close(two);
	repo_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sha256_repository_is_read_by_git_with_64_digits),
		cmocka_unit_test(extension_nobody_knows_is_refused_in_git_s_words),
		cmocka_unit_test(without_git_the_fault_names_the_cure),
		cmocka_unit_test(folder_without_a_repository_is_absent),
		cmocka_unit_test(git_folder_that_is_none_is_absent_or_refused),
		cmocka_unit_test(repository_of_another_user_is_refused_until_trusted),
		cmocka_unit_test(repository_of_another_user_is_told_without_git_too),
		cmocka_unit_test(bare_repository_of_another_user_is_named_itself),
		cmocka_unit_test(environment_of_a_hook_does_not_lead_astray),
		cmocka_unit_test(missing_home_is_no_fault),
		cmocka_unit_test(two_repositories_may_be_open_at_a_time),
	};

	return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
