/*
 * identify - which file a command runs, and whether its code has an identity.
 */
#ifndef PAWL_COLLECTOR_CODE_IDENTIFY_H
#define PAWL_COLLECTOR_CODE_IDENTIFY_H

#include "collector/unit/side.h"
#include "lib/base/buf.h"
#include "lib/base/talk.h"
#include "lib/config/config.h"

struct identify_request {
	const char *top;       /* commands are relative to it */
	const char *cache_dir; /* NULL: no cache; every executable runs in place */
	const char *foreign;   /* the user's work tree, of which nothing may run; NULL: none */
	const struct talk *talk;
};

/*
 * Looks a command up as execvp() would, relative to the top of the work tree; appends the path.
 * Errors: ERR_ABSENT there is no such file, ERR_CHILD it cannot be executed, each with the path and
 *         the cure; ERR_NOMEM.
 */
int identify_find(const char *top, const char *command, struct buf *out, struct err *err);

/*
 * Identifies the executable, or the program behind a libtool wrapper, and puts it into the cache.
 * A script, a program from outside the work tree, or one that is not to be cached has no identity:
 * what it runs is not in its own file, so neither "identical" nor a rerun of an old copy would be
 * true. Errors: ERR_CHILD when it would run, or load, what is not the commit's; ERR_IO, ERR_NOMEM.
 */
int identify_head(const struct identify_request *rq, const struct bench_config *config,
		  const char *exe, struct side *out, struct err *err);

#endif
