/* The last tag below a commit, and the newest of some: on real repositories. */
#include "tests/unit/lib/git/history/test_git_walked.h"

#include "lib/git/history/walk.h"

#include "lib/base/banned.h"

static void wants_tag(struct repo *repo, const char *commit, const char *wanted)
{
	struct err err = ERR_INIT;
	struct git_commit c = GIT_COMMIT_INIT;
	char id[OID_TEXT], *name = NULL;

	if (walk_last_tag(repo, commit, id, &name, &err))
		fail_msg("%s", err.text);
	assert_string_equal(name, wanted);
	assert_int_equal(repo_commit(repo, name, &c, &err), 0);
	assert_string_equal(id, c.id);
	git_commit_release(&c);
	free(name);
}

static void last_tag_is_the_nearest_below_on_the_main_line(void **state)
{
	struct err err = ERR_INIT;
	struct repo *repo;
	char id[OID_TEXT], *name = NULL;

	(void)state;
	make_merged("tags");
	repo = open_repo("tags");
	assert_int_equal(walk_last_tag(repo, "main", id, &name, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	run("tags", "git", "tag", "v1", "main~3");
	run("tags", "git", "tag", "-m", "a message", "v2", "main~2");
	run("tags", "git", "tag", "on-the-side", "side");
	run("tags", "git", "tag", "here", "main");
	run("tags", "git", "tag", "a-file", "main:f");
	wants_tag(repo, "main", "v2");
	wants_tag(repo, "main~2", "v1");
	wants_tag(repo, "v2", "v1");
	assert_int_equal(walk_last_tag(repo, "main~4", id, &name, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT); /* the root has no parent */
	repo_close(repo);
}

static void newest_tag_among_commits_is_named_with_its_place(void **state)
{
	struct strv ids = STRV_INIT;
	struct err err = ERR_INIT;
	struct repo *repo;
	char *name = NULL;
	size_t at_place = 99;

	(void)state;
	make_repo("among");
	commit("among", "2\n", "two");
	commit("among", "3\n", "three");
	repo = open_repo("among");
	assert_int_equal(walk_between(repo, NULL, "HEAD", true, 0, &ids, &err), 0);
	assert_true(ids.n >= 3);
	assert_int_equal(walk_tag_among(repo, &ids, ids.n, &at_place, &name, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_null(name);
	run("among", "git", "tag", "v1", "HEAD~2");
	run("among", "git", "tag", "-m", "a message", "v2", "HEAD~1");
	run("among", "git", "tag", "v3", "HEAD");
	assert_int_equal(walk_tag_among(repo, &ids, ids.n - 1, &at_place, &name, &err), 0);
	assert_string_equal(name, "v2");
	assert_int_equal(at_place, ids.n - 2);
	free(name);
	run("among", "git", "pack-refs", "--all", "--prune");
	assert_int_equal(walk_tag_among(repo, &ids, ids.n - 1, &at_place, &name, &err), 0);
	assert_string_equal(name, "v2");
	free(name);
	strv_release(&ids);
	repo_close(repo);
}

static void tag_renamed_behind_git_is_named_by_its_reference(void **state)
{
	struct repo *repo;

	(void)state;
	make_repo("renamed");
	run("renamed", "git", "tag", "-m", "a message", "old", "HEAD~1");
	run("renamed", "git", "update-ref", "refs/tags/new", "refs/tags/old");
	run("renamed", "git", "update-ref", "-d", "refs/tags/old");
	repo = open_repo("renamed");
	wants_tag(repo, "HEAD", "new");
	repo_close(repo);
}

static void tags_of_sha256_are_found_too(void **state)
{
	struct repo *repo;

	(void)state;
	run(".", "git", "init", "-q", "--object-format=sha256", "long");
	commit("long", "1\n", "one");
	run("long", "git", "tag", "v1");
	commit("long", "2\n", "two");
	repo = open_repo("long");
	wants_tag(repo, "HEAD", "v1");
	repo_close(repo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(last_tag_is_the_nearest_below_on_the_main_line),
		cmocka_unit_test(newest_tag_among_commits_is_named_with_its_place),
		cmocka_unit_test(tag_renamed_behind_git_is_named_by_its_reference),
		cmocka_unit_test(tags_of_sha256_are_found_too),
	};

	return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
