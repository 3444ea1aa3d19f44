/*
 * fold - puts the tail of a project into the chunks of its series, a few series at a time.
 */
#ifndef PAWL_STORE_POINTS_FOLD_H
#define PAWL_STORE_POINTS_FOLD_H

#include "lib/store/points/tail.h"

/* A tail of so many runs or points is folded: what one series has of it is then worth its chunk. */
#define FOLD_RUNS 256
#define FOLD_POINTS 16384

/* Whether a project with such counts is due. */
bool fold_is_due(int64_t n_runs, int64_t n_points);

/* 0: *out is the first project behind `after` that is due, or half folded; 1: none is. */
int fold_find(struct db *db, int64_t after, int64_t *out, struct err *err);

/*
 * One step of a fold: up to 128 series, or so many that they have about 8192 points of it.  Within
 * a transaction for writing: what was read before is read after, whichever step is the last.
 *
 * Errors: ERR_CORRUPT, something is damaged, the tail stays as it is; those of the database.
 * Cost:   some 10 ms.
 */
int fold_step(struct db *db, int64_t project, struct err *err);

/* Takes a project's chunks away: all of it is tail again, and due. */
int fold_undo(struct db *db, int64_t project, struct err *err);

#endif
