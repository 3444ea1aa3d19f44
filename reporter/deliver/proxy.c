#include "reporter/deliver/proxy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

const char *proxy_of(const struct url *url, char *out, size_t size)
{
	/* HTTP_PROXY in capitals is not read: a web server sets it from a request's header */
	static const char *const https[] = { "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
					     NULL };
	static const char *const http[] = { "http_proxy", "all_proxy", "ALL_PROXY", NULL };
	const char *const *name = url->is_https ? https : http;

	if (url_is_loopback(url))
		return NULL;
	for (; *name; name++) {
		const char *value = getenv(*name), *at;

		if (!value || !*value)
			continue;
		at = strrchr(value, '@');
		snprintf(out, size, "%s", at ? at + 1 : value);
		err_clean(out);
		return *name;
	}
	return NULL;
}
