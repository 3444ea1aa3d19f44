/*
 * work_count - how many instructions each side of a benchmark takes, counted by valgrind.
 *
 * Counting is exact where timing is not: the same program on the same input takes the same
 * instructions, on a busy machine too.  Of a libpawl executable an iteration is counted: a run of
 * 2 N iterations less one of N, so that the program's start drops out.  Of a command the whole
 * process is, with the programs that it starts.
 */
#ifndef PAWL_COLLECTOR_RUN_WORK_COUNT_H
#define PAWL_COLLECTOR_RUN_WORK_COUNT_H

#include "collector/run/runner.h"
#include "collector/unit/units.h"
#include "lib/base/talk.h"

/* Two counts of the same program that differ more than this are none. */
#define WORK_COUNT_REPEATABLE 1e-4

/*
 * Fills u->work: head, and base where u->has_base; how is "valgrind".  Where a side cannot be
 * counted (no valgrind, the program dies under it, two counts differ) both are NaN and
 * reason says why.
 *
 * Shape:  tmp_dir exists; nothing is left in it.  talk may be NULL.
 * Errors: ERR_STOPPED, ERR_IO, ERR_FULL, ERR_NOMEM.
 * Cost:   for each side three runs of about half a second, of a command two of the whole process
 *         at a quarter of its speed.
 */
int work_count(const struct process_runner *r, struct unit *u, const char *tmp_dir,
	       const struct talk *talk, struct err *err);

/* Of all units that were measured.  Errors: as work_count(). */
int work_count_all(const struct process_runner *r, struct plan *plan, const char *dir,
		   const struct talk *talk, struct err *err);

#endif
