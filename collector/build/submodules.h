/*
 * submodules - where a commit moves a submodule, both sides are built with it.
 */
#ifndef PAWL_COLLECTOR_BUILD_SUBMODULES_H
#define PAWL_COLLECTOR_BUILD_SUBMODULES_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/base/talk.h"
#include "lib/config/config.h"
#include "lib/git/repo.h"

/* What decides: *fill, asked for by the caller, becomes whether to build with submodules. */
struct submodules_request {
	struct repo *repo;
	const struct config *config;
	const struct talk *talk;
};

/*
 * Appends the submodules that lie at other commits in both trees; none where the configuration
 * says that builds need none.  *fill is set where some do; *out_config: they have another
 * .pawlconfig.  Trees that git cannot read have none.  Cost: a start of git.
 * Errors: ERR_NOMEM, ERR_STOPPED.
 */
int submodules_moved(const struct submodules_request *rq, const char *base_tree,
		     const char *head_tree, bool *fill, struct strv *out, bool *out_config,
		     struct err *err);

/*
 * For comparisons of the commits from..to (whole ids) with each other: *fill is set where one of
 * them moves a submodule and the configuration does not say that builds need none.  Pairs that were
 * built with submodules and pairs that were not do not fit together.
 * Errors: as submodules_moved().  Cost: three starts of git.
 */
int submodules_of_range(const struct submodules_request *rq, const char *from, const char *to,
			bool *fill, struct err *err);

/* Whether the work tree has submodules, be they checked out or not.  Cost: a stat(). */
bool submodules_are_here(const struct repo *repo);

/*
 * Whether the work tree, or a submodule that is checked out, has uncommitted changes of tracked
 * files: they are in what is built there, and in no commit.  Errors: those of repo_is_dirty().
 * Cost: where there are submodules a start of git more, and repo_is_dirty() of each.
 */
int submodules_work_is_dirty(struct repo *repo, bool *out, struct err *err);

#endif
