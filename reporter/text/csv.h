/*
 * csv - the cells of a table that spreadsheets read (RFC 4180).
 */
#ifndef PAWL_REPORTER_TEXT_CSV_H
#define PAWL_REPORTER_TEXT_CSV_H

#include "lib/base/buf.h"
#include "lib/record/summary.h"

/* Titles of what csv_difference() writes. */
#define CSV_DIFFERENCE "difference,difference_low,difference_high"

/*
 * A quoted text, made visible first, so that no byte of it leaves its line; and a spreadsheet would
 * run one that starts like a formula, so it gets an apostrophe in front.  NULL gives "".
 */
void csv_text(const char *raw, struct buf *out);

/* A comma, and the number with all its digits; nothing behind the comma when it is not finite. */
void csv_number(double value, struct buf *out);

/* The three of a change without a ratio, in the unit of its metric; else empty.  d may be NULL. */
void csv_difference(const struct delta *d, struct buf *out);

#endif
