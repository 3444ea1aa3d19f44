/*
 * past - what the store knows of a line of commits, for commands that show it.
 */
#ifndef PAWL_CLI_PAST_H
#define PAWL_CLI_PAST_H

#include "cli/command.h"
#include "lib/config/accepted.h"
#include "reporter/trend/load.h"

struct acceptances {
	struct repo *repo;
	struct accepted all;
};

/* For trend_query: why what this commit did was accepted, or NULL; where git cannot tell, it was
 * not. */
const char *past_accepted(void *ctx, const char *commit, const char *benchmark);

/*
 * The trends of the summary's benchmarks on its machine, up to its commit.  Without a store there
 * are none; a fault is a warning, because what was measured is worth more.
 */
void past_of(const struct context *c, const struct summary *s, struct trend_set *out);

#endif
