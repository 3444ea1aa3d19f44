/*
 * side - what is known at one commit: a value for each series, and what failed.
 */
#ifndef PAWL_STORE_COMPARE_SIDE_H
#define PAWL_STORE_COMPARE_SIDE_H

#include "lib/store/ledger/local.h"

/* When a run was measured, and of several at once how they came. */
struct measured {
	int64_t at, run;
};

/* One series at one commit, from the run measured last of those that have it. */
struct cell {
	char *names; /* what these point into */
	const char *benchmark, *machine, *metric, *unit;
	bool higher;
	char id[27]; /* of the summary */
	int64_t series, n, flags, verdict;
	bool against_base; /* its delta was recorded against the base that is asked for */
	double v, low, high, ratio, ratio_low, ratio_high;
	char *how;		/* where the base's samples came from; may be NULL */
	struct measured newest; /* of all runs that have it */
	int64_t run;		/* that it is from */
	struct {
		bool is_there;
		double v;
		int64_t n; /* 0: not known */
	} beside;	   /* the base that was run again, see beside.h */
};

/* A benchmark that gave no value in the run that was measured last of those that name it. */
struct outcome {
	char *benchmark, *machine, *status;
	struct measured measured;
};

struct ledger_side {
	int64_t commit;
	int apart;
	struct cell *cells; /* by benchmark, machine, metric, unit */
	size_t n_cells;
	struct outcome *outcomes; /* by benchmark, machine; those have no cells */
	size_t n_outcomes;
};

/*
 * Reads the runs of side->commit on clean trees.  base_sha (may be NULL): runs measured
 * against that commit come before newer ones, since only they carry the delta asked for.
 */
int ledger_side_read(struct ledger *l, int64_t project, const char *base_sha,
		     struct ledger_side *side, struct err *err);
void ledger_side_release(struct ledger_side *side);

/* Order of side.cells. */
int cell_order(const void *a, const void *b);

/* "failed" and its like, or NULL where it has a value, or is not known. */
const char *ledger_side_status(const struct ledger_side *side, const char *benchmark,
			       const char *machine);

#endif
