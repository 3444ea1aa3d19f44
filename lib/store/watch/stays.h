/*
 * stays - open alerts of steps whose level is there still.
 *
 * Between two steps that lie close to each other, and with a few results behind it, a step may be
 * seen now and not with one result more.  That is no reason to say that it is resolved.
 *
 * Internal to lib/store/watch.
 */
#ifndef PAWL_STORE_WATCH_STAYS_H
#define PAWL_STORE_WATCH_STAYS_H

#include "lib/store/watch/values.h"
#include "lib/store/watch/watch.h"

/*
 * Those of the history whose newest results lie further from those before the alert's commit than
 * half of what it said, for the worse, go to h->stays.  Errors: those of a question, ERR_NOMEM.
 */
int stays_look(struct db *db, const struct watch *w, struct watch_history *h,
	       const struct values *v, struct err *err);

#endif
