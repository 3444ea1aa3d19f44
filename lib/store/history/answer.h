/*
 * ledger_answer - an answer about one series as it grows: a column for each field, and
 * the change points.
 */
#ifndef PAWL_STORE_HISTORY_ANSWER_H
#define PAWL_STORE_HISTORY_ANSWER_H

#include "lib/store/ledger/local.h"
#include "lib/store/points/point.h"

#define ANSWER_N_COLUMNS 11

struct column {
	struct buf text;
	struct jsonw w;
};

struct answer {
	struct ledger *l;
	int64_t project;
	int64_t env; /* whose machine this is: rows of one machine mostly follow each other */
	struct buf machine; /* as JSON */
	struct column columns[ANSWER_N_COLUMNS];
	struct column changes;
};

void answer_init(struct answer *a, struct ledger *l, int64_t project);
void answer_release(struct answer *a);

int answer_add(struct answer *a, const struct ledger_point *p, struct err *err);

/* Writes "points": {column: [...], ...} and "change_points": [...] into an open object. */
void answer_write(struct answer *a, struct jsonw *w);

#endif
