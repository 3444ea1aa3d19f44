/*
 * profile_run - one run of a benchmark under valgrind, and what it counted.
 *
 * The run has the environment, the arguments and the folder of a timed one.  Children that it
 * starts are followed and counted too; one that forks without executing anything starts with the
 * counts of its parent.  Limits on memory and CPU time do not hold, as valgrind needs more of both.
 */
#ifndef PAWL_COLLECTOR_RUN_PROFILE_RUN_H
#define PAWL_COLLECTOR_RUN_PROFILE_RUN_H

#include "collector/run/runner.h"
#include "lib/profile/profile.h"

enum profile_tool {
	PROFILE_CACHEGRIND, /* counts by function and line: about 4 times slower than without */
	PROFILE_CALLGRIND   /* and who called whom: about 15 times slower */
};

struct profile_run {
	const struct process_runner *runner;
	const struct unit *unit;
	const struct side *side;
	const char *tmp_dir; /* an existing folder; nothing is left in it */
	enum profile_tool tool;
	uint64_t iterations; /* of a libpawl executable */
};

#define PROFILE_RUN_CURE "apt install valgrind"

/*
 * *out gets the profile (profile_release() it), or *failure why there is none: the program died
 * under valgrind, valgrind is not installed (then PROFILE_RUN_CURE is in the text).  free() it.
 *
 * Errors: ERR_STOPPED, ERR_IO, ERR_FULL, ERR_NOMEM.
 */
int profile_run(const struct profile_run *rq, struct profile *out, char **failure, struct err *err);

/* Whether valgrind is found in PATH; appends its path to out. */
bool profile_run_find(const char *top, struct buf *out);

/*
 * The iterations of a libpawl executable that take about target_ns without valgrind, by what its
 * calibration gave, which is made on that side where it was not yet.  1 for a plain command.
 * Errors: those of runner.calibrate(); what the program does wrong is in u->failure.
 */
int profile_iterations(const struct process_runner *r, struct unit *u, const struct side *side,
		       uint64_t target_ns, uint64_t *out, struct err *err);

#endif
