/*
 * why - profiles of one benchmark in two commits.
 */
#ifndef PAWL_COLLECTOR_WHY_H
#define PAWL_COLLECTOR_WHY_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/plan.h"
#include "collector/trees.h"
#include "lib/git/repo.h"
#include "lib/profile/profile.h"

/* One benchmark found in one built tree. */
struct why_unit {
	struct config config; /* a part of the caller's, sharing its strings */
	struct plan plan;
	struct unit *unit; /* in plan */
};

/*
 * Finds the benchmark of that name, "CONFIG" or "CONFIG/INNER", among those that are configured
 * and, for a program linked to libpawl, that it lists; runner->top is the tree.
 *
 * Shape:  release *out also after a failure; config must outlive it.
 * Errors: ERR_ABSENT there is none: the nearest names as hint; ERR_CHILD its executable is not
 *         there or does not answer; ERR_CONFIG, ERR_STOPPED, ERR_IO, ERR_NOMEM.
 */
int why_find(const struct process_runner *runner, const struct config *config, const char *name,
	     const struct talk *talk, struct why_unit *out, struct err *err);
void why_unit_release(struct why_unit *u);

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
 * Builds both commits and counts the benchmark's instructions by function and line, under the lock
 * of runlock.h.
 *
 * Shape:  *out is released on failure.
 * Errors: those of runlock_take(), tree_open() and why_find(); ERR_CHILD the program fails under
 * valgrind; ERR_ABSENT valgrind is not installed, or a revision is unknown.
 */
int why_collect(const struct why_request *rq, struct why_profiles *out, struct err *err);
void why_profiles_release(struct why_profiles *p);

#endif
