/*
 * accept - marks the regressions that the project has accepted.
 */
#ifndef PAWL_COLLECTOR_ACCEPT_H
#define PAWL_COLLECTOR_ACCEPT_H

#include "lib/base/err.h"
#include "lib/config/accepted.h"
#include "lib/git/repo.h"
#include "lib/record/summary.h"

/*
 * Fills `accepted` of every benchmark that regressed by a change accepted between its baseline and
 * the commit, and clears it of every other.  Between judge() and judge_exit(); a stored summary is
 * marked anew each time it is shown, so that what was accepted later counts.  Uncommitted work has
 * no commit that could have been accepted: nothing of it is marked.
 *
 * Errors: ERR_GIT, ERR_NOMEM.
 */
int apply_accepted(struct repo *repo, const struct accepted *accepted, struct summary *s,
		   struct err *err);

#endif
