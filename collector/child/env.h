/*
 * env - the environment of builds and benchmarks: the same for both sides, and
 * without secrets, git's hook variables or anything else that is not on the list.
 */
#ifndef PAWL_COLLECTOR_CHILD_ENV_H
#define PAWL_COLLECTOR_CHILD_ENV_H

#include <stdbool.h>

#include "collector/unit/unit.h"
#include "lib/base/err.h"
#include "lib/base/strv.h"

/*
 * From now on these variables are handed on, too: the names of pawl.env.  For this process, as its
 * environment is.  Errors: ERR_NOMEM.
 */
int child_env_also(const struct strv *names, struct err *err);

/* Whether "NAME=value" is one of them. */
bool child_env_is_named(const char *entry);

/* The allowed variables of our own environment. */
int child_env(struct strv *out, struct err *err);

/* Appends the variables of env, those that own has too left out, and then own. */
int child_env_over(const struct strv *env, const struct strv *own, struct strv *out,
		   struct err *err);

/*
 * child_env(), what a side's cached shared objects need, and the side's own variables.  A
 * LD_LIBRARY_PATH or LD_PRELOAD of its own comes before what the cache needs: it was asked for.
 */
int child_env_of_side(const struct side *side, struct strv *out, struct err *err);

#endif
