/*
 * config_key - what of the configuration decides what is measured, and how it is judged: for the
 * names of what is kept.
 */
#ifndef PAWL_CLI_KEPT_CONFIG_KEY_H
#define PAWL_CLI_KEPT_CONFIG_KEY_H

#include "lib/base/strv.h"
#include "lib/config/config.h"
#include "lib/digest/digest.h"

/* All but the benchmarks; errors show at digest_end(). */
void config_key_add(struct digest *d, const struct config *config);

/* One benchmark. */
void config_key_bench(struct digest *d, const struct bench_config *b);

#endif
