/*
 * rows - the benchmarks of a summary in the order in which a reader needs them.
 *
 * Regressed ones first, then failed, suspect, accepted, improved, inconclusive, then all others;
 * inside each of these by name (numbers in names by value: "deflate/6" before "deflate/10").
 */
#ifndef PAWL_REPORTER_FIGURES_ROWS_H
#define PAWL_REPORTER_FIGURES_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"
#include "lib/record/summary.h"
#include "reporter/text/terminal.h"

/* What is said of a benchmark: its verdict, or why it has none. */
enum row_kind {
	ROW_REGRESSED,
	ROW_FAILED,
	ROW_SUSPECT,  /* only its stored baseline says that it moved */
	ROW_ACCEPTED, /* regressed, and somebody accepted that */
	ROW_IMPROVED,
	ROW_INCONCLUSIVE,
	ROW_UNCHANGED,
	ROW_IDENTICAL,
	ROW_ADDED,
	ROW_REMOVED,
	ROW_NO_BASELINE,
	ROW_SKIPPED,
	ROW_NOT_JUDGED,
	ROW_KIND_N
};

struct row {
	const struct bench *bench;
	const struct metric *gate; /* NULL when the benchmark has no such metric */
	const struct delta *delta; /* of the gate; NULL when there is none */
	enum row_kind kind;
	size_t at; /* place in the document */
	/* Of those that failed for the same reason, word for word: the first one, and how many. */
	size_t alike, n_alike; /* 1 for what did not fail */
};

struct rows {
	struct row *v;
	size_t n;
	size_t count[ROW_KIND_N];
	double confidence;	  /* least of all intervals shown; NaN without deltas */
	double widest_confidence; /* greatest */
};

/* Errors: ERR_NOMEM.  Cost: O(n log n).  The summary must outlive the rows. */
int rows_of(const struct summary *s, struct rows *out, struct err *err);
void rows_release(struct rows *rows);

/* Whether a row of this kind got worse, better, or could not be compared. */
bool row_has_moved(enum row_kind kind);
/* Whether one of them has. */
bool rows_moved(const struct rows *rows);

/* The verdict as documents have it, "suspect", "accepted", "skipped" or "not judged". */
const char *row_word(enum row_kind kind);
/* One character that means the same. */
const char *row_mark(enum row_kind kind, bool utf8);
enum ink row_ink(enum row_kind kind);

/* Median of x[0..n), NaN for an empty one.  Errors: ERR_NOMEM.  Cost: O(n log n). */
int row_median(const double *x, size_t n, double *out, struct err *err);
/*
 * The medians of both sides of a metric, which may be NULL; of one that was summed up, and has no
 * samples, its figure.  Errors: ERR_NOMEM.
 */
int row_sides(const struct metric *m, double *base, double *head, struct err *err);

#endif
