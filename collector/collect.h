/*
 * collect - the main job: from the work tree at HEAD to one summary with samples.
 */
#ifndef PAWL_COLLECTOR_COLLECT_H
#define PAWL_COLLECTOR_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/talk.h"
#include "lib/config/config.h"
#include "lib/git/repo.h"
#include "lib/record/calibration/calibrations.h"
#include "lib/record/history.h"
#include "lib/record/summary.h"
#include "lib/store/local/store.h"

struct collect_request {
	struct repo *repo;
	const struct config *config;
	struct store *store;	   /* NULL: there are no earlier results */
	const char *state_dir;	   /* cache/ and log/ live there; NULL: no cache, no build log */
	bool partial;		   /* one command of the user: what else there is was not removed */
	bool build;		   /* run config->build first */
	bool built;		   /* the caller's build tool has: it knows what is out of date */
	uint64_t budget_ns;	   /* measuring ends by then, counted from its start; 0: no limit */
	uint64_t wait_ns;	   /* for another pawl that measures, runlock_most_ns() */
	const struct shard *shard; /* measure this part of the suite only; NULL: all */
	const struct calibrations *known; /* of this machine; NULL: none are */
	const struct talk *talk;
};

#define COLLECT_HISTORY 12 /* ancestors looked at, for the screen against stored samples */

/*
 * Builds, measures and fills *out (initialised here, released on failure): everything but
 * the deltas and verdicts.  *out_history gets the ancestors that it was compared with.
 *
 * Where a signal ends the measuring (lib/process/stop.h), the benchmarks that have runs enough to
 * be judged are kept, the others left out, and the summary says so; where none has, that is an
 * error.
 *
 * Errors: ERR_CONFIG nothing to run; ERR_ABSENT an unborn HEAD; ERR_GIT, ERR_STORE,
 *         ERR_STOPPED, ERR_IO, ERR_NOMEM.  A benchmark that fails is no error, nor is a
 *         build: the benchmarks' status says so.
 */
int collect(const struct collect_request *rq, struct summary *out, struct history *out_history,
	    struct err *err);

#endif
