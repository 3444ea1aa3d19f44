/*
 * baseline - which stored results HEAD is compared with.
 */
#ifndef PAWL_COLLECTOR_BASELINE_H
#define PAWL_COLLECTOR_BASELINE_H

#include "lib/base/err.h"
#include "lib/git/repo.h"
#include "lib/record/history.h"
#include "lib/store/local/store.h"

#define BASELINE_MAX_WALK 5000 /* commits looked at */

struct baseline_request {
	struct repo *repo;
	struct store *store;
	const char *project, *machine;
	const struct git_commit *commit;
	bool dirty;
	size_t max; /* results */
};

/*
 * The nearest first-parent ancestors of the commit that have clean results of the project on
 * the machine, at most max.  A dirty tree's own commit counts as its nearest ancestor.
 * *out_why (may be NULL-valued, free() it) says why the walk ended without a first one.
 * Errors: ERR_GIT, ERR_STORE, ERR_NOMEM.
 */
int baseline_find(const struct baseline_request *rq, struct history *out, char **out_why,
		  struct err *err);

#endif
