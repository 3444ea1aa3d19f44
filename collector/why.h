/*
 * why - profiles of one benchmark in two commits.
 */
#ifndef PAWL_COLLECTOR_WHY_H
#define PAWL_COLLECTOR_WHY_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/build/trees.h"
#include "collector/plan.h"
#include "lib/git/repo.h"
#include "lib/profile/profile.h"

struct why_request {
	struct repo *repo;
	const struct config *config;
	const char *state_dir;
	const char *base, *head; /* revisions */
	const char *benchmark;
	bool submodules;
	const struct talk *talk;
};

struct why_side {
	struct git_commit commit;
	struct tree tree;
	struct profile profile; /* names relative to the tree; per iteration of a libpawl program */
};

struct why_profiles {
	char *name; /* of the benchmark */
	bool per_iteration;
	bool identical; /* the same machine code: nothing was counted */
	struct why_side base, head;
};

/*
 * Builds both commits, and under the lock of runlock.h counts the benchmark's instructions by
 * function and line.
 *
 * Shape:  *out is released on failure.
 * Errors: those of runlock_take() and tree_open(); ERR_CONFIG there is no such benchmark: the
 * nearest names as hint; ERR_CHILD the program fails under valgrind; ERR_ABSENT valgrind is not
 * installed, or a revision is unknown.
 */
int why_collect(const struct why_request *rq, struct why_profiles *out, struct err *err);
void why_profiles_release(struct why_profiles *p);

#endif
