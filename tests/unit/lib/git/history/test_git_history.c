/* Where history ends, joins, is cut or rewritten: libgit2 and git must agree. */
#include "tests/unit/test_git_fixture.h"

#include "tests/unit/lib/git/test_git_describe.h"

#include "lib/base/banned.h"

/* A clone through the file transport, which alone honours depth and filters. */
static void clone_by_url(const char *from, const char *to, const char *option)
{
	char url[FIXTURE_PATH * 2];

	snprintf(url, sizeof(url), "file://%s", at("%s", from));
	run(".", "git", "clone", "-q", option, url, to);
}

static void shallow_clone_says_that_history_is_cut(void **state)
{
	char *text;

	(void)state;
	make_repo("deep");
	clone_by_url("deep", "shallow", "--depth=1");
	text = both_say(at("shallow"));
	has(text, "shallow 1\n");
	has(text, " truncated <");
	has(text, " absent: the parent of commit ");
	has(text, "(git fetch --deepen=1)\n");
	has(text, "HEAD~1: absent: unknown revision 'HEAD~1' (this clone is shallow: ");
	free(text);
	run("shallow", "git", "fetch", "-q", "--deepen=1");
	text = both_say(at("shallow"));
	has(text, "HEAD~1: ");
	has(text, "'two'");
	free(text);
	run("shallow", "git", "fetch", "-q", "--unshallow");
	says(at("shallow"), "shallow 0\n", "'one'", NULL);
}

static void a_branch_of_origin_that_is_not_here_is_fetched(void **state)
{
	struct repo *repo = NULL;
	struct err err = ERR_INIT;
	char id[OID_TEXT];

	(void)state;
	make_repo("many");
	run("many", "git", "branch", "other", "HEAD~1");
	clone_by_url("many", "single", "--single-branch");
	assert_int_equal(repo_open(at("single"), &repo, NULL), 0);
	assert_int_equal(repo_resolve(repo, "origin/other~1", id, &err), -1);
	assert_string_equal(err.hint, "git fetch origin other:refs/remotes/origin/other brings "
				      "that branch: this clone has not got it");
	run("single", "git", "fetch", "-q", "origin", "other:refs/remotes/origin/other");
	assert_int_equal(repo_resolve(repo, "origin/other", id, &err), 0);
	err = (struct err)ERR_INIT;
	assert_int_equal(repo_resolve(repo, "origin/other~99", id, &err), -1);
	assert_null(strstr(err.hint, "git fetch"));
	assert_int_equal(repo_resolve(repo, "origin/$(id)", id, &err), -1);
	assert_null(strstr(err.hint, "git fetch"));
	repo_close(repo);
	assert_int_equal(repo_open(at("many"), &repo, NULL), 0);
	err = (struct err)ERR_INIT;
	assert_int_equal(repo_resolve(repo, "origin/other", id, &err), -1);
	assert_string_equal(err.hint, "");
	repo_close(repo);
}

static void worktree_of_a_shallow_clone_is_shallow(void **state)
{
	(void)state;
	make_repo("deep2");
	clone_by_url("deep2", "shallow2", "--depth=1");
	run("shallow2", "git", "worktree", "add", "-q", "--detach", "../shallow2-linked");
	says(at("shallow2-linked"), "shallow 1\n", " truncated <", NULL);
}

static void replacements_and_grafts_do_not_hide_the_real_parent(void **state)
{
	char *id;

	(void)state;
	make_repo("grafted");
	run("grafted", "git", "replace", "--graft", "HEAD");
	says(at("grafted"), "HEAD~1: ", "'two'", NULL);
	run("grafted", "git", "replace", "-d", "HEAD");
	id = git_says("grafted", "rev-parse", "HEAD", NULL);
	put(at("grafted/.git/info/grafts"), id);
	free(id);
	says(at("grafted"), "HEAD~1: ", "'two'", NULL);
}

static void merge_has_both_parents_and_the_first_is_the_branch(void **state)
{
	struct git_commit c = GIT_COMMIT_INIT;
	struct repo *repo = NULL;
	struct err err = ERR_INIT;
	char first[OID_TEXT];

	(void)state;
	make_repo("merged");
	run("merged", "git", "checkout", "-q", "-b", "side", "HEAD~1");
	run("merged", "git", "commit", "-q", "--allow-empty", "-m", "aside");
	run("merged", "git", "checkout", "-q", "main");
	run("merged", "git", "merge", "-q", "--no-ff", "-m", "join", "side");
	free(both_say(at("merged")));
	assert_int_equal(repo_open(at("merged"), &repo, &err), 0);
	assert_int_equal(repo_commit(repo, "HEAD", &c, &err), 0);
	assert_int_equal(c.parents.n, 2);
	assert_int_equal(repo_first_parent(repo, c.id, first, &err), 0);
	assert_string_equal(first, c.parents.v[0]);
	git_commit_release(&c);
	assert_int_equal(repo_commit(repo, first, &c, &err), 0);
	assert_string_equal(c.subject, "three");
	git_commit_release(&c);
	repo_close(repo);
}

static void partial_clone_is_never_made_whole(void **state)
{
	struct git_commit c = GIT_COMMIT_INIT;
	struct repo *repo = NULL;
	struct err err = ERR_INIT;
	const struct git_backend *const backends[] = { &backend_libgit2, &backend_cli };
	char *id, *offered;
	size_t i;

	(void)state;
	make_repo("origin");
	run("origin", "git", "config", "uploadpack.allowFilter", "true");
	run("origin", "git", "config", "uploadpack.allowAnySHA1InWant", "true");
	clone_by_url("origin", "partial", "--filter=blob:none");
	says(at("partial"), "project origin\n", "'three'", NULL);
	commit("origin", "4\n", "four");
	id = git_says("origin", "rev-parse", "HEAD", NULL);
	for (i = 0; i < 2; i++) {
		assert_int_equal(repo_open_with(backends[i], at("partial"), &repo, &err), 0);
		assert_int_equal(repo_commit(repo, id, &c, &err), -1);
		assert_int_equal(err.code, ERR_ABSENT);
		repo_close(repo);
	}
	/* The check is worth something only if git, left alone, would have fetched it. */
	offered = git_says("partial", "cat-file", "-t", id, NULL);
	assert_string_equal(offered, "commit");
	free(offered);
	free(id);
}

static void ids_that_name_no_commit_are_absent(void **state)
{
	static const char zeros[] = "0000000000000000000000000000000000000000";
	struct repo *repo = NULL;
	struct err err = ERR_INIT;
	char parent[OID_TEXT], *tree;

	(void)state;
	make_repo("ids");
	tree = git_says("ids", "rev-parse", "HEAD^{tree}", NULL);
	assert_int_equal(repo_open(at("ids"), &repo, &err), 0);
	assert_int_equal(repo_first_parent(repo, zeros, parent, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_int_equal(repo_first_parent(repo, tree, parent, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_int_equal(repo_first_parent(repo, "HEAD", parent, &err), -1);
	assert_string_equal(err.text, "'HEAD' is not a commit id");
	repo_close(repo);
	free(tree);
}

static void missing_parent_of_a_whole_clone_is_damage(void **state)
{
	char *id;

	(void)state;
	make_repo("holed");
	id = git_says("holed", "rev-parse", "HEAD~1", NULL);
	run("holed", "rm", at("holed/.git/objects/%.2s/%s", id, id + 2));
	says(at("holed"), "(git fsck)\n", NULL);
	free(id);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shallow_clone_says_that_history_is_cut),
		cmocka_unit_test(a_branch_of_origin_that_is_not_here_is_fetched),
		cmocka_unit_test(worktree_of_a_shallow_clone_is_shallow),
		cmocka_unit_test(replacements_and_grafts_do_not_hide_the_real_parent),
		cmocka_unit_test(merge_has_both_parents_and_the_first_is_the_branch),
		cmocka_unit_test(partial_clone_is_never_made_whole),
		cmocka_unit_test(ids_that_name_no_commit_are_absent),
		cmocka_unit_test(missing_parent_of_a_whole_clone_is_damage),
	};

	return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
