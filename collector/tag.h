/*
 * tag - which commit and project a summary belongs to.
 */
#ifndef PAWL_COLLECTOR_TAG_H
#define PAWL_COLLECTOR_TAG_H

#include "lib/config/config.h"
#include "lib/git/repo.h"
#include "lib/record/summary.h"

/* The configured project, else the repository's name. */
int tag_project(struct repo *repo, const struct config *config, struct summary *out,
		struct err *err);

/* The name of the current folder, for what is in no repository.  Errors: ERR_NOMEM. */
int tag_folder(char **slot, struct err *err);

/* Id, parents, tree, branch, subject and times; whether files differ from it is the caller's to
 * say.  The branch is the one that HEAD is on, or where it is on none, what job_branch() says. */
int tag_commit(struct repo *repo, const struct git_commit *commit, struct summary *out,
	       struct err *err);

/* Whether a local branch has this very name, and nothing that git takes before it, such as a tag.
 */
bool tag_is_branch(struct repo *repo, const char *name);

/*
 * The branch of what a revision was compared: the one that is known otherwise (NULL: none), else
 * the one that the revision is the name of.  Of the commit that HEAD is at it stays what
 * tag_commit() said where neither is one.
 */
int tag_named_branch(struct repo *repo, const char *rev, const char *otherwise, struct summary *s,
		     struct err *err);

#endif
