/*
 * notice - what a user should know of a collection that has just been measured.
 */
#ifndef PAWL_COLLECTOR_MACHINE_NOTICE_H
#define PAWL_COLLECTOR_MACHINE_NOTICE_H

#include "collector/unit/units.h"
#include "lib/base/err.h"
#include "lib/base/talk.h"
#include "lib/git/repo.h"
#include "lib/record/summary.h"

/*
 * Warns, once each, of benchmarks that no time was left for, of commands that are mostly their own
 * start, and of processes left behind; can_choose: whether the command can be told what to measure.
 */
void notice_runs(const struct plan *plan, bool can_choose, const struct talk *talk);

/* Adds warnings when the system took the processor away from the benchmarks, for a while or all. */
int notice_switches(const struct plan *plan, struct environment *env, struct err *err);

/*
 * Where nothing was built: warns, once, of a compiled program that is older than a file which HEAD
 * changed; what it shows may be what an earlier commit does.  Paths that match `ignored` reach no
 * build.  A hint by the times of the files: make knows better.
 */
int notice_age(struct repo *repo, const char *commit_id, const char *top,
	       const struct config *config, struct environment *env, struct err *err);

#endif
