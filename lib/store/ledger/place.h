/*
 * place - where a point stands in a history: by the place of its commit; of one commit by when it
 * was measured, then as it came.
 */
#ifndef PAWL_STORE_LEDGER_PLACE_H
#define PAWL_STORE_LEDGER_PLACE_H

#include "lib/store/ledger/local.h"
#include "lib/store/points/point.h"

struct place {
	int64_t t, measured, run, series;
};

/* Before everything. */
#define PLACE_START \
	{ \
		INT64_MIN, 0, 0, 0 \
	}

/* Less than, equal to or greater than 0. */
int place_order(const struct place *a, const struct place *b);

/* *out is where the point stands.  Errors: those of runs_find(). */
int place_of(struct ledger *l, const struct ledger_point *p, struct place *out, struct err *err);

#endif
