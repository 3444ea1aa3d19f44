/*
 * keys - the one table of what can be configured.
 *
 * Internal to lib/config.  Names, layers, environment variables, checks and hints all come
 * from it; docs/man/pawl-config.5 follows it, and a test holds the two together.
 */
#ifndef PAWL_CONFIG_KEYS_H
#define PAWL_CONFIG_KEYS_H

#include "lib/config/config.h"

/* Where a key counts; a benchmark's keys count in the first two. */
enum {
	IN_COMMITTED = 1,   /* .pawlconfig */
	IN_GIT = 2,	    /* git config */
	IN_ENVIRONMENT = 4, /* PAWL_... */
	IN_OPTION = 8,	    /* command line */
	ANYWHERE = 15
};

struct config_key {
	const char *name; /* as people write it: "minTime" */
	unsigned layers;
	const char *example;
	/* target: struct config, bench_config or hook_config.  Errors: as in values.h. */
	int (*set)(void *target, const char *value, struct err *err);
	bool is_switch; /* a key without '=' means true */
	bool is_secret; /* the value is never shown */
};

/* Each ends with a key without a name. */
extern const struct config_key pawl_keys[], benchmark_keys[], hook_keys[];

/* The key of that name, in any case; NULL when unknown. */
const struct config_key *key_find(const struct config_key *keys, const char *name);

/* Says in err's hint which key was meant.  Returns -1. */
int key_hint(const struct config_key *keys, const char *name, struct err *err);

/*
 * Sets one value; NULL stands for a key without '='.  where ("'.pawlconfig' line 7") goes in
 * front of a fault.  Errors: ERR_CONFIG with the cure; ERR_NOMEM.
 */
int key_set(const struct config_key *key, void *target, const char *value, const char *where,
	    struct err *err);

#define KEY_VARIABLE 64

/* "minTime" -> "PAWL_MIN_TIME".  Returns out. */
const char *key_variable(const struct config_key *key, char out[KEY_VARIABLE]);

#endif
