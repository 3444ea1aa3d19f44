/*
 * stage - where both sides of a comparison run from: fresh copies, placed anew as it goes on.
 *
 * Two files of the same bytes can differ in speed: what differs is where their pages came to lie.
 * One copy for a whole comparison makes that luck a part of the delta, and no interval knows of
 * it.  Copies that are made anew for each pair make it a part of the spread, which the interval
 * covers (docs/decisions/0011-layout.md).
 *
 * .../run/XXXXXX/NNNNNNai/exe is the base, NNNNNNbi/exe the head: paths of equal length.  The
 * folder is in memory (/dev/shm) where programs may run from there, else in the state folder.  It
 * is locked while its pawl lives; those of killed pawls are removed by the next one.
 */
#ifndef PAWL_COLLECTOR_CODE_STAGE_H
#define PAWL_COLLECTOR_CODE_STAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/unit/side.h"
#include "lib/base/err.h"
#include "lib/base/talk.h"

#define STAGE_EVERY 1	       /* pairs run from one copy */
#define STAGE_EVERY_LARGE 5    /* of executables whose copying takes long */
#define STAGE_PADDING_MAX 4096 /* bytes of environment, less one step */
#define STAGE_PADDING_STEP 16

struct staged;

struct stage {
	char *dir; /* NULL: not open, everything runs where it lies */
	int lock_fd;
	uint64_t seed;
	unsigned every; /* pairs a copy serves, if it is not large; 0: all of them */
	bool padding;	/* the environment's size differs from pair to pair */
	struct staged *v;
	size_t n;
	unsigned n_made;    /* copies */
	char *state_dir;    /* in memory: where large executables go instead; else NULL */
	struct stage *disk; /* which is made when there is one */
	char *failure;	    /* why a copy could not be made; from then on all runs where it lies */
};

#define STAGE_INIT \
	{ \
		NULL, -1, 0, 0, false, NULL, 0, 0, NULL, NULL, NULL \
	}

/* What wants to run: its name and the number of the pair, from 0, choose the coins. */
struct stage_job {
	const char *name;
	size_t pair;
	const struct side *head, *base; /* base NULL: the head runs alone */
	unsigned layout;		/* of both; 0: as they were built */
	/* What is copied then: a file of the side, what runs in its place, the next file ... */
	const struct strv *base_instead, *head_instead;
};

/* What one pair runs: both belong to the stage or the job until the next call. */
struct stage_pair {
	const struct side *head, *base;
	unsigned padding; /* bytes to add to the environment of both */
	unsigned layout;  /* that they have; 0: as they were built */
};

/*
 * Makes a folder in state_dir/run and removes what killed pawls left.  A copy serves STAGE_EVERY
 * pairs, of another layout always one; the environment is padded where the system does not choose
 * addresses at random itself. Errors: ERR_IO, ERR_FULL, ERR_NOMEM.
 */
int stage_open(const char *state_dir, uint64_t seed, struct stage *out, struct err *err);

/* stage_open() in memory, else in state_dir; or a warning: then one copy of each program serves
 * throughout. */
void stage_begin(const char *state_dir, uint64_t seed, const struct talk *talk, struct stage *out);

/* Warns when copies could not be made anew to the end. */
void stage_tell(const struct stage *s, const struct talk *talk);

/*
 * Where a benchmark's next pair runs; copies what is not copied yet or has served its pairs.  Equal
 * executables on both sides still get a copy each.  What has no identity of its own (a script, a
 * program from elsewhere), and then the other side too, runs where it lies.  stage NULL or not
 * open: the job's own sides.  A copy that cannot be made is no error: see failure.
 * Errors: ERR_NOMEM.
 * Cost: a copy of both executables and their shared objects every so many pairs, unsynced.
 */
int stage_place(struct stage *s, const struct stage_job *job, struct stage_pair *out,
		struct err *err);

/* Removes the copies and the folder.  Accepts STAGE_INIT. */
void stage_close(struct stage *s);

#endif
