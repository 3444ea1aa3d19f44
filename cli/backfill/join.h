/*
 * backfill_join - takes the results that the parts of a backfill wrote as files into the local
 * store.
 */
#ifndef PAWL_CLI_BACKFILL_JOIN_H
#define PAWL_CLI_BACKFILL_JOIN_H

#include "cli/backfill/backfill.h"
#include "cli/command.h"

struct backfill_joined {
	char *machine; /* whose results count: of the kind that has the most; NULL: no file */
	char *pool;    /* and its PAWL_POOL; NULL: none */
	size_t n_files, n_taken; /* now; what was there already is known, and not taken twice */
};

void backfill_joined_release(struct backfill_joined *j);

/*
 * Reads *.json of the folder and of its sub-folders that are results of neighbours in ids; known
 * gets what this machine's kind has in the store, and these.  What is damaged, of another project,
 * range or kind of machine is warned of and left out.
 *
 * Errors: ERR_IO, ERR_NOMEM; those of store_add() and backfill_known_load().
 */
int backfill_join(const struct options *o, const struct context *c, struct store *store,
		  const char *dir, const struct strv *ids, const struct backfill_asked *asked,
		  struct backfill_known *known, struct backfill_joined *out, struct err *err);

#endif
