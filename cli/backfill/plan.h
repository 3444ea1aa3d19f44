/*
 * backfill_plan - a range that other machines measure: handing the parts out, taking the results.
 */
#ifndef PAWL_CLI_BACKFILL_PLAN_H
#define PAWL_CLI_BACKFILL_PLAN_H

#include "cli/backfill/measure.h"

/* Whether the options ask for it: --matrix, --slurm or --join. */
bool backfill_is_plan(const struct options *o);

/* Where results are: --files as a whole path, else a folder of pawl's own.  Errors: ERR_NOMEM. */
int backfill_folder(const struct options *o, const struct context *c, struct buf *out,
		    struct err *err);

/*
 * w has the commits.  Takes the results that are in the folder, then prints what is left as JSON,
 * hands it to Slurm, or says it.  *out_left: comparisons that are missing.
 *
 * Errors: ERR_USAGE; those of backfill_join() and backfill_submit().
 */
int backfill_plan(struct backfill_work *w, size_t *out_left, struct err *err);

#endif
