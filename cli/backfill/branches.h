/*
 * backfill_branches - which branch a commit of a range belongs to.
 */
#ifndef PAWL_CLI_BACKFILL_BRANCHES_H
#define PAWL_CLI_BACKFILL_BRANCHES_H

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/git/repo.h"

struct backfill_branches {
	struct backfill_branch {
		char *name;	 /* NULL: none */
		struct strv ids; /* its first-parent line */
	} line[4];		 /* what is on an earlier one is of that */
};

void backfill_branches_release(struct backfill_branches *b);

/*
 * The lines behind commit `from`: of the default branch, of origin and then here; of the branch
 * that `to` (NULL: none) is the name of; of the one that HEAD is on.  What is not there, or longer
 * than a git command may answer, is none.  Errors: ERR_GIT, ERR_NOMEM.
 */
int backfill_branches_load(struct repo *repo, const char *from, const char *to,
			   struct backfill_branches *out, struct err *err);

/* NULL: on none of them. */
const char *backfill_branch_of(const struct backfill_branches *b, const char *id);

#endif
