/*
 * worktree_fixture - work trees of real repositories, as the tests of lib/git ask for them.
 */
#ifndef PAWL_TESTS_WORKTREE_FIXTURE_H
#define PAWL_TESTS_WORKTREE_FIXTURE_H

#include "tests/unit/test_git_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "lib/git/repo.h"
#include "lib/git/worktree/worktree.h"

static struct repo *opened;
static struct err fault;
static char *noted;
static bool whole;

/* Opens a repository below the scratch folder until the next one is. */
static inline struct repo *open_at(const char *dir)
{
	repo_close(opened);
	opened = NULL;
	err_clear(&fault);
	if (repo_open(at("%s", dir), &opened, &fault))
		fail_msg("%s", fault.text);
	return opened;
}

/* The whole id of a revision; two may be in use at a time. */
static inline const char *id_of(const char *dir, const char *rev)
{
	static char ids[2][OID_TEXT];
	static unsigned next;
	char *text = git_says(dir, "rev-parse", rev, NULL);

	next = (next + 1) % 2;
	snprintf(ids[next], OID_TEXT, "%s", text);
	free(text);
	return ids[next];
}

/* Checks rev of the open repository out below the scratch folder; 0 or -1. */
static inline int make_at(const char *dir, const char *rev, const char *path, bool submodules)
{
	free(noted);
	noted = NULL;
	err_clear(&fault);
	return worktree_make(open_at(dir), id_of(dir, rev), NULL, at("%s", path), submodules,
			     &noted, &whole, &fault);
}

/* "sparse", whose user has checked out the folder "in" alone, and not "out/b". */
static inline void make_sparse(void)
{
	run(".", "git", "init", "-q", "sparse");
	run("sparse", "mkdir", "in", "out");
	put(at("sparse/in/a"), "a\n");
	put(at("sparse/out/b"), "b\n");
	run("sparse", "git", "add", ".");
	run("sparse", "git", "commit", "-qm", "both");
	run("sparse", "git", "sparse-checkout", "set", "in");
}

static inline void make_well(const char *dir, const char *rev, const char *path)
{
	if (make_at(dir, rev, path, false))
		fail_msg("%s", fault.text);
}

static inline void assert_file(const char *path, const char *text)
{
	struct buf got = BUF_INIT;

	if (file_read_whole(path, 1 << 20, &got, NULL))
		fail_msg("there is no '%s'", path);
	assert_string_equal(buf_str(&got), text);
	buf_release(&got);
}

/* What `git worktree list` says is one line: the repository's own. */
static inline void assert_alone(const char *dir)
{
	char *list = git_says(dir, "worktree", "list", "--porcelain", NULL);
	const char *second = strstr(list, "worktree ");

	second = second ? strstr(second + 1, "\nworktree ") : NULL;
	if (second)
		fail_msg("still registered: %s", list);
	free(list);
}

static inline int worktree_end(void **state)
{
	repo_close(opened);
	opened = NULL;
	free(noted);
	noted = NULL;
	return fixture_end(state);
}

#endif
