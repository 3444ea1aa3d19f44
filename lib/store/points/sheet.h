/*
 * sheet - the points of one run, packed: one row for a whole summary.
 *
 * Its head names the series of each point and has a checksum of its own, and each point has one:
 * damage of a figure is told for its series alone.  Beside a point stands what it was compared
 * with, and how.
 */
#ifndef PAWL_STORE_POINTS_SHEET_H
#define PAWL_STORE_POINTS_SHEET_H

#include <stddef.h>

#include "lib/base/err.h"
#include "lib/store/points/point.h"

/* Being made; {0} to begin with. */
struct sheet_maker {
	struct buf bases, head, points;
	size_t n, n_bases;
	int64_t last_series;
};

/*
 * One more point; how (may be NULL) is how it was compared with its base, and of no meaning without
 * one.  is_damaged: it is kept as it is, and every reader is told that it is not what was measured.
 */
void sheet_add(struct sheet_maker *m, const struct ledger_point *p, const char *how,
	       bool is_damaged);

/* Appends the sheet; its points are all of that project, run and place. */
void sheet_finish(const struct sheet_maker *m, int64_t project, int64_t run, int64_t t,
		  struct buf *out);
void sheet_maker_release(struct sheet_maker *m);

/* Being read. */
struct sheet {
	int64_t project, run, t;
	size_t n;					 /* points */
	int64_t series;					 /* of the point at hand */
	const unsigned char *bases, *head, *point, *end; /* head: of the next one */
	size_t n_bases, left, length;
};

/*
 * bytes must live as long as the sheet is read.
 * Errors: ERR_CORRUPT, with the cure: it is not what was stored for that run.
 */
int sheet_open(struct sheet *s, int64_t project, int64_t run, int64_t t, const void *bytes,
	       size_t n, struct err *err);

/* The next point's series in s->series; false behind the last one. */
bool sheet_next(struct sheet *s);

/*
 * The point at hand.  *out_how (may be NULL) and *out_n: how, not terminated; 0 bytes: not known.
 * Errors: ERR_CORRUPT, with the cure.
 */
int sheet_read(const struct sheet *s, struct ledger_point *out, const char **out_how, size_t *out_n,
	       struct err *err);

#endif
