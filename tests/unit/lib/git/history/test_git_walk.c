/* What lies between two commits, and where to cut: on real repositories. */
#include "tests/unit/lib/git/history/test_git_walked.h"

#include <stdlib.h>

#include "lib/git/git_command.h"
#include "lib/git/history/walk.h"

#include "lib/base/banned.h"

/* The subjects of commits, joined by blanks; free() it. */
static char *subjects(struct repo *repo, const struct strv *ids)
{
	struct buf text = BUF_INIT;
	size_t i;

	for (i = 0; i < ids->n; i++) {
		struct git_commit c = GIT_COMMIT_INIT;

		assert_int_equal(repo_commit(repo, ids->v[i], &c, NULL), 0);
		buf_addf(&text, "%s%s", i ? " " : "", c.subject);
		git_commit_release(&c);
	}
	buf_addc(&text, '\0');
	return buf_detach(&text);
}

static void between(struct repo *repo, const char *from, const char *to, bool first_parent,
		    size_t max, const char *wanted)
{
	struct strv ids = STRV_INIT;
	struct err err = ERR_INIT;
	char *text;

	if (walk_between(repo, from, to, first_parent, max, &ids, &err))
		fail_msg("%s", err.text);
	text = subjects(repo, &ids);
	assert_string_equal(text, wanted);
	free(text);
	strv_release(&ids);
}

static void commits_between_come_oldest_first(void **state)
{
	struct repo *repo;

	(void)state;
	make_repo("line");
	repo = open_repo("line");
	between(repo, "HEAD~2", "HEAD", false, 0, "two three");
	between(repo, NULL, "HEAD", false, 0, "one two three");
	between(repo, NULL, "HEAD", true, 2, "two three");
	between(repo, "HEAD", "HEAD~1", false, 0, "");
	between(repo, "HEAD", "HEAD", false, 0, "");
	repo_close(repo);
}

static void main_line_leaves_the_merged_side_out(void **state)
{
	struct repo *repo;

	(void)state;
	make_merged("sides");
	repo = open_repo("sides");
	between(repo, "main~2", "main", true, 0, "join four");
	between(repo, "main~2", "main", false, 0, "left right join four");
	between(repo, "side", "main~2", false, 0, "three");
	repo_close(repo);
}

static void merge_base_is_the_nearest_common_commit(void **state)
{
	char base[OID_TEXT], two[OID_TEXT];
	struct git_commit c = GIT_COMMIT_INIT;
	struct err err = ERR_INIT;
	struct repo *repo;

	(void)state;
	make_merged("fork");
	repo = open_repo("fork");
	assert_int_equal(repo_commit(repo, "side~2", &c, &err), 0);
	memcpy(two, c.id, strlen(c.id) + 1);
	assert_int_equal(walk_merge_base(repo, "main~2", "side", base, &err), 0);
	assert_string_equal(base, two);
	run("fork", "git", "checkout", "-q", "--orphan", "other");
	run("fork", "git", "commit", "-q", "--allow-empty", "-m", "alone");
	assert_int_equal(walk_merge_base(repo, "other", "main", base, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_non_null(strstr(err.hint, "BASE..HEAD"));
	assert_int_equal(walk_merge_base(repo, "--all", "main", base, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	git_commit_release(&c);
	repo_close(repo);
}

static void unknown_or_optionlike_revisions_are_absent(void **state)
{
	static const char *const revs[] = { "nowhere", "--all",	      "-n1",	     "^HEAD",
					    "",	       "HEAD HEAD~1", "HEAD..HEAD~1" };
	struct strv ids = STRV_INIT, good = STRV_INIT;
	struct err err = ERR_INIT;
	struct repo *repo;
	char id[OID_TEXT], *name = NULL;
	bool is;
	size_t i;

	(void)state;
	make_repo("bad-revs");
	repo = open_repo("bad-revs");
	assert_int_equal(strv_add(&good, "HEAD", &err), 0);
	for (i = 0; i < sizeof(revs) / sizeof(revs[0]); i++) {
		assert_int_equal(walk_between(repo, revs[i], "HEAD", false, 0, &ids, &err), -1);
		assert_int_equal(err.code, ERR_ABSENT);
		assert_int_equal(walk_between(repo, NULL, revs[i], false, 0, &ids, &err), -1);
		assert_int_equal(err.code, ERR_ABSENT);
		assert_int_equal(walk_bisect(repo, &good, revs[i], false, &ids, &err), -1);
		assert_int_equal(err.code, ERR_ABSENT);
		assert_int_equal(walk_is_ancestor(repo, revs[i], "HEAD", &is, &err), -1);
		assert_int_equal(err.code, ERR_ABSENT);
		assert_int_equal(walk_last_tag(repo, revs[i], id, &name, &err), -1);
		assert_int_equal(err.code, ERR_ABSENT);
	}
	assert_int_equal(ids.n, 0);
	assert_null(name);
	strv_release(&good);
	repo_close(repo);
}

static void best_cut_halves_a_line_and_bad_itself_comes_last(void **state)
{
	struct strv ids = STRV_INIT, good = STRV_INIT;
	struct err err = ERR_INIT;
	struct repo *repo;
	char *text;
	int i;

	(void)state;
	make_repo("cut");
	for (i = 4; i <= 9; i++) {
		char number[2] = { (char)('0' + i), '\0' };

		commit("cut", number, number);
	}
	repo = open_repo("cut");
	/* one is good: the eight above it could be the first bad one; 5 has four below it */
	assert_int_equal(strv_add(&good, "HEAD~8", &err), 0);
	assert_int_equal(walk_bisect(repo, &good, "HEAD", false, &ids, &err), 0);
	assert_int_equal(ids.n, 8);
	text = subjects(repo, &ids);
	assert_memory_equal(text, "5 ", 2);
	assert_string_equal(text + strlen(text) - 2, " 9");
	free(text);
	strv_release(&ids);
	/* nothing is left when the bad one is good */
	assert_int_equal(strv_add(&good, "HEAD", &err), 0);
	assert_int_equal(walk_bisect(repo, &good, "HEAD", false, &ids, &err), 0);
	assert_int_equal(ids.n, 0);
	strv_release(&good);
	repo_close(repo);
}

static void best_cut_looks_into_a_merged_side(void **state)
{
	struct strv ids = STRV_INIT, good = STRV_INIT;
	struct err err = ERR_INIT;
	struct repo *repo;

	(void)state;
	make_merged("graph");
	repo = open_repo("graph");
	assert_int_equal(strv_add(&good, "main~3", &err), 0);
	assert_int_equal(walk_bisect(repo, &good, "main", false, &ids, &err), 0);
	assert_int_equal(ids.n, 5); /* three left right join four */
	strv_release(&ids);
	strv_release(&good);
	/* the side was forked before three: it is not on the path */
	assert_int_equal(strv_add(&good, "main~2", &err), 0);
	assert_int_equal(walk_bisect(repo, &good, "main", true, &ids, &err), 0);
	assert_int_equal(ids.n, 2); /* join four */
	strv_release(&ids);
	assert_int_equal(walk_bisect(repo, &good, "main", false, &ids, &err), 0);
	assert_int_equal(ids.n, 4); /* left right join four */
	strv_release(&ids);
	strv_release(&good);
	assert_int_equal(strv_add(&good, "main~3", &err), 0);
	/* with the join good, its side is good too */
	assert_int_equal(strv_add(&good, "main~1", &err), 0);
	assert_int_equal(walk_bisect(repo, &good, "main", false, &ids, &err), 0);
	assert_int_equal(ids.n, 1);
	strv_release(&ids);
	strv_release(&good);
	repo_close(repo);
}

static void ancestry_is_told_both_ways(void **state)
{
	struct err err = ERR_INIT;
	struct repo *repo;
	bool is;

	(void)state;
	make_merged("kin");
	repo = open_repo("kin");
	assert_int_equal(walk_is_ancestor(repo, "side", "main", &is, &err), 0);
	assert_true(is);
	assert_int_equal(walk_is_ancestor(repo, "main", "side", &is, &err), 0);
	assert_false(is);
	assert_int_equal(walk_is_ancestor(repo, "side", "main~2", &is, &err), 0);
	assert_false(is);
	assert_int_equal(walk_is_ancestor(repo, "main", "main", &is, &err), 0);
	assert_true(is);
	repo_close(repo);
}

static void shallow_border_is_an_end_not_a_fault(void **state)
{
	struct strv ids = STRV_INIT, good = STRV_INIT;
	struct err err = ERR_INIT;
	struct repo *repo;
	char url[FIXTURE_PATH * 2], id[OID_TEXT], *name = NULL;

	(void)state;
	make_repo("deep");
	run("deep", "git", "tag", "v1", "HEAD~2");
	snprintf(url, sizeof(url), "file://%s", at("deep"));
	run(".", "git", "clone", "-q", "--depth=2", url, "shallow");
	repo = open_repo("shallow");
	between(repo, NULL, "HEAD", false, 0, "two three");
	between(repo, "HEAD~1", "HEAD", false, 0, "three");
	assert_int_equal(walk_between(repo, "HEAD~2", "HEAD", false, 0, &ids, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_non_null(strstr(err.hint, "shallow"));
	assert_int_equal(strv_add(&good, "HEAD~1", &err), 0);
	assert_int_equal(walk_bisect(repo, &good, "HEAD", false, &ids, &err), 0);
	assert_int_equal(ids.n, 1);
	assert_int_equal(walk_last_tag(repo, "HEAD", id, &name, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_non_null(strstr(err.hint, "shallow"));
	strv_release(&ids);
	strv_release(&good);
	repo_close(repo);
}

static void author_is_told_by_the_mail_map(void **state)
{
	struct repo *repo;
	char *author = NULL;

	(void)state;
	make_repo("authors");
	run("authors", "git", "config", "log.showSignature", "true");
	repo = open_repo("authors");
	assert_int_equal(walk_author(repo, "HEAD", &author, NULL), 0);
	assert_string_equal(author, "Test <test@pawl.invalid>");
	free(author);
	author = NULL;
	put(at("authors/.mailmap"), "Real Name <test@pawl.invalid>\n");
	assert_int_equal(walk_author(repo, "HEAD", &author, NULL), 0);
	assert_string_equal(author, "Real Name <test@pawl.invalid>");
	free(author);
	author = NULL;
	assert_int_equal(walk_author(repo, "--all", &author, NULL), -1);
	assert_null(author);
	repo_close(repo);
}

static void sha256_repositories_are_walked_too(void **state)
{
	struct strv ids = STRV_INIT, good = STRV_INIT;
	struct err err = ERR_INIT;
	struct repo *repo;

	(void)state;
	run(".", "git", "init", "-q", "--object-format=sha256", "long");
	commit("long", "1\n", "one");
	commit("long", "2\n", "two");
	commit("long", "3\n", "three");
	repo = open_repo("long");
	between(repo, "HEAD~2", "HEAD", false, 0, "two three");
	assert_int_equal(strv_add(&good, "HEAD~2", &err), 0);
	assert_int_equal(walk_bisect(repo, &good, "HEAD", false, &ids, &err), 0);
	assert_int_equal(ids.n, 2);
	assert_int_equal(strlen(ids.v[0]), 64);
	strv_release(&ids);
	strv_release(&good);
	repo_close(repo);
}

/* A list of commits would come one write at a time. */
static void git_writes_its_answer_in_one_go(void **state)
{
	static const char *const args[] = { "-c", "alias.asked=!echo \"$GIT_FLUSH\"", "asked",
					    NULL };
	struct buf out = BUF_INIT;
	struct repo *repo;

	(void)state;
	make_repo("flush");
	repo = open_repo("flush");
	assert_int_equal(setenv("GIT_FLUSH", "1", 1), 0);
	assert_int_equal(git_answer(repo, NULL, args, &out, NULL), 0);
	assert_string_equal(buf_str(&out), "0\n");
	assert_int_equal(unsetenv("GIT_FLUSH"), 0);
	buf_release(&out);
	repo_close(repo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commits_between_come_oldest_first),
		cmocka_unit_test(main_line_leaves_the_merged_side_out),
		cmocka_unit_test(merge_base_is_the_nearest_common_commit),
		cmocka_unit_test(unknown_or_optionlike_revisions_are_absent),
		cmocka_unit_test(best_cut_halves_a_line_and_bad_itself_comes_last),
		cmocka_unit_test(best_cut_looks_into_a_merged_side),
		cmocka_unit_test(ancestry_is_told_both_ways),
		cmocka_unit_test(shallow_border_is_an_end_not_a_fault),
		cmocka_unit_test(author_is_told_by_the_mail_map),
		cmocka_unit_test(sha256_repositories_are_walked_too),
		cmocka_unit_test(git_writes_its_answer_in_one_go),
	};

	return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
