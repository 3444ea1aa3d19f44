/*
 * merge - what a merge brought to a line of commits that began at some commit.
 */
#ifndef PAWL_GIT_MERGE_H
#define PAWL_GIT_MERGE_H

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/git/repo.h"

/*
 * The parent by which commit goes on from `from`, an ancestor of it: the first one that is, or has,
 * `from`.  For each other parent that does not have it two ids are appended to out_sides: the only
 * merge base of both parents ("" where there are several or none) and that parent; not where both
 * have the same files. Errors: ERR_ABSENT an unknown revision, or none of the parents has it;
 * ERR_GIT, ERR_NOMEM.
 */
int merge_sides(struct repo *repo, const char *from, const char *commit, char out_parent[OID_TEXT],
		struct strv *out_sides, struct err *err);

#endif
