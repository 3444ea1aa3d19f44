/*
 * summary_frame - what every summary has around its benchmarks, known before and after measuring.
 */
#ifndef PAWL_COLLECTOR_SUMMARY_FRAME_H
#define PAWL_COLLECTOR_SUMMARY_FRAME_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/config/config.h"
#include "lib/git/repo.h"
#include "lib/record/history.h"
#include "lib/record/summary.h"

/*
 * commit NULL: it is of none; repo NULL: it is in none, and the current folder names the project.
 * Id, project, commit, machine and settings; the seed is the configured one, else a fresh one.
 * commit.dirty is left to the caller.
 * Errors: those of tag.h and machine_describe(); ERR_IO, ERR_NOMEM.
 */
int summary_frame_begin(struct repo *repo, const struct config *config,
			const struct git_commit *commit, bool partial, bool submodules,
			struct summary *out, struct err *err);

/*
 * Names the nearest of history as the baseline, and the best way in which any benchmark used it;
 * a benchmark only says what differs from that.  Errors: ERR_NOMEM.
 */
int summary_frame_baseline(const struct history *history, struct summary *out, struct err *err);

#endif
