/*
 * hyperfine_measure - commands in turns with the first of them, and what their runs gave.
 */
#ifndef PAWL_CLI_HYPERFINE_MEASURE_H
#define PAWL_CLI_HYPERFINE_MEASURE_H

#include <stddef.h>

#include "cli/command.h"
#include "cli/hyperfine/expand.h"
#include "lib/base/err.h"
#include "lib/record/summary.h"

/* Of one command: one value a run, in run order, times in seconds. */
struct hyperfine_result {
	const struct hyperfine_command *command;
	double *times;
	int *statuses;
	size_t n;
	double mean, sd, median, min, max; /* sd: NaN of one run */
	double user, in_kernel;		   /* means */
};

struct hyperfine_results {
	struct hyperfine_result *v; /* as the commands */
	size_t n;
};

#define HYPERFINE_RESULTS_INIT \
	{ \
		NULL, 0 \
	}

void hyperfine_results_release(struct hyperfine_results *r);

/*
 * Compares each command with the first, one comparison after the other; one command alone is
 * measured alone.  *summary (initialised here, released on failure) holds what judge() needs; of
 * one command it has no baseline.  The result of the first is of its runs beside the second.
 *
 * Errors: ERR_CHILD a command fails, or one that is to set up or to clean up; those of compare().
 */
int hyperfine_measure(const struct hyperfine_line *line, const struct hyperfine_commands *list,
		      struct context *c, struct summary *summary, struct hyperfine_results *out,
		      struct err *err);

#endif
