#include "server/answer/cookie.h"

#include <string.h>

#include "lib/base/when.h"

#include "lib/base/banned.h"

/* Behind TLS the prefix makes browsers refuse one that somebody else's page or host has set. */
static const char *cookie_name(const struct request *r)
{
	return r->server->options.behind_proxy ? "__Host-pawld" : "pawld";
}

bool cookie_read(const struct request *r, char out[SESSION_SECRET])
{
	const char *at = request_header(r, "Cookie"), *name = cookie_name(r);
	size_t n = strlen(name);

	for (; at && *at; at += *at == ';') {
		size_t len;

		at += strspn(at, " \t");
		len = strcspn(at, ";");
		if (len == n + SESSION_SECRET && !strncmp(at, name, n) && at[n] == '=') {
			memcpy(out, at + n + 1, SESSION_SECRET - 1);
			out[SESSION_SECRET - 1] = '\0';
			return true;
		}
		at += len;
	}
	return false;
}

void cookie_set(struct request *r, const char *secret, int seconds)
{
	buf_reset(&r->reply.cookie);
	buf_addf(&r->reply.cookie, "%s=%s; Path=/; Max-Age=%d; HttpOnly; SameSite=Strict%s",
		 cookie_name(r), secret, seconds,
		 r->server->options.behind_proxy ? "; Secure" : "");
}

int cookie_check(struct request *r)
{
	char secret[SESSION_SECRET], token[SESSION_TOKEN];
	struct err err = ERR_INIT;

	if (!cookie_read(r, secret) ||
	    !sessions_find(&r->server->sessions, secret, when_monotonic_ns(), token))
		return 1;
	if (!ledger_token_get(r->front->reader, token, &r->token, &err)) {
		r->has_token = true;
		r->by_session = true;
		return 0;
	}
	if (err.code != ERR_ABSENT) {
		reply_fault(&r->reply, &err);
		return -1;
	}
	sessions_close(&r->server->sessions, secret); /* the token was revoked, or is over */
	return 1;
}
