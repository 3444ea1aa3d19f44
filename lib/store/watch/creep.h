/*
 * creep - a history that got worse by many small steps, none of which is an alert.
 *
 * Internal to lib/store/watch.
 */
#ifndef PAWL_STORE_WATCH_CREEP_H
#define PAWL_STORE_WATCH_CREEP_H

#include "lib/store/watch/values.h"
#include "lib/store/watch/watch.h"

/* What v, all that is known of the history, says of h->creep.  Errors: those of a question. */
int creep_look(struct db *db, const struct watch *w, struct watch_history *h,
	       const struct values *v, struct err *err);

#endif
