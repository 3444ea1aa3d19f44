/*
 * series - one benchmark's history as the ledger answers it, taken apart for a page.
 */
#ifndef PAWL_SERVER_PAGE_SERIES_H
#define PAWL_SERVER_PAGE_SERIES_H

#include "lib/json/jtree.h"
#include "lib/store/ledger/ledger.h"

/* Texts live as long as the series; those that the ledger does not know are NULL. */
struct series_point {
	const char *commit, *time, *machine, *id;
	const char *verdict;	 /* as recorded; NULL: none */
	double value, low, high; /* median and its interval; NaN */
	double ratio;		 /* recorded with the verdict; NaN */
	int64_t n;		 /* runs */
	bool suspect;		 /* only a stored baseline says so */
	bool moved;		 /* named among the change points */
	const char *base;	 /* the commit that it was compared with, where it moved; NULL */
};

struct series {
	struct buf json;
	struct jtree *root;
	const char *metric, *unit;
	bool higher; /* more is better */
	struct series_point *points;
	size_t n;
	size_t of; /* results that they were chosen from, where they are thinned (q->px) */
	const struct jtree *outcome; /* newer than all points, and no value; NULL: none */
};

#define SERIES_INIT \
	{ \
		BUF_INIT, NULL, NULL, NULL, false, NULL, 0, 0, NULL \
	}

/*
 * Asks the ledger.  What is not thinned is with its outcome.  q->machine NULL: of several machines
 * that of the newest point, which is what is shown then.  Errors: those of ledger_history().
 */
int series_read(struct ledger *l, const struct history_query *q, struct series *out,
		struct err *err);
void series_release(struct series *s);

/* The point's verdict as people are told it, "suspect" where no more is known; NULL: none. */
const char *series_verdict(const struct series_point *p);

/* What the newest result says: its verdict, or "failed" and its like; NULL: nothing. */
const char *series_newest(const struct series *s);

/* 1: it moved for the worse, -1: for the better, 0: it did not. */
int series_moved(const struct series_point *p);

/* The newest point that moved; NULL: none did. */
const struct series_point *series_last_move(const struct series *s);

/* Appends a point's ratio as "+3.40 %", "-" where there is none. */
void series_change(double ratio, const char *unit, struct buf *out);

/* Appends "[low, high] ms" of a point, "-" where it is not known. */
void series_interval(const struct series_point *p, const char *unit, struct buf *out);

#endif
