/*
 * names - what the user named: benchmarks, and files in commands.
 */
#ifndef PAWL_COLLECTOR_COMPARE_NAMES_H
#define PAWL_COLLECTOR_COMPARE_NAMES_H

#include "collector/compare.h"
#include "collector/unit/units.h"
#include "lib/record/history.h"

/*
 * Every name of rq->only must mean one of the units.
 * Errors: ERR_CONFIG with the first that does not, and the names there are.
 */
int compare_check_names(const struct compare_request *rq, const struct plan *plan, struct err *err);

/*
 * Says which files in commands are in the user's work tree alone: of a benchmark that failed in
 * front of its failure, of others as a warning.  To be called when all ran; either top may be NULL:
 * then nothing is known.  Errors: ERR_NOMEM.
 */
int compare_tell_untracked(const struct compare_request *rq, const char *base_top,
			   const char *head_top, struct plan *plan, struct err *err);

/*
 * Makes absolute paths into the work tree relative, in all commands: each side has to run its own
 * file.  What was written is kept in `given`.  Errors: ERR_NOMEM.
 */
int compare_make_relative(struct config *config, const char *top, struct err *err);

/*
 * Appends what the base has to a history, in the form in which fill_summary() knows ancestors, as
 * if it had been collected.  commit: of the base; NULL: of none.  Errors: ERR_NOMEM.
 */
int compare_names_of(const struct compare_request *rq, const char *commit, const struct plan *plan,
		     struct history *out, struct err *err);

#endif
