/*
 * patch - whether two commits do the same: of one that was picked, rebased or amended.
 */
#ifndef PAWL_GIT_PATCH_H
#define PAWL_GIT_PATCH_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/git/repo.h"

/*
 * Whether both commits change the same lines of the same files, each of its first parent; where in
 * the files, and between which lines, does not matter.  but: the path of a file at the top that
 * does not count.
 *
 * Errors: ERR_ABSENT one of them, or the parent of one, is not here; ERR_GIT, ERR_LIMIT a patch of
 *         more than 32 MiB, ERR_NOMEM, ERR_TIMEOUT.  Cost: two git commands.
 */
int patch_is_same(struct repo *repo, const char *a, const char *b, const char *but, bool *out,
		  struct err *err);

#endif
