#include "server/others/client.h"

#include <string.h>
#include <strings.h>

#include "server/answer/routes.h"

#include "lib/base/banned.h"

#define LONGEST_CREDENTIAL 1024

bool client_is_other(const struct request *r)
{
	return r->route->kind == ROUTE_CODESPEED || r->route->kind == ROUTE_LNT;
}

static int digit_of(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				     "0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* "USER:PASSWORD" in base64: the password. */
static const char *password_of(const char *coded, struct buf *out)
{
	unsigned bits = 0, n = 0;
	const char *colon;

	if (strlen(coded) > LONGEST_CREDENTIAL)
		return NULL;
	for (; digit_of(*coded) >= 0; coded++) {
		bits = bits << 6 | (unsigned)digit_of(*coded);
		n += 6;
		if (n >= 8) {
			n -= 8;
			buf_addc(out, (char)(bits >> n & 0xff));
		}
	}
	colon = out->failed || !out->len ? NULL : strchr(out->data, ':');
	return colon ? colon + 1 : NULL;
}

const char *client_token(const struct request *r, struct buf *out)
{
	const char *value = request_header(r, "Authorization");

	if (!strncmp(r->route->pattern, "/c/", 3))
		return r->arguments[0];
	if (value && !strncasecmp(value, "Basic ", 6))
		return password_of(value + 6 + strspn(value + 6, " "), out);
	return r->route->kind == ROUTE_LNT ? request_header(r, "AuthToken") : NULL;
}

const char *client_challenge(const struct request *r)
{
	return r->route && r->route->kind == ROUTE_CODESPEED ? "Basic realm=\"pawld\""
							     : "Bearer realm=\"pawld\"";
}
