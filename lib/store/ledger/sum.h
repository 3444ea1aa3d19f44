/*
 * sum - whether a point is still what was stored: a checksum beside its figures.
 *
 * It covers all that a history shows of a point and where it stands; the text how it was compared
 * is not covered.  Points of schemas before the sixth have none, and are not checked.
 */
#ifndef PAWL_STORE_LEDGER_SUM_H
#define PAWL_STORE_LEDGER_SUM_H

#include "lib/store/ledger/local.h"

/* What is covered; a figure that is not finite is stored as NULL and stands for none. */
struct ledger_point {
	int64_t project, series, t, run, n, flags, verdict;
	int64_t base; /* 0: none */
	double v, low, high, ratio, ratio_low, ratio_high;
};

/* 32 bits. */
int64_t point_sum(const struct ledger_point *p);

/* The columns that point_read() expects, of point AS p, in this order. */
#define POINT_COLUMNS \
	"p.series_id, p.t, p.run_id, p.n, p.v, p.low, p.high, p.flags, p.verdict, p.ratio," \
	" p.ratio_low, p.ratio_high, p.base_id, p.sum"

#define POINT_N_COLUMNS 14

/*
 * The point of the statement's row, of which its columns begin at `first`.
 * Errors: ERR_CORRUPT, with the cure: its sum does not fit.
 */
int point_read(struct sqlite3_stmt *st, int first, int64_t project, struct ledger_point *out,
	       struct err *err);

#endif
