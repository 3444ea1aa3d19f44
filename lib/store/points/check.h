/*
 * check - whether the chunks of a project hold what its sheets do, each point once.
 */
#ifndef PAWL_STORE_POINTS_CHECK_H
#define PAWL_STORE_POINTS_CHECK_H

#include "lib/store/points/tail.h"

struct points_health {
	bool is_known; /* false: a sheet is damaged, so there is nothing to hold them against */
	int64_t n_bad_chunks;	    /* their checksum does not fit, or they are out of order */
	int64_t n_sheets, n_chunks; /* points that are folded, and points of chunks */
	bool is_well;
};

/*
 * Within one transaction.
 * Errors: those of the database; ERR_NOMEM.
 * Cost:   0.1 microseconds a point.
 */
int points_check(struct db *db, int64_t project, struct points_health *out, struct err *err);

#endif
