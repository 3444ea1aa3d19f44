/*
 * edits - whether somebody edited the work tree while it was built and measured.
 *
 * A build may change files that git tracks, as configure scripts do, and an edit made meanwhile
 * looks the same.  So the commit is built once more, in a checkout of its own: what that build
 * leaves, the build did; anything else is an edit, and the result is of no commit.
 */
#ifndef PAWL_COLLECTOR_EDITS_H
#define PAWL_COLLECTOR_EDITS_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/talk.h"
#include "lib/config/config.h"
#include "lib/git/repo.h"
#include "lib/record/summary.h"

struct edits {
	struct repo *repo;
	const struct config *config;
	const char *state_dir; /* NULL: no second build, so any change is an edit */
	const char *commit;    /* what HEAD was at the beginning, a whole id */
	const struct talk *talk;
	bool built;    /* the configured build ran in the work tree */
	bool by_build; /* what edits_after_build() found is the build's own */
};

/*
 * Right after the build: marks the result as dirty, and warns, when tracked files changed that the
 * build does not change so.  Where it was dirty before, nothing is asked.
 *
 * Errors: those of repo_is_dirty() and tree_changes(); ERR_NOMEM; ERR_STOPPED.
 * Cost:   a build, where tracked files changed; trees.h keeps it.
 */
int edits_after_build(struct edits *e, struct summary *s, struct err *err);

/*
 * After the last run: the same for the time since, and for HEAD, when it is no longer the commit:
 * what was measured may be neither the old nor the new.
 */
int edits_after_runs(const struct edits *e, struct summary *s, struct err *err);

#endif
