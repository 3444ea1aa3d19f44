/* Ids of uncommitted work and of parts of a tree. */
#include "tests/unit/worktree_fixture.h"

#include "lib/base/banned.h"

static const char *work_id(const char *dir)
{
	static char id[OID_TEXT];

	err_clear(&fault);
	if (worktree_id(open_at(dir), id, &fault))
		fail_msg("%s", fault.text);
	return id;
}

static void a_clean_work_tree_has_the_commits_own_tree(void **state)
{
	(void)state;
	make_repo("clean");
	assert_string_equal(work_id("clean"), id_of("clean", "HEAD^{tree}"));
}

static void changed_and_untracked_files_count_and_ignored_ones_do_not(void **state)
{
	struct buf before = BUF_INIT, after = BUF_INIT;
	char *status, *want;

	(void)state;
	make_repo("changed");
	put(at("changed/.git/info/exclude"), "ignored\n");
	put(at("changed/f"), "changed\n");
	put(at("changed/new"), "new\n");
	put(at("changed/ignored"), "x\n");
	status = git_says("changed", "status", "--porcelain", NULL);
	assert_int_equal(file_read_whole(at("changed/.git/index"), 1 << 20, &before, NULL), 0);
	want = str_dup(work_id("changed"), NULL);
	assert_int_equal(file_read_whole(at("changed/.git/index"), 1 << 20, &after, NULL), 0);
	assert_int_equal(before.len, after.len);
	assert_memory_equal(before.data, after.data, before.len);
	assert_string_equal(status, " M f\n?? new");
	free(status);
	status = git_says("changed", "ls-tree", "--name-only", want, NULL);
	assert_string_equal(status, "f\nnew");
	run("changed", "git", "add", "-A");
	run("changed", "git", "commit", "-qm", "all of it");
	assert_string_equal(want, id_of("changed", "HEAD^{tree}"));
	free(status);
	free(want);
	buf_release(&before);
	buf_release(&after);
}

static void a_bare_repository_has_no_uncommitted_work(void **state)
{
	char id[OID_TEXT];

	(void)state;
	run(".", "git", "clone", "-q", "--bare", "clean", "bare.git");
	assert_int_equal(worktree_id(open_at("bare.git"), id, &fault), -1);
	assert_int_equal(fault.code, ERR_ABSENT);
}

static void a_sparse_work_tree_keeps_what_is_not_checked_out(void **state)
{
	(void)state;
	make_sparse();
	assert_string_equal(work_id("sparse"), id_of("sparse", "HEAD^{tree}"));
}

/* The lines of paths (ended by NULL) at a revision, each ended by '\n'; free() them. */
static char *entries(const char *dir, const char *rev, const char *const *names)
{
	struct strv paths = STRV_INIT, lines = STRV_INIT;
	struct buf text = BUF_INIT;
	size_t i;

	for (; *names; names++)
		assert_int_equal(strv_add(&paths, *names, NULL), 0);
	err_clear(&fault);
	if (tree_entries(open_at(dir), rev, &paths, &lines, &fault))
		fail_msg("%s", fault.text);
	assert_int_equal(lines.n, paths.n);
	buf_adds(&text, "");
	for (i = 0; i < lines.n; i++)
		buf_addf(&text, "%s\n", lines.v[i]);
	strv_release(&paths);
	strv_release(&lines);
	return buf_detach(&text);
}

static void make_parts(void)
{
	run(".", "git", "init", "-q", "parts");
	run("parts", "mkdir", "-p", "src/deep", "docs");
	put(at("parts/src/a.c"), "a\n");
	put(at("parts/src/deep/b.c"), "b\n");
	put(at("parts/docs/page"), "p\n");
	put(at("parts/[x]*"), "literal\n");
	run("parts", "git", "add", ".");
	run("parts", "git", "commit", "-qm", "one");
}

static void each_path_has_its_line_in_order(void **state)
{
	static const char *const names[] = { "src/deep/b.c", "./src//", "none", "[x]*",
					     "src/none",     "src",	NULL };
	struct buf want = BUF_INIT;
	char *got;

	(void)state;
	make_parts();
	buf_addf(&want, "100644 blob %s src/deep/b.c\n", id_of("parts", "HEAD:src/deep/b.c"));
	buf_addf(&want, "040000 tree %s src\n", id_of("parts", "HEAD:src"));
	buf_adds(&want, "absent none\n");
	buf_addf(&want, "100644 blob %s [x]*\n", id_of("parts", "HEAD:[x]*"));
	buf_adds(&want, "absent src/none\n");
	buf_addf(&want, "040000 tree %s src\n", id_of("parts", "HEAD:src"));
	got = entries("parts", "HEAD", names);
	assert_string_equal(got, buf_str(&want));
	free(got);
	got = entries("parts", id_of("parts", "HEAD^{tree}"), names);
	assert_string_equal(got, buf_str(&want));
	free(got);
	buf_release(&want);
}

static void a_change_below_a_folder_changes_its_line_and_no_other(void **state)
{
	static const char *const src[] = { "src", "src/a.c", NULL };
	static const char *const all[] = { ".", NULL };
	char *before, *after;

	(void)state;
	put(at("parts/docs/page"), "changed\n");
	run("parts", "git", "commit", "-qam", "docs");
	before = entries("parts", "HEAD~1", src);
	after = entries("parts", "HEAD", src);
	assert_string_equal(before, after);
	free(before);
	free(after);
	before = entries("parts", "HEAD~1", all);
	after = entries("parts", "HEAD", all);
	assert_string_not_equal(before, after);
	free(after);
	free(before);
	put(at("parts/src/deep/b.c"), "changed\n");
	run("parts", "git", "commit", "-qam", "source");
	before = entries("parts", "HEAD~1", src);
	after = entries("parts", "HEAD", src);
	assert_string_not_equal(before, after);
	free(before);
	free(after);
}

static void odd_revisions_are_unknown_and_no_options(void **state)
{
	static const char *const revs[] = { "--all", "-h", "", "HEAD~99", "nothing here" };
	struct strv paths = STRV_INIT, lines = STRV_INIT;
	size_t i;

	(void)state;
	assert_int_equal(strv_add(&paths, "src", NULL), 0);
	open_at("parts");
	for (i = 0; i < sizeof(revs) / sizeof(revs[0]); i++) {
		assert_int_equal(tree_entries(opened, revs[i], &paths, &lines, &fault), -1);
		assert_int_equal(fault.code, ERR_ABSENT);
		assert_int_equal(lines.n, 0);
	}
	strv_release(&paths);
}

/* The link that leads away from some paths, "" for none. */
static void leads_away(const char *const *paths, const char *want)
{
	struct strv names = STRV_INIT;
	struct err err = ERR_INIT;
	char *got = NULL;

	for (; *paths; paths++)
		assert_int_equal(strv_add(&names, *paths, NULL), 0);
	if (tree_link_away(open_at("ways"), "HEAD", &names, &got, &err))
		fail_msg("%s", err.text);
	assert_string_equal(got ? got : "", want);
	free(got);
	strv_release(&names);
}

static void a_link_leads_away_or_to_what_is_named(void **state)
{
	static const char *const links[][2] = {
		{ "b", "src/a" },	    { "../docs/page", "src/page" },
		{ "../src", "docs/all" },   { "src/b", "short" },
		{ "src", "folder" },	    { "../../x", "src/out" },
		{ "/etc/passwd", "etc/p" }, { "x/../../src/b", "etc/odd" },
	};
	size_t i;

	(void)state;
	run(".", "git", "init", "-q", "ways");
	run("ways", "mkdir", "src", "docs", "etc", "plain");
	put(at("ways/src/b"), "b\n");
	put(at("ways/docs/page"), "p\n");
	put(at("ways/plain/file"), "f\n");
	for (i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		assert_int_equal(symlink(links[i][0], at("ways/%s", links[i][1])), 0);
	run("ways", "git", "add", ".");
	run("ways", "git", "commit", "-qm", "one");
#define AWAY(want, ...) leads_away((const char *const[]){ __VA_ARGS__, NULL }, want)
	AWAY("", "plain");
	AWAY("", "plain/file", "none", "none/of/them");
	AWAY("", "src/b");
	AWAY("src/a", "src/a");
	AWAY("", "src/a", "src/b");
	AWAY("short", "short", "src/a");
	AWAY("", "./short", "src//b");
	AWAY("src/out", "src", "docs");
	AWAY("folder", "folder/b");
	AWAY("src/out", "folder/b", "src", "docs");
	AWAY("docs/all", "docs");
	AWAY("etc/odd", "etc/odd", "src/b");
	AWAY("etc/p", "etc/p", "src");
	AWAY("etc/odd", ".");
#undef AWAY
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_clean_work_tree_has_the_commits_own_tree),
		cmocka_unit_test(changed_and_untracked_files_count_and_ignored_ones_do_not),
		cmocka_unit_test(a_bare_repository_has_no_uncommitted_work),
		cmocka_unit_test(a_sparse_work_tree_keeps_what_is_not_checked_out),
		cmocka_unit_test(each_path_has_its_line_in_order),
		cmocka_unit_test(a_change_below_a_folder_changes_its_line_and_no_other),
		cmocka_unit_test(a_link_leads_away_or_to_what_is_named),
		cmocka_unit_test(odd_revisions_are_unknown_and_no_options),
	};

	return cmocka_run_group_tests(tests, fixture_begin, worktree_end);
}
