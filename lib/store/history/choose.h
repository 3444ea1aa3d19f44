/*
 * choose - which series a question about a history is of.
 *
 * The metric that decides; where several did, at different times, that of the newest point.  Of its
 * units and directions the one that came first: a post in another one does not hide what is there.
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
	struct buf others; /* JSON: the other units and directions of the metric */
};

/* out must be zeroed.  Errors: ERR_ABSENT, those of the database. */
int choose(struct ledger *l, int64_t project, const struct history_query *q, struct chosen *out,
	   struct err *err);

/* Its n series. */
const int64_t *chosen_series(const struct chosen *c);

void chosen_release(struct chosen *c);

#endif
