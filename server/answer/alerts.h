/*
 * alerts - what regressed and who was sent what about it; what people say of it.
 */
#ifndef PAWL_SERVER_ANSWER_ALERTS_H
#define PAWL_SERVER_ANSWER_ALERTS_H

#include "lib/store/alerts/alerts.h"
#include "server/request.h"

/* NULL or "": 0.  Errors: ERR_SYNTAX. */
int alert_state_read(const char *text, enum alert_state *out, struct err *err);

/* In the writer's thread: by the parameters of the address; by the form of a page. */
int change_alert(struct request *r, struct err *err);
int change_alert_form(struct request *r, struct err *err);

#endif
