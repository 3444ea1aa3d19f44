/*
 * known - the names that a user may mean: for completion, and for "did you mean".
 */
#ifndef PAWL_CLI_KNOWN_H
#define PAWL_CLI_KNOWN_H

#include "cli/command.h"

/*
 * The benchmarks of the configuration and of the newest stored result, each once; out may hold
 * some already.  What cannot be read is left out.  Errors: ERR_NOMEM.
 */
int known_benchmarks(const struct context *c, struct strv *out, struct err *err);

/* The machines that have results among the newest.  As above. */
int known_machines(const struct context *c, struct strv *out, struct err *err);

/* "did you mean" of a benchmark, else the hint `otherwise`.  Returns -1. */
int hint_benchmark(const struct context *c, struct err *err, const char *name,
		   const char *otherwise);

/*
 * The hint of an error that this project has no results: which one has those of this repository,
 * else `otherwise`.  Returns -1.
 */
int hint_project(const struct context *c, struct err *err, const char *otherwise);

#endif
