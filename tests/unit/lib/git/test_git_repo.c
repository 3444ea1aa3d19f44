/* Every kind of repository, read by libgit2 and by git, with the same answers. */
#include "tests/unit/test_git_fixture.h"

#include "tests/unit/lib/git/test_git_describe.h"

#include "lib/base/banned.h"

static void commit_carries_id_tree_parents_subject_and_times(void **state)
{
	struct git_commit c = GIT_COMMIT_INIT;
	struct repo *repo = NULL;
	struct err err = ERR_INIT;
	char *id, *tree, *parent;

	(void)state;
	make_repo("full");
	run("full", "mkdir", "sub");
	id = git_says("full", "rev-parse", "HEAD", NULL);
	tree = git_says("full", "rev-parse", "HEAD^{tree}", NULL);
	parent = git_says("full", "rev-parse", "HEAD~1", NULL);
	assert_int_equal(repo_open(at("full/sub"), &repo, &err), 0);
	assert_string_equal(repo_reader(repo), "libgit2");
	assert_string_equal(repo_top(repo), at("full"));
	assert_string_equal(repo_git_dir(repo), at("full/.git"));
	assert_int_equal(repo_commit(repo, "HEAD", &c, &err), 0);
	assert_string_equal(c.id, id);
	assert_string_equal(c.tree, tree);
	assert_int_equal(c.parents.n, 1);
	assert_string_equal(c.parents.v[0], parent);
	assert_string_equal(c.subject, "three");
	assert_int_equal(c.author_time_us, FIXTURE_AUTHOR_US);
	assert_int_equal(c.commit_time_us, FIXTURE_COMMIT_US);
	assert_false(c.truncated);
	git_commit_release(&c);
	repo_close(repo);
	free(id);
	free(tree);
	free(parent);
}

static void both_readers_agree_on_a_plain_repository(void **state)
{
	(void)state;
	make_repo("plain");
	says(at("plain"), "branch main\nproject plain\ndirty 0\n", "'three'",
	     "nope: absent: unknown revision 'nope' ()\n", ": absent: unknown revision '' ()\n",
	     "--all: absent: unknown", "HEAD..main: absent", "HEAD^{tree}: absent", ":f: absent",
	     "^HEAD: absent", "it is the first one", NULL);
}

static void path_inside_the_git_folder_finds_the_work_tree(void **state)
{
	(void)state;
	make_repo("inner");
	says(at("inner/.git"), at("inner\n"), "project inner\n", NULL);
	says(at("inner/.git/refs"), at("inner\n"), NULL);
}

static void annotated_tag_is_peeled_to_its_commit(void **state)
{
	char *want, *text;

	(void)state;
	make_repo("tagged");
	run("tagged", "git", "tag", "-a", "-m", "release", "inner-tag", "HEAD~1");
	run("tagged", "git", "tag", "-a", "-m", "nested", "v1", "inner-tag");
	want = git_says("tagged", "rev-parse", "HEAD~1", NULL);
	text = both_say(at("tagged"));
	has(text, "v1: ");
	assert_memory_equal(strstr(text, "v1: ") + 4, want, strlen(want));
	free(want);
	free(text);
}

static void detached_head_has_no_branch(void **state)
{
	(void)state;
	make_repo("loose");
	run("loose", "git", "checkout", "-q", "--detach", "HEAD~1");
	says(at("loose"), "branch (detached)\n", "HEAD: ", "'two'", NULL);
}

static void unborn_head_is_told_by_its_branch(void **state)
{
	(void)state;
	run(".", "git", "init", "-q", "new");
	says(at("new"), "branch main\n", "dirty 0\n",
	     "HEAD: absent: branch 'main' has no commit yet (git commit)\n",
	     "nope: absent: unknown revision 'nope' ()\n", NULL);
	put(at("new/f"), "x\n");
	run("new", "git", "add", "f");
	says(at("new"), "dirty 1\n", NULL);
}

static void bare_repository_has_no_top_and_is_clean(void **state)
{
	(void)state;
	make_repo("seed");
	run(".", "git", "clone", "-q", "--bare", "seed", "zlib.git");
	run("zlib.git", "git", "remote", "remove", "origin");
	says(at("zlib.git"), "top (none)\n", "project zlib\n", "dirty 0\n", "'three'", NULL);
}

static void linked_worktrees_share_the_common_folder_and_the_name(void **state)
{
	char *text;

	(void)state;
	make_repo("main tree");
	run("main tree", "git", "worktree", "add", "-q", "-b", "side", "../linked", "HEAD~1");
	text = both_say(at("linked"));
	has(text, at("linked\n"));
	has(text, at("main tree/.git/worktrees/linked\n"));
	has(text, at("main tree/.git\nshallow"));
	has(text, "branch side\nproject main tree\n");
	free(text);
}

static void linked_worktree_with_relative_paths_opens(void **state)
{
	(void)state;
	make_repo("rel");
	run("rel", "git", "worktree", "add", "-q", "--detach", "../rel-linked");
	run("rel", "git", "config", "core.repositoryformatversion", "1");
	run("rel", "git", "config", "extensions.worktreeConfig", "true");
	put(at("rel-linked/.git"), "gitdir: ../rel/.git/worktrees/rel-linked\n");
	says(at("rel-linked"), "branch (detached)\nproject rel\n", "'three'", NULL);
}

static void extensions_that_do_not_matter_open_in_libgit2(void **state)
{
	struct repo *repo = NULL;
	struct err err = ERR_INIT;

	(void)state;
	make_repo("extended");
	run("extended", "git", "config", "core.repositoryformatversion", "1");
	run("extended", "git", "config", "extensions.worktreeConfig", "true");
	run("extended", "git", "config", "extensions.partialClone", "origin");
	assert_int_equal(repo_open(at("extended"), &repo, &err), 0);
	assert_string_equal(repo_reader(repo), "libgit2");
	repo_close(repo);
	says(at("extended"), "'three'", NULL);
	/* git 2.39 does not know this one: libgit2 alone can open it. */
	run("extended", "git", "config", "extensions.relativeWorktrees", "true");
	assert_int_equal(repo_open(at("extended"), &repo, &err), 0);
	assert_string_equal(repo_reader(repo), "libgit2");
	repo_close(repo);
}

static void paths_with_blanks_quotes_newlines_and_no_utf8_work(void **state)
{
	static const char *const names[] = { "with blank",   "new\nline",   "end\n", "-dash",
					     "quo'te\"s $x", "bad\xff\xfe", "a\\b" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		run(".", "mkdir", "-p", at("%s", names[i]));
		run(".", "git", "init", "-q", at("%s", names[i]));
		commit(names[i], "1\n", "one");
		run(names[i], "git", "checkout", "-q", "-b", "b\xff\xfe");
		says(at("%s", names[i]), names[i], "branch b\xff\xfe\n", "'one'", NULL);
	}
}

static void submodule_is_a_repository_of_its_own(void **state)
{
	(void)state;
	make_repo("lib");
	make_repo("super");
	run("super", "git", "submodule", "--quiet", "add", at("lib"), "part");
	run("super", "git", "commit", "-qm", "with part");
	says(at("super/part"), at("super/.git/modules/part\n"), "project lib\n", "'three'", NULL);
	says(at("super"), "'with part'", "dirty 0\n", NULL);
}

static void project_is_named_after_origin(void **state)
{
	static const struct {
		const char *url, *name;
	} cases[] = {
		{ "https://example.org/a/zlib.git", "zlib" },
		{ "https://user:secret@example.org/zlib", "zlib" },
		{ "ssh://git@example.org:2222/a/zlib.git/", "zlib" },
		{ "git@example.org:zlib.git", "zlib" },
		{ "git@example.org:a/b/zlib", "zlib" },
		{ "/srv/zlib/.git", "zlib" },
		{ "../zlib.git", "zlib" },
		{ "C:zlib.git.git", "zlib.git" },
		{ "https://example.org", "named" },
		{ "https://example.org/.git", "named" },
		{ "/", "named" },
	};
	static const struct git_backend *const readers[] = { &backend_libgit2, &backend_cli };
	struct repo *repo = NULL;
	char *name;
	size_t i;

	(void)state;
	make_repo("named");
	for (i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
		run("named", "git", "config", "remote.origin.url", cases[i / 2].url);
		assert_int_equal(repo_open_with(readers[i % 2], at("named"), &repo, NULL), 0);
		assert_int_equal(repo_project_name(repo, &name, NULL), 0);
		assert_string_equal(name, cases[i / 2].name);
		free(name);
		repo_close(repo);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commit_carries_id_tree_parents_subject_and_times),
		cmocka_unit_test(both_readers_agree_on_a_plain_repository),
		cmocka_unit_test(path_inside_the_git_folder_finds_the_work_tree),
		cmocka_unit_test(annotated_tag_is_peeled_to_its_commit),
		cmocka_unit_test(detached_head_has_no_branch),
		cmocka_unit_test(unborn_head_is_told_by_its_branch),
		cmocka_unit_test(bare_repository_has_no_top_and_is_clean),
		cmocka_unit_test(linked_worktrees_share_the_common_folder_and_the_name),
		cmocka_unit_test(linked_worktree_with_relative_paths_opens),
		cmocka_unit_test(extensions_that_do_not_matter_open_in_libgit2),
		cmocka_unit_test(paths_with_blanks_quotes_newlines_and_no_utf8_work),
		cmocka_unit_test(submodule_is_a_repository_of_its_own),
		cmocka_unit_test(project_is_named_after_origin),
	};

	return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
