/*
 * rows_notes - the notes of all rows, those that many share said once.
 */
#ifndef PAWL_REPORTER_PARTS_ROWS_NOTES_H
#define PAWL_REPORTER_PARTS_ROWS_NOTES_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "reporter/figures/rows.h"

struct rows_notes {
	struct strv *of_row; /* rows->n of them */
	size_t n;
	struct strv shared; /* "20 benchmarks: NOTE" */
};

#define ROWS_NOTES_INIT \
	{ \
		NULL, 0, STRV_INIT \
	}

void rows_notes_release(struct rows_notes *notes);

/*
 * The notes of notes_of_row() for each row.  Unless verbose, a note that more than ROWS_NOTES_MOST
 * rows have, or all that failed, is taken from them and is one line with their number; and so are
 * those that only say that a row is undecided.
 *
 * Errors: ERR_NOMEM.  Cost: O(n log n) comparisons of notes.
 */
int rows_notes_of(const struct rows *rows, bool verbose, struct rows_notes *out, struct err *err);

#define ROWS_NOTES_MOST 3

#endif
