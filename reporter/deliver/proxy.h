/*
 * proxy - which proxy the environment names for an address, for messages.
 *
 * libcurl reads the same variables itself; here they are only told.
 */
#ifndef PAWL_REPORTER_DELIVER_PROXY_H
#define PAWL_REPORTER_DELIVER_PROXY_H

#include <stddef.h>

#include "lib/net/url.h"

/*
 * The environment variable that names the proxy for that address, and in out the proxy without
 * user and password; NULL when none is set or the address is this machine's.  no_proxy is left
 * to libcurl.
 */
const char *proxy_of(const struct url *url, char *out, size_t size);

#endif
