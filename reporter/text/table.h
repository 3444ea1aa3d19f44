/*
 * table - rows of text under column titles, fitted into the width of a terminal.
 *
 * When the whole does not fit, columns go in the order that their `drop` says, then the
 * flexible column is cut in the middle.  A droppable column without any content is left out.
 * Texts must be visible already (text_visible).  Memory faults are sticky and reported by
 * table_print().
 */
#ifndef PAWL_REPORTER_TEXT_TABLE_H
#define PAWL_REPORTER_TEXT_TABLE_H

#include <stdbool.h>

#include "lib/base/buf.h"
#include "reporter/text/terminal.h"

#define TABLE_MAX_COLUMNS 12
#define TABLE_EMPTY "-" /* the text of a cell without a value */

struct table_column {
	const char *title;
	bool is_right; /* aligned to the right */
	bool is_flex;  /* may be cut in the middle; one column at most */
	int drop;      /* 0: stays; else 1 goes first, then 2, ... */
	int gap;       /* blanks in front of it, unless it is the first shown */
};

struct table {
	const struct table_column *columns;
	size_t n_columns;
	int widest[TABLE_MAX_COLUMNS];
	bool has_content[TABLE_MAX_COLUMNS];
	size_t n_cells;
	struct buf texts; /* all cells and notes, each closed by NUL */
	struct buf lines; /* struct table_line: cells and notes in the order they came */
};

/* Starts an empty table; columns must outlive it. */
void table_init(struct table *t, const struct table_column *columns, size_t n_columns);
void table_release(struct table *t);

/* The next cell, row by row, left to right. */
void table_cell(struct table *t, const char *text, enum ink ink);

/* A line under the row that was completed last, indented and wrapped.  Between rows only. */
void table_note(struct table *t, const char *text);

/*
 * Appends the table.  width 0: as wide as it needs to be.
 *
 * Errors: ERR_NOMEM.
 * Cost:   O(cells), no allocation beyond out.
 */
int table_print(const struct table *t, int width, bool utf8, bool colour, struct buf *out,
		struct err *err);

#endif
