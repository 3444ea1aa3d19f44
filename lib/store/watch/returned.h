/*
 * returned - results of branches that were gone: what was closed there may be open again.
 *
 * Internal to lib/store/watch.
 */
#ifndef PAWL_STORE_WATCH_RETURNED_H
#define PAWL_STORE_WATCH_RETURNED_H

#include "lib/store/alerts/alerts.h"
#include "lib/store/watch/watch.h"

/* Of the results behind `from`, up to the last one that w has seen, into w->returned. */
int returned_read(struct db *db, struct watch *w, int64_t from, struct err *err);
void returned_release(struct watch *w);

/* What one of them opens again; the batch's branch becomes its. */
int returned_settle(struct alert_batch *b, const struct watch_return *r, struct err *err);

#endif
