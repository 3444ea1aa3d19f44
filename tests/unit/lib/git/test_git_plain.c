/* What is read of a repository without a library: the same as by libgit2, or nothing. */
#include "tests/unit/test_git_fixture.h"

#include <sys/stat.h>

#include "lib/git/backend.h"
#include "lib/git/config/gitconfig.h"

#include "lib/base/banned.h"

static struct repo *open_plain(const char *path)
{
	struct repo *repo = NULL;
	struct err err = ERR_INIT;

	if (repo_open_with(&backend_plain, at("%s", path), &repo, &err))
		fail_msg("'%s': %s", path, err.text);
	return repo;
}

/* Opened by its files and by libgit2, it lies in the same place and has the same HEAD. */
static void is_read_alike(const char *path)
{
	struct repo *plain = open_plain(path), *other = NULL;
	char *whole = realpath(at("%s", path), NULL);
	struct err err = ERR_INIT, other_err = ERR_INIT;
	char id[OID_TEXT] = "", other_id[OID_TEXT] = "";

	assert_int_equal(repo_open_with(&backend_libgit2, whole, &other, &err), 0);
	assert_string_equal(repo_top(plain), repo_top(other));
	assert_string_equal(repo_git_dir(plain), repo_git_dir(other));
	assert_string_equal(repo_common_dir(plain), repo_common_dir(other));
	assert_int_equal(repo_resolve(plain, "HEAD", id, &err),
			 repo_resolve(other, "HEAD", other_id, &other_err));
	assert_string_equal(id, other_id);
	assert_string_equal(err.text, other_err.text);
	repo_close(plain);
	repo_close(other);
	free(whole);
}

/* HEAD was found, and nobody else had to be asked. */
static void head_is(const char *path, const char *rev)
{
	struct repo *repo = open_plain(path);
	char *wanted = git_says(path, "rev-parse", rev, NULL);
	struct err err = ERR_INIT;
	char id[OID_TEXT];

	assert_int_equal(repo_resolve(repo, "HEAD", id, &err), 0);
	assert_string_equal(id, wanted);
	assert_string_equal(repo_reader(repo), "its files");
	free(wanted);
	repo_close(repo);
	is_read_alike(path);
}

static void is_not_plain(const char *path)
{
	struct repo *repo = NULL;
	struct err err = ERR_INIT;

	if (!repo_open_with(&backend_plain, at("%s", path), &repo, &err))
		fail_msg("'%s' was opened", path);
	assert_int_equal(err.code, ERR_GIT);
}

static void usual_repositories_are_read(void **state)
{
	(void)state;
	make_repo("r");
	commit("r", "2\n", "two");
	head_is("r", "HEAD");
	unsetenv("GIT_CEILING_DIRECTORIES");
	run("r", "mkdir", "-p", "a/b");
	head_is("r/a/b", "HEAD");
	setenv("GIT_CEILING_DIRECTORIES", fixture_root, 1);
	is_not_plain("r/a/b");
	run("r", "git", "checkout", "-q", "--detach", "HEAD~1");
	head_is("r", "HEAD");
	run("r", "git", "checkout", "-q", "-b", "a/b.c", "main");
	head_is("r", "main");
	run("r", "git", "worktree", "add", "-q", "--detach", "../linked", "main~1");
	head_is("linked", "HEAD");
	run("r", "git", "worktree", "add", "-q", "-b", "other", "../second", "main~1");
	head_is("second", "main~1");
}

static void packed_references_are_found_by_their_whole_name(void **state)
{
	(void)state;
	make_repo("packed");
	run("packed", "git", "branch", "main2");
	run("packed", "git", "branch", "x/refs/heads/main");
	commit("packed", "2\n", "two");
	run("packed", "git", "tag", "-m", "a message", "refs/heads/main");
	run("packed", "git", "branch", "mai");
	run("packed", "git", "pack-refs", "--all");
	assert_int_equal(access(at("packed/.git/refs/heads/main"), F_OK), -1);
	head_is("packed", "HEAD");
	run("packed", "git", "checkout", "-q", "main2");
	head_is("packed", "main~1");
	commit("packed", "newer\n", "newer than what is packed");
	head_is("packed", "HEAD");
}

static void references_to_nothing_are_left_to_others(void **state)
{
	(void)state;
	run(".", "git", "init", "-q", "unborn");
	is_read_alike("unborn");
	make_repo("chain");
	run("chain", "git", "symbolic-ref", "refs/heads/next", "refs/heads/main");
	run("chain", "git", "symbolic-ref", "HEAD", "refs/heads/next");
	is_read_alike("chain");
	run("chain", "git", "symbolic-ref", "HEAD", "refs/notes/x");
	is_read_alike("chain");
	put(at("chain/.git/HEAD"), "ref: refs/heads/../heads/main\n");
	is_read_alike("chain");
}

static void unusual_repositories_are_not_opened(void **state)
{
	(void)state;
	run(".", "git", "init", "-q", "--bare", "bare");
	is_not_plain("bare");
	is_not_plain("bare/objects");
	make_repo("odd");
	is_not_plain("odd/.git");
	run("odd", "git", "config", "core.worktree", "..");
	is_not_plain("odd");
	run("odd", "git", "config", "--unset", "core.worktree");
	head_is("odd", "HEAD");
	run("odd", "git", "config", "core.bare", "true");
	is_not_plain("odd");
	run("odd", "git", "config", "core.bare", "false");
	run("odd", "git", "config", "core.repositoryformatversion", "1");
	is_not_plain("odd");
	run("odd", "git", "config", "core.repositoryformatversion", "0");
	run("odd", "git", "config", "extensions.worktreeConfig", "true");
	is_not_plain("odd");
	put(at("odd/.git/config"), "[core\n");
	is_not_plain("odd");
	run(".", "git", "init", "-q", "--object-format=sha256", "wide");
	is_not_plain("wide");
	make_repo("real");
	run(".", "mkdir", "links");
	assert_int_equal(symlink(at("real/.git"), at("links/.git")), 0);
	is_not_plain("links");
	run(".", "mkdir", "nothing");
	is_not_plain("nothing");
	run(".", "mkdir", "empty");
	run("empty", "mkdir", ".git");
	is_not_plain("empty");
}

static void somebody_elses_repository_is_not_opened(void **state)
{
	(void)state;
	if (geteuid()) {
		print_message("# skipped: only root can give a repository to another user\n");
		skip();
	}
	make_repo("foreign");
	assert_int_equal(lchown(at("foreign/.git"), 65534, 65534), 0);
	is_not_plain("foreign");
	assert_int_equal(lchown(at("foreign/.git"), 0, 0), 0);
	head_is("foreign", "HEAD");
	assert_int_equal(lchown(at("foreign"), 65534, 65534), 0);
	is_not_plain("foreign");
}

static void what_files_do_not_say_is_asked_of_libgit2(void **state)
{
	struct git_commit c = GIT_COMMIT_INIT;
	struct repo *repo;
	struct err err = ERR_INIT;
	char *branch = NULL, id[OID_TEXT];
	const char *top;
	bool dirty = true;

	(void)state;
	make_repo("asked");
	commit("asked", "2\n", "two");
	repo = open_plain("asked");
	top = repo_top(repo);
	assert_int_equal(repo_commit(repo, "main~1", &c, &err), 0);
	assert_string_equal(repo_reader(repo), "libgit2");
	assert_ptr_equal(repo_top(repo), top);
	assert_int_equal(repo_branch(repo, &branch, &err), 0);
	assert_string_equal(branch, "main");
	assert_int_equal(repo_is_dirty(repo, &dirty, &err), 0);
	assert_false(dirty);
	assert_int_equal(repo_resolve(repo, "HEAD", id, &err), 0);
	git_commit_release(&c);
	free(branch);
	repo_close(repo);
}

static void configuration_is_read_alike(void **state)
{
	static const char *const values[] = {
		"[pawl]\n\tbuild = make  # c\n",
		"[pawl]\n\tbuild = \" a \" b ; c\n",
		"[pawl]\n\tbuild = a\\\n  b \\t\\\"x\\\" \\\\\n\truns\n",
		"[pawl \"Hook\"]block=\n[PAWL]Runs=3\r\n",
		"[pawl.Sub]\n\tx = 1\n[benchmark \"a\\\"b]c\"] command = \"#;\"\n",
		"\xef\xbb\xbf; c\n[pawl]\n\n\tbuild=\"\"\n",
		"[include]\n\tpath = more\n[pawl]\n\truns = 4\n",
		"[pawl] runs = 1\n[includeIf \"gitdir:**/config/\"]\n\tpath = more\n",
		"[pawl] project = last line",
	};
	size_t i, k;

	(void)state;
	make_repo("config");
	put(at("home/more"), "[pawl]\n\tseed = 9\n");
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct gitconfig a = GITCONFIG_INIT, b = GITCONFIG_INIT;
		struct repo *plain = open_plain("config"), *other = NULL;
		struct err err = ERR_INIT;

		setenv("GIT_CONFIG_GLOBAL", at("home/global"), 1);
		put(at("home/global"), values[i]);
		assert_int_equal(repo_open_with(&backend_cli, at("config"), &other, &err), 0);
		assert_int_equal(gitconfig_read_git(plain, &a, &err), 0);
		assert_int_equal(gitconfig_read_git(other, &b, &err), 0);
		if (a.n != b.n)
			fail_msg("%zu and %zu values of:\n%s", a.n, b.n, values[i]);
		for (k = 0; k < a.n; k++) {
			assert_string_equal(a.v[k].key, b.v[k].key);
			assert_int_equal(!a.v[k].value, !b.v[k].value);
			if (a.v[k].value)
				assert_string_equal(a.v[k].value, b.v[k].value);
		}
		assert_string_equal(repo_reader(plain),
				    strstr(values[i], "[include") ? "libgit2" : "its files");
		gitconfig_release(&a);
		gitconfig_release(&b);
		repo_close(plain);
		repo_close(other);
	}
	unsetenv("GIT_CONFIG_GLOBAL");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(usual_repositories_are_read),
		cmocka_unit_test(packed_references_are_found_by_their_whole_name),
		cmocka_unit_test(references_to_nothing_are_left_to_others),
		cmocka_unit_test(unusual_repositories_are_not_opened),
		cmocka_unit_test(somebody_elses_repository_is_not_opened),
		cmocka_unit_test(what_files_do_not_say_is_asked_of_libgit2),
		cmocka_unit_test(configuration_is_read_alike),
	};

	return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
