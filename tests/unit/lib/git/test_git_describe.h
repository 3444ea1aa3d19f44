/*
 * test_git_describe - all that repo.h tells of a repository, as text, from both readers.
 */
#ifndef PAWL_TESTS_UNIT_GIT_TEST_GIT_DESCRIBE_H
#define PAWL_TESTS_UNIT_GIT_TEST_GIT_DESCRIBE_H

#include "tests/unit/test_git_fixture.h"

#include "lib/git/backend.h"

static void describe_commit(struct repo *repo, const char *rev, struct buf *out)
{
	struct git_commit c = GIT_COMMIT_INIT;
	struct err err = ERR_INIT;
	char parent[OID_TEXT];
	size_t i;

	if (repo_commit(repo, rev, &c, &err)) {
		buf_addf(out, "%s: %s: %s (%s)\n", rev, err_name(err.code), err.text, err.hint);
		return;
	}
	buf_addf(out, "%s: %s %s '%s' %lld %lld%s", rev, c.id, c.tree, c.subject,
		 (long long)c.author_time_us, (long long)c.commit_time_us,
		 c.truncated ? " truncated" : "");
	for (i = 0; i < c.parents.n; i++)
		buf_addf(out, " <%s", c.parents.v[i]);
	if (repo_first_parent(repo, c.id, parent, &err))
		buf_addf(out, " %s: %s (%s)\n", err_name(err.code), err.text, err.hint);
	else
		buf_addf(out, " first %s\n", parent);
	git_commit_release(&c);
}

static void describe_state(struct repo *repo, struct buf *out)
{
	struct err err = ERR_INIT;
	char *text = NULL;
	bool dirty;

	if (repo_branch(repo, &text, &err))
		buf_addf(out, "branch: %s\n", err.text);
	else
		buf_addf(out, "branch %s\n", text ? text : "(detached)");
	free(text);
	text = NULL;
	if (repo_project_name(repo, &text, &err))
		buf_addf(out, "project: %s\n", err.text);
	else
		buf_addf(out, "project %s\n", text);
	free(text);
	if (repo_is_dirty(repo, &dirty, &err))
		buf_addf(out, "dirty: %s\n", err.text);
	else
		buf_addf(out, "dirty %d\n", dirty);
}

/* All that repo.h tells of the repository at path, as that backend tells it. */
static char *describe(const struct git_backend *backend, const char *path)
{
	static const char *const revs[] = { "HEAD",
					    "HEAD~1",
					    "HEAD~2",
					    "v1",
					    "main",
					    "nope",
					    "HEAD^{tree}",
					    "",
					    "-all",
					    "--all",
					    "HEAD..main",
					    ":f",
					    "^HEAD",
					    "HEAD\nmain",
					    "refs/heads/main",
					    "@{-7}",
					    "HEAD~99999999999999999999" };
	struct buf out = BUF_INIT;
	struct repo *repo = NULL;
	struct err err = ERR_INIT;
	size_t i;

	if (repo_open_with(backend, path, &repo, &err))
		fail_msg("%s: %s: %s", backend->name, path, err.text);
	assert_string_equal(repo_reader(repo), backend->name);
	buf_addf(&out, "top %s\ngit %s\ncommon %s\nshallow %d\n",
		 repo_top(repo) ? repo_top(repo) : "(none)", repo_git_dir(repo),
		 repo_common_dir(repo), repo_is_shallow(repo));
	describe_state(repo, &out);
	for (i = 0; i < sizeof(revs) / sizeof(revs[0]); i++)
		describe_commit(repo, revs[i], &out);
	repo_close(repo);
	return buf_detach(&out);
}

/* What both say of the repository at path; they must say the same. */
static char *both_say(const char *path)
{
	char *one = describe(&backend_libgit2, path), *two = describe(&backend_cli, path);

	assert_string_equal(one, two);
	free(two);
	return one;
}

__attribute__((unused)) static void has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
}

/* A new description of that repository has each of the parts. */
__attribute__((unused, sentinel)) static void says(const char *path, ...)
{
	char *text = both_say(path);
	const char *part;
	va_list ap;

	va_start(ap, path);
	while ((part = va_arg(ap, const char *)))
		has(text, part);
	va_end(ap);
	free(text);
}

#endif
