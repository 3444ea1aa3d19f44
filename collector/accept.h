/*
 * accept - marks the regressions that the project has accepted.
 */
#ifndef PAWL_COLLECTOR_ACCEPT_H
#define PAWL_COLLECTOR_ACCEPT_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/config/accepted.h"
#include "lib/git/repo.h"
#include "lib/record/summary.h"

/*
 * Fills `accepted` of every benchmark that regressed by changes accepted between its baseline and
 * the commit, and clears it of every other.  One that is proved to be worse than what was accepted
 * in all (the better end of its interval, half as wide again, lies beyond that and the threshold)
 * stays a regression, and the note of its delta says by how much.  Between judge() and
 * judge_exit(); a stored summary is marked anew each time it is shown, so that what was accepted
 * later counts.  Uncommitted work has no commit that could have been accepted: nothing of it is
 * marked.
 *
 * Errors: ERR_GIT, ERR_NOMEM.
 */
int apply_accepted(struct repo *repo, const struct accepted *accepted, struct summary *s,
		   struct err *err);

/*
 * How much worse a benchmark got at most, as a change to accept: the worse end of its interval, in
 * tenths of a percent, rounded up; 0 where that end is an improvement.  False where both sides did
 * not run side by side, or there is no such end; *out is untouched then.
 */
bool accept_size(const struct bench *b, double *out);

/* The metric that an accepted change of it is of: NULL for a time, else what gates it. */
const char *accept_metric(const struct bench *b);

/*
 * Fills `accepted` of the summary, for the server: what the commit that was measured accepts, by
 * its own file, the last 64 entries, with all others of the commit that the first of them is of;
 * those of a time alone.
 * What is not committed is not said, nor is it of a tree with uncommitted changes.  A file with a
 * fault says nothing: who works with it is told elsewhere.
 *
 * Errors: ERR_NOMEM.  Cost: a git command.
 */
int note_accepted(struct repo *repo, struct summary *s, struct err *err);

#endif
