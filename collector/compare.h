/*
 * compare - two commits, both built, run side by side.
 */
#ifndef PAWL_COLLECTOR_COMPARE_H
#define PAWL_COLLECTOR_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/base/talk.h"
#include "lib/config/config.h"
#include "lib/git/repo.h"
#include "lib/record/summary.h"

/* How many pairs, fixed before the first one. */
enum compare_depth {
	/* Looks at 20, 25, 30 pairs (libpawl), at 25, 50, 100 (commands); once more, at twice as
	 * many, where the last one leaves a suspicion. */
	COMPARE_NORMAL,
	COMPARE_QUICK,	      /* looks at 10, 15, 20, 25, 30 pairs of runs of 50 ms, and likewise */
	COMPARE_UNTIL_DECIDED /* looks at 25, 50, 100, 200, 400 pairs */
};

struct compare_request {
	struct repo *repo;
	const struct config *config;
	const char *state_dir;
	const char *base, *head; /* revisions */
	bool working_tree;	 /* the head is the uncommitted work in place of a commit */
	bool measure_identical;
	bool count_work; /* instructions too, by valgrind where no counter counts them */
	bool rebuild;	 /* take no kept tree: what lies outside of it changed */
	bool submodules;
	bool explain_build;	 /* say why each side is built, or is not */
	bool partial;		 /* one command of the user */
	const struct strv *only; /* names of benchmarks; NULL or empty: all */
	enum compare_depth depth;
	bool asks_again; /* the caller does, of what is undecided: no look more for a suspicion */
	unsigned pairs;	 /* > 0: exactly so many, instead of looks */
	uint64_t budget_ns; /* measuring ends by then; 0: no limit */
	bool *lacks_parts;  /* set to whether a side was built without all of it; may be NULL */
	const struct talk *talk;
};

/*
 * Builds, measures and fills *out (initialised here, released on failure): everything but deltas
 * and verdicts, which judge() makes.  A side that does not build, or a benchmark that fails on
 * either side, is no error: the benchmarks' status says so.
 *
 * Errors: ERR_CONFIG nothing to run; ERR_ABSENT an unknown revision, a bare repository for
 *         working_tree, no folder for trees; those of tree_open() but a failed build; ERR_STOPPED.
 */
int compare(const struct compare_request *rq, struct summary *out, struct err *err);

#endif
