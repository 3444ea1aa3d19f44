/*
 * backfill_measure - measures the gaps between commits, one after the other, and keeps each result.
 */
#ifndef PAWL_CLI_BACKFILL_MEASURE_H
#define PAWL_CLI_BACKFILL_MEASURE_H

#include "cli/backfill/backfill.h"
#include "cli/backfill/branches.h"
#include "cli/command.h"
#include "lib/config/accepted.h"

/* One call at work. */
struct backfill_work {
	const struct options *o;
	const struct context *c;
	struct store *store;
	const char *to;	 /* the range's end, as it was named; NULL: a part of one */
	struct strv ids; /* of the commits, oldest first */
	struct backfill_branches branches;
	struct backfill_asked asked;
	struct backfill_known known;
	struct calibrations machine; /* what is known of the benchmarks on it */
	struct accepted accepted;    /* by the work tree's file */
	struct gaps gaps;
	const char *files;    /* each result is written there, too; NULL: nowhere */
	uint64_t deadline_ns; /* 0: none */
	size_t n_measured, n_dropped;
	char *dropped_why; /* the last one that was left out, in one line */
};

void backfill_work_release(struct backfill_work *w);

/*
 * Until all is measured, or the deadline is over: then *out_done is false.
 * Errors: those of backfill_branches_load(), compare(), judge() and store_add(); ERR_IO for files.
 */
int backfill_measure(struct backfill_work *w, bool *out_done, struct err *err);

/* What was found, in a few lines.  Errors: ERR_NOMEM, those of print_answer(). */
int backfill_answer(const struct backfill_work *w, bool done, struct err *err);

#endif
