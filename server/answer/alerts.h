/*
 * alerts - what regressed and who was sent what about it; what people say of it.
 */
#ifndef PAWL_SERVER_ANSWER_ALERTS_H
#define PAWL_SERVER_ANSWER_ALERTS_H

#include "server/request.h"

int get_alerts(struct request *r, struct err *err);
int get_messages(struct request *r, struct err *err);

/* In the writer's thread: by the parameters of the address; by the form of a page. */
int change_alert(struct request *r, struct err *err);
int change_alert_form(struct request *r, struct err *err);

#endif
