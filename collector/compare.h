/*
 * compare - two commits, both built, or two of anything else, run side by side.
 */
#ifndef PAWL_COLLECTOR_COMPARE_H
#define PAWL_COLLECTOR_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/compare/way.h"
#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/base/talk.h"
#include "lib/config/config.h"
#include "lib/git/repo.h"
#include "lib/record/calibration/calibrations.h"
#include "lib/record/summary.h"

struct compare_request {
	struct repo *repo; /* NULL for two commands that are in none */
	/* With two commands its one benchmark is their name, and how they are judged. */
	const struct config *config;
	const char *state_dir;
	const char *base, *head;	       /* revisions */
	const char *branch;		       /* of a head whose name says none; NULL: none */
	struct compare_way base_way, head_way; /* both commands, or neither; or one: the head */
	bool working_tree; /* the head is the uncommitted work in place of a commit */
	bool measure_identical;
	bool layouts_apart; /* both sides are the same code, each pair of two other layouts of it */
	bool count_work;    /* instructions too, by valgrind where no counter counts them */
	bool build_anyway;  /* where the sources are the same, too */
	bool rebuild;	    /* take no kept tree: what lies outside of it changed */
	bool submodules;
	bool explain;		 /* name what changed of what each benchmark executes */
	bool explain_build;	 /* say why each side is built, or is not */
	bool partial;		 /* one command of the user */
	const struct strv *only; /* names of benchmarks; NULL or empty: all */
	bool quick;		 /* runs of 10 ms, and 68 pairs at most */
	unsigned pairs;		 /* > 0: exactly so many */
	uint64_t budget_ns;	 /* measuring ends by then; 0: no limit */
	bool keeps_stopped;	 /* a signal ends it with what was measured, where that is judged */
	uint64_t wait_ns;	 /* for another pawl that measures, runlock_most_ns() */
	bool waiting_counts;	 /* the budget is what is left of another one: of waiting, too */
	unsigned comparisons;	 /* of as many benchmarks, judged together; 0: this one alone */
	const struct calibrations *known; /* of this machine; NULL: none are */
	const struct talk *talk;
};

/*
 * Builds, measures and fills *out (initialised here, released on failure): everything but deltas
 * and verdicts, which judge() makes.  A side that does not build, or a benchmark that fails on
 * either side, is no error: the benchmarks' status says so.  With keeps_stopped a signal while
 * measuring is none either where something can be judged (collector/stopped.h): stop_signal tells.
 *
 * Errors: ERR_CONFIG nothing to run; ERR_ABSENT an unknown revision, a bare repository for
 *         working_tree, no folder for trees; those of tree_open() but a failed build; ERR_STOPPED.
 */
int compare(const struct compare_request *rq, struct summary *out, struct err *err);

#endif
