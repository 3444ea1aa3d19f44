/*
 * reverted - which commits of a range a later one of it takes back.
 */
#ifndef PAWL_CONFIG_REVERTED_H
#define PAWL_CONFIG_REVERTED_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/git/repo.h"

/*
 * Sets gone[i] of each commit range->v[i] (whole ids, oldest first) that is taken back: by "This
 * reverts commit ID" in a message, of a merge with all that it brought, and where that names none
 * of them, by its subject, Revert "SUBJECT" or Reapply "SUBJECT", with or without the number of a
 * pull request.  Where several have that subject, all of them.  What takes back and is taken back
 * itself does not count.  A range of more than REVERTED_MAX commits is not looked at.
 *
 * Errors: ERR_GIT, ERR_NOMEM.  Cost: one git command, and one for each merge that is taken back.
 */
#define REVERTED_MAX 1000
int reverted_mark(struct repo *repo, const struct strv *range, bool *gone, struct err *err);

#endif
