/*
 * advice - what more measuring would bring to what is undecided, and what is ruled out already.
 */
#ifndef PAWL_REPORTER_PARTS_ADVICE_H
#define PAWL_REPORTER_PARTS_ADVICE_H

#include "lib/base/buf.h"
#include "reporter/figures/rows.h"

struct advice {
	unsigned pairs;	 /* the last decision point */
	double seconds;	 /* that the pairs up to there take; NaN: not known */
	double smallest; /* change that they would find nine times in ten, as a ratio - 1 */
};

/*
 * What going on to the last decision point would have brought.  False when nothing can be said: it
 * is not inconclusive, that point was reached, or what hides a change is nothing that pairs narrow
 * (one layout of each side, what identical code differed by).
 */
bool advice_of(const struct row *row, struct advice *out);

/* Makes *a what both together ask for. */
void advice_join(struct advice *a, const struct advice *b);

/* Of all rows: what the one that asks for most asks for, and the seconds that it takes of all. */
bool advice_most(const struct rows *rows, struct advice *out);

/* "--pairs 200 would find changes from 2.1 % on, 50 s more" */
void advice_add(const struct advice *a, struct buf *out);

/*
 * The least change for the worse, as a ratio - 1, that lies outside of the intervals of all rows
 * that are unchanged, and whose metric it is; NaN: there is none, or an interval is not known.
 */
double advice_ruled_out(const struct rows *rows, const struct metric **out_metric);

#endif
