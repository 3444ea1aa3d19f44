/*
 * letter - what a message says, in the form of each kind of target.
 *
 * Whatever came from outside is data here: it can begin no header, no line and no field of its own.
 */
#ifndef PAWL_SERVER_ALERT_LETTER_H
#define PAWL_SERVER_ALERT_LETTER_H

#include "lib/base/buf.h"
#include "lib/json/jtree.h"
#include "lib/store/alerts/outbox.h"

#define LETTER_MOST_ALERTS 200 /* that one message names */

struct letter {
	const struct message *message; /* event 0: a trial */
	const struct buf *json;	       /* its alerts, an array */
	const struct jtree *alerts;    /* the same, taken apart */
	int64_t n;		       /* of all its alerts */
	int64_t n_open;		       /* that are open at its commit now */
};

/* The document of a webhook.  Errors: ERR_NOMEM. */
int letter_document(const struct letter *l, struct buf *out, struct err *err);

/* A mail, head and body, as it goes to a server.  to: addresses.  Errors: ERR_NOMEM. */
int letter_mail(const struct letter *l, const char *from, const char *to, struct buf *out,
		struct err *err);

/* The body of a commit's status.  state: its word; context: the field that names it. */
int letter_status(const struct letter *l, const char *context, const char *state, struct buf *out,
		  struct err *err);

#endif
