/*
 * sources - what git's trees tell of two commits before anything is built.
 */
#ifndef PAWL_COLLECTOR_BUILD_SOURCES_H
#define PAWL_COLLECTOR_BUILD_SOURCES_H

#include <stdbool.h>

#include "collector/build/trees.h"
#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/base/talk.h"
#include "lib/config/config.h"
#include "lib/git/repo.h"

/*
 * Whether nothing that reaches the build or the benchmarks differs, so that nothing need be built:
 * the same tree, or the same configured sources, inputs and arguments.  A source that tells nothing
 * (neither commit has it, it is a link) is warned of, and then they are not the same; nor are they
 * where a command is for a shell, or a link leads to what is none of them.
 * Errors: those of tree_entries().
 */
int sources_are_same(struct repo *repo, const struct config *config, const char *base_tree,
		     const char *head_tree, const struct talk *talk, bool *out, struct err *err);

/*
 * Warns of programs (paths in the tree) that git tracks: if the build does not make them anew, they
 * are whatever was committed.  All files of a fresh checkout have one time, and make takes them for
 * up to date.  Errors: those of tree_entries().
 */
int sources_warn_tracked(struct repo *repo, const char *tree, const struct strv *programs,
			 const struct talk *talk, struct err *err);

/*
 * trees_way() of a build of HEAD.  A command that HEAD's own .pawlconfig says is a part of the
 * commit: what another one builds is to be compared with what was before.  Errors: those of
 * trees_way().
 */
int sources_way(struct repo *repo, const char *state_dir, const char *build, char out[TREES_KEY],
		struct err *err);

/* Whether both commits say a build command in .pawlconfig, each another one.  Cost: reads both. */
bool sources_have_two_builds(struct repo *repo, const char *base, const char *head);

/*
 * Warns where two commits say other build commands: a comparison has one for both.
 * Errors: ERR_NOMEM.
 */
int sources_warn_build(struct repo *repo, const char *base, const char *head, struct strv *warnings,
		       struct err *err);

#endif
