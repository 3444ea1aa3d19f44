/*
 * layers - what .pawlconfig, git's configuration and the environment say, each put over
 * what is there.
 *
 * Internal to lib/config.  Errors: ERR_CONFIG with place and cure; ERR_NOMEM; those of
 * gitconfig.h.
 */
#ifndef PAWL_CONFIG_LAYERS_H
#define PAWL_CONFIG_LAYERS_H

#include "lib/config/config.h"

/*
 * .pawlconfig as a commit has it; NULL: as it lies at the top of the work tree, and without one as
 * HEAD has it.  Without a repository or file: nothing.
 */
int layer_committed(struct repo *repo, const char *commit, const struct talk *talk,
		    struct config *c, struct err *err);

int layer_git(struct repo *repo, const struct talk *talk, struct config *c, struct err *err);

/* PAWL_RUNS and so on; an empty one counts as not set. */
int layer_environment(struct config *c, struct err *err);

#endif
