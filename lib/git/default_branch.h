/*
 * default_branch - the branch that others start from.
 */
#ifndef PAWL_GIT_DEFAULT_BRANCH_H
#define PAWL_GIT_DEFAULT_BRANCH_H

#include "lib/base/err.h"
#include "lib/git/repo.h"

/*
 * What the remote origin calls its HEAD ("origin/main"), else a local main or master, else one of
 * origin.  *out NULL: it cannot be told; free() it.  Errors: ERR_GIT, ERR_NOMEM.
 */
int default_branch(struct repo *repo, char **out, struct err *err);

#endif
