/*
 * backfill_slurm - gives the parts of a backfill to Slurm: one array of jobs, a part each.
 */
#ifndef PAWL_CLI_BACKFILL_SLURM_H
#define PAWL_CLI_BACKFILL_SLURM_H

#include "cli/command.h"

/*
 * Writes a script that holds the parts into dir, which is made, and hands it to sbatch.  Each job
 * has its node for itself, clones the repository into its own temporary folder, and writes its
 * results to dir.  Appends what sbatch calls the job to out_job, and to out_again the line that
 * runs part N once more on such a node.
 *
 * Errors: ERR_USAGE; ERR_ABSENT there is no sbatch; ERR_REFUSED it says no; ERR_IO, ERR_NOMEM.
 */
int backfill_submit(const struct options *o, const struct context *c, const struct strv *parts,
		    const char *dir, struct buf *out_job, struct buf *out_again, struct err *err);

/* The words of this call that say what is measured, and how, without mode and range: to be typed
 * again, behind those.  Errors: ERR_NOMEM. */
int backfill_words(const struct options *o, struct strv *out, struct err *err);

#endif
