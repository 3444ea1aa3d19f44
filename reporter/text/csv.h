/*
 * csv - the cells of a table that spreadsheets read (RFC 4180).
 */
#ifndef PAWL_REPORTER_TEXT_CSV_H
#define PAWL_REPORTER_TEXT_CSV_H

#include "lib/base/buf.h"

/*
 * A quoted text, made visible first, so that no byte of it leaves its line; and a spreadsheet would
 * run one that starts like a formula, so it gets an apostrophe in front.  NULL gives "".
 */
void csv_text(const char *raw, struct buf *out);

/* A comma, and the number with all its digits; nothing behind the comma when it is not finite. */
void csv_number(double value, struct buf *out);

#endif
