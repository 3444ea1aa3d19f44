/*
 * backend - who answers the questions of repo.h: libgit2, or the git command line; before the first
 * question that needs one of them, the repository's files.
 *
 * Internal to lib/git.  A backend finds objects; what they mean (parents, times, subject,
 * shallow cuts, project name) is worked out once, in repo.c and commit.c, from the bytes
 * both backends give.
 */
#ifndef PAWL_GIT_BACKEND_H
#define PAWL_GIT_BACKEND_H

#include <stdbool.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/git/config/entries.h"
#include "lib/git/repo.h"

struct git_backend;

struct repo {
	const struct git_backend *backend;
	void *handle;		    /* libgit2's repository; NULL for the command line */
	char *top;		    /* work tree, NULL when bare */
	char *git_dir, *common_dir; /* absolute, no slash at the end */
	bool is_shallow;	    /* a shallow file is in the common dir */
};

/* Which keys of git's configuration are wanted. */
typedef bool gitconfig_wanted(const char *key);

struct git_backend {
	const char *name;

	/*
	 * Fills handle, top, git_dir and common_dir for the repository that holds folder
	 * path (absolute).  Errors: ERR_ABSENT no repository; ERR_GIT; ERR_NOMEM.
	 */
	int (*open)(struct repo *repo, const char *path, struct err *err);
	void (*close)(struct repo *repo);

	/* The commit rev names, peeled.  Errors: ERR_ABSENT, ERR_GIT. */
	int (*resolve)(struct repo *repo, const char *rev, char out[OID_TEXT], struct err *err);

	/* The commit object's own bytes, no graft applied.  Errors: ERR_ABSENT, ERR_GIT. */
	int (*read_commit)(struct repo *repo, const char *id, struct buf *out, struct err *err);

	/* The full name of the reference HEAD stands for; *out NULL when detached. */
	int (*head_ref)(struct repo *repo, char **out, struct err *err);

	/* As repo_is_dirty(), for a repository with a work tree. */
	int (*is_dirty)(struct repo *repo, bool *out, struct err *err);

	/* Appends the wanted values of the system's, the user's and the repository's files. */
	int (*read_config)(struct repo *repo, gitconfig_wanted *wanted, struct gitconfig *out,
			   struct err *err);
};

extern const struct git_backend backend_plain, backend_libgit2, backend_cli;

/* As repo_open() with this backend and no other: for repo_open() and for tests. */
int repo_open_with(const struct git_backend *backend, const char *path, struct repo **out,
		   struct err *err);

/* As repo_open() of an absolute path, by libgit2, or by git where libgit2 cannot. */
int repo_open_reader(const char *path, struct repo **out, struct err *err);

/* The fault of a repository that belongs to somebody else, with its cure.  Returns -1. */
int repo_foreign_owner(const char *path, struct err *err);

/* Fills *out from a commit object's bytes.  Errors: ERR_GIT when damaged, ERR_NOMEM. */
int commit_parse(const char *id, const struct buf *raw, struct git_commit *out, struct err *err);

/* What git is asked so that it prints something where the work tree is dirty, and only there. */
extern const char *const cli_changes_words[];

/* backend_cli's is_dirty, which settles what libgit2 cannot: filters, sparse checkouts. */
int cli_is_dirty(struct repo *repo, bool *out, struct err *err);

#endif
