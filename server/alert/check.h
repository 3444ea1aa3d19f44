/*
 * check - whether a target is one: what is typed goes into requests and heads of mails.
 */
#ifndef PAWL_SERVER_ALERT_CHECK_H
#define PAWL_SERVER_ALERT_CHECK_H

#include "lib/store/alerts/outbox.h"

/*
 * Checks a target before it is kept, and brings a forge's address and repository into the form that
 * requests have; its secret is read once, to see that it can be.
 * Errors: ERR_USAGE, ERR_CONFIG, ERR_ABSENT, ERR_IO; with the cure.
 */
int target_check(struct alert_target *t, struct err *err);

#endif
