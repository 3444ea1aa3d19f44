/*
 * bisect_job - one call of pawl bisect, and the file that the next call goes on from.
 */
#ifndef PAWL_CLI_BISECT_JOB_H
#define PAWL_CLI_BISECT_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/bisect/show.h"
#include "cli/command.h"
#include "collector/bisect/bisect.h"
#include "lib/base/strv.h"

struct bisect_job {
	const struct options *o;
	struct context *c;
	struct git_commit good, bad;
	struct strv only;
	bool submodules; /* all commits are built with them */
	bool is_lacking; /* some were built without all of their parts */
	char *path;	 /* of the state file */
	uint64_t deadline_ns;
	struct bisect_log log;
	struct shown shown;
	struct err fault; /* of tell(), which cannot return one */
};

/*
 * Fills path and log: with what an earlier call with the same question left, unless --reset forgets
 * it.  A damaged file is told and taken for none.
 * Errors: ERR_IO, ERR_FULL no folder to write to; ERR_NEWER; ERR_NOMEM.
 */
int bisect_job_open(struct bisect_job *j, struct err *err);

/*
 * Compares head with base, as bisect_request.measure promises; ctx is the job.  What the deadline
 * cut short is BISECT_NO_TIME; what the machine brought about, or parts that are not here, is
 * passing. Errors: those of compare() and judge().
 */
int bisect_job_measure(void *ctx, const char *base, const char *head, int effort,
		       struct bisect_evidence *out, struct err *err);

/* Lists what is kept of all bisections, a line each, or forgets it.  Errors: ERR_IO, ERR_NOMEM. */
int bisect_job_states(const struct context *c, bool forget, struct buf *out, struct err *err);

#endif
