/*
 * answer - an answer about one series as it grows, in the form that was asked for: JSON with a
 * column for each field and the change points, CSV with a line for each point, or doubles.
 */
#ifndef PAWL_STORE_HISTORY_ANSWER_H
#define PAWL_STORE_HISTORY_ANSWER_H

#include "lib/store/history/choose.h"
#include "lib/store/ledger/runs.h"
#include "lib/store/points/point.h"

#define ANSWER_N_NUMBERS 8

struct answer {
	struct ledger *l;
	int64_t project;
	const struct chosen *chosen;
	enum history_form form;
	int64_t series; /* whose machine this is: points of one mostly follow each other */
	struct buf machine, machine_json;
	unsigned wanted;		     /* of the columns, bits */
	struct buf columns[HISTORY_COLUMNS]; /* JSON, each value behind a comma */
	struct buf changes;
	struct jsonw changes_w;
	struct buf rows;		      /* of CSV */
	struct buf numbers[ANSWER_N_NUMBERS]; /* of doubles, little-endian */
	size_t n;
};

/* What is the same for all points, and how far they go. */
struct answer_head {
	const struct history_query *q;
	const char *others;  /* what else there is, as JSON: see choose.h */
	const char *outcome; /* likewise: see outcome.h; not looked at where it is not asked for */
	const char *next;    /* a cursor; NULL: none */
	size_t total, buckets; /* before they were thinned; buckets 0: they were not */
};

void answer_init(struct answer *a, struct ledger *l, int64_t project, const struct chosen *c,
		 const struct history_query *q);
void answer_release(struct answer *a);

/* Errors: those of runs_find() and of the database; then nothing was added. */
int answer_add(struct answer *a, const struct ledger_point *p, struct err *err);

/* Appends all of it in its form.  Errors: ERR_NOMEM. */
int answer_write(struct answer *a, const struct answer_head *head, struct buf *out,
		 struct err *err);

/* Of a column, as it is called. */
extern const char *const answer_columns[HISTORY_COLUMNS];

/* A point with what is shown of its run. */
struct answer_row {
	const struct ledger_point *p;
	const struct run_facts *f;
};

/* The other forms, see pawld(8). */
void answer_csv_add(struct answer *a, const struct answer_row *row);
void answer_csv_write(const struct answer *a, struct buf *out);
void answer_f64_add(struct answer *a, const struct answer_row *row);
void answer_f64_write(const struct answer *a, struct buf *head, struct buf *out);

#endif
