/*
 * targets - a row of target in a query of another table.  Internal to lib/store/alerts.
 */
#ifndef PAWL_STORE_ALERTS_TARGETS_H
#define PAWL_STORE_ALERTS_TARGETS_H

#include "lib/store/alerts/outbox.h"

#define TARGET_COLUMNS \
	"t.target_id, t.kind, t.url, t.secret_file, t.sender, t.recipients, t.forge," \
	" t.repository, t.verdicts_only, t.allow_private, t.branch"
#define TARGET_N_COLUMNS 11

/* Reads them, the first being column number `at`.  *out is to be released in any case. */
int alert_target_read(struct db_query *st, int at, struct alert_target *out, struct err *err);

#endif
