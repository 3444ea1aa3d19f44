/* Repositories to walk through: on top of test_git_fixture.h. */
#ifndef PAWL_TESTS_TEST_GIT_WALKED_H
#define PAWL_TESTS_TEST_GIT_WALKED_H

#include "lib/git/repo.h"
#include "tests/unit/test_git_fixture.h"

static inline struct repo *open_repo(const char *dir)
{
	struct repo *repo = NULL;
	struct err err = ERR_INIT;

	if (repo_open(at("%s", dir), &repo, &err))
		fail_msg("%s", err.text);
	return repo;
}

/* main: one two three join four; a side of two commits leaves at two and comes back at join */
static inline void make_merged(const char *dir)
{
	make_repo(dir);
	run(dir, "git", "checkout", "-q", "-b", "side", "HEAD~1");
	run(dir, "git", "commit", "-q", "--allow-empty", "-m", "left");
	run(dir, "git", "commit", "-q", "--allow-empty", "-m", "right");
	run(dir, "git", "checkout", "-q", "main");
	run(dir, "git", "merge", "-q", "--no-ff", "-m", "join", "side");
	commit(dir, "4\n", "four");
}

#endif
