/*
 * benchmarks - the [benchmark "NAME"] sections of a configuration.
 *
 * Internal to lib/config.
 */
#ifndef PAWL_CONFIG_BENCHMARKS_H
#define PAWL_CONFIG_BENCHMARKS_H

#include "lib/config/config.h"

/*
 * The benchmark of that name, added when it is new; where and origin are kept of the first
 * place that speaks of it.  Errors: ERR_CONFIG for a bad name; ERR_NOMEM.
 */
int benchmark_named(struct config *c, const char *name, const char *where, const char *origin,
		    struct bench_config **out, struct err *err);

/* Errors: ERR_CONFIG for a benchmark without a command, and for keys that contradict each other. */
int benchmarks_check(const struct config *c, struct err *err);

/* Gives those without a threshold of their own that of [pawl]. */
void benchmarks_settle(struct config *c);

/* Gives those that name a shell its words, and the line.  Errors: ERR_CONFIG, ERR_NOMEM. */
int benchmarks_use_shells(struct config *c, struct err *err);

void benchmarks_release(struct config *c);

#endif
