/*
 * url - the address of a results server, in one strict form.
 *
 * Only http://HOST[:PORT][/PATH] and https://... with letters, digits and a few signs that
 * no shell and no second parser reads otherwise: what is checked here is what is dialled.
 */
#ifndef PAWL_NET_URL_H
#define PAWL_NET_URL_H

#include <stdbool.h>

#include "lib/base/err.h"

#define URL_TEXT 1024		    /* room for a whole address */
#define URL_API "/api/v1/summaries" /* where summaries are posted, below the server's path */

struct url {
	bool is_https;
	char host[254]; /* as written: a name, an IPv4 address, or [IPv6] */
	char port[6];	/* "" when not given */
	char path[512]; /* "" or "/..." without a slash at the end, URL_API taken off */
};

/*
 * Reads the address of a server, as `git config pawl.server` names it.
 *
 * Errors: ERR_CONFIG with what is wrong and a cure: another scheme, user or password in the
 *         address, a query, a fragment, a sign that does not belong there, too long.  The
 *         text never repeats a password.
 */
int url_parse(const char *text, struct url *out, struct err *err);

/* Writes the address, and behind it more ("" or URL_API).  Returns out. */
const char *url_print(const struct url *url, const char *more, char out[URL_TEXT]);

/* Whether it cannot leave this machine: localhost, 127.0.0.0/8, [::1]. */
bool url_is_loopback(const struct url *url);

#endif
