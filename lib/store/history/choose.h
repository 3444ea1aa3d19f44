/*
 * choose - which series a question about a history is of.
 */
#ifndef PAWL_STORE_HISTORY_CHOOSE_H
#define PAWL_STORE_HISTORY_CHOOSE_H

#include "lib/store/ledger/local.h"

/* The series of one question: all of one metric, unit and direction. */
struct chosen {
	char *metric, *unit;
	bool higher;
	struct buf ids; /* see chosen_series() */
	size_t n;
};

/* out must be zeroed.  Errors: ERR_ABSENT, those of the database. */
int choose(struct ledger *l, int64_t project, const struct history_query *q, struct chosen *out,
	   struct err *err);

/* Its n series. */
const int64_t *chosen_series(const struct chosen *c);

void chosen_release(struct chosen *c);

#endif
