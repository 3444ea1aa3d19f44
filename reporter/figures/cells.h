/*
 * cells - the figures of a delta as short texts, the same in every format.
 *
 * Each appends TABLE_EMPTY ("-") when its numbers are not finite.  Percents have two decimals
 * below 10, one below 100, none above.
 */
#ifndef PAWL_REPORTER_FIGURES_CELLS_H
#define PAWL_REPORTER_FIGURES_CELLS_H

#include <stdbool.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/record/summary.h"
#include "reporter/figures/rows.h"

#define CELL_SHORT_ID 7 /* digits of a commit id that are shown */

/*
 * "+3.40 %"; a sign always, "0.00 %" without one.  A difference has the unit of its metric: "+5",
 * "+4 KiB"; a unit is the benchmark's own bytes.
 */
void cell_delta(const struct delta *delta, const char *unit, struct buf *out);

/*
 * "[+2.1, +4.7] %": two decimals while the interval is narrower than 2 %, else one; an end
 * that is not known is "?".  "[+4, +6]", "[+3.9, +4.1] KiB" of a difference.
 */
void cell_interval(const struct delta *delta, const char *unit, struct buf *out);

/* "0.8 %", rounded up so that the claim holds. */
void cell_floor(double floor_ratio, struct buf *out);

/*
 * "3.4 % slower [2.1, 4.7]", "5 more [4, 6]" of a difference, in words that fit the metric: "less",
 * "more" for anything but time.  Only the word when the figures are not known.
 */
void cell_change(const struct metric *metric, struct buf *out);

/* Whether the metric is a time: "slower" and "faster" are its words. */
bool cell_is_duration(const struct metric *metric);

/* "95 %", "98.75 %" of a confidence 0..1. */
void cell_percent(double ratio, struct buf *out);

/* The first digits of a commit id. */
void cell_commit(const char *id, struct buf *out);

/*
 * What the head, and the base of a benchmark (NULL: of the summary), are called: what the sides say
 * they are, at most CELL_SIDE columns of it, else the first digits of the commit; nothing where
 * there is none.  A side is the user's own bytes.
 */
#define CELL_SIDE 60
void cell_head_name(const struct summary *s, bool utf8, struct buf *out);
void cell_base_name(const struct summary *s, const struct bench *b, bool utf8, struct buf *out);

/* baseline.how in words: "rerun side by side"; an unknown one as it is. */
const char *cell_how(const char *how);

/* "improved", "regressed, accepted"; with ", output differs" where it does. */
void cell_verdict(const struct row *row, struct buf *out);

/* The cells of a row, in the order in which they are shown. */
enum cell {
	CELL_MARK,
	CELL_NAME,
	CELL_BASE,
	CELL_HEAD,
	CELL_DELTA,
	CELL_INTERVAL,
	CELL_VERDICT,
	CELL_FLOOR,
	CELL_N
};

/* Title of a column. */
void cell_title(enum cell cell, struct buf *out);

/*
 * Appends one cell of a row.  CELL_NAME and the units in CELL_BASE, CELL_HEAD, CELL_DELTA and
 * CELL_INTERVAL are the benchmark's own bytes; all others are safe.  Base and head are medians.
 *
 * Errors: ERR_NOMEM.
 */
int cell_add(enum cell cell, const struct row *row, bool utf8, struct buf *out, struct err *err);

#endif
