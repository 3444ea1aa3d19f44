/*
 * point - what a judged figure opens and closes.
 *
 * Internal to lib/store/alerts: both are alerts_point() and alerts_return() without what becomes of
 * b->freed.
 */
#ifndef PAWL_STORE_ALERTS_POINT_H
#define PAWL_STORE_ALERTS_POINT_H

#include "lib/store/alerts/alerts.h"

int point_take(struct alert_batch *b, const struct alert_point *p, struct err *err);
int point_return(struct alert_batch *b, const struct alert_point *p, struct err *err);

#endif
