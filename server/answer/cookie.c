#include "server/answer/cookie.h"

#include <stdio.h>
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

/* Nobody who does not know the cookie can make it, and it does not give the cookie away. */
static int name_form(struct request *r, const char *secret)
{
	char digest[DIGEST_HEX];
	struct err err = ERR_INIT;
	struct buf text = BUF_INIT;
	int result = -1;

	buf_addf(&text, "form %s", secret);
	if (!buf_check(&text, &err) && !digest_of(text.data, text.len, digest, &err)) {
		snprintf(r->form, sizeof(r->form), "%.32s", digest);
		result = 0;
	} else {
		reply_fault(&r->reply, &err);
	}
	if (text.data)
		explicit_bzero(text.data, text.len);
	buf_release(&text);
	return result;
}

int cookie_check(struct request *r)
{
	char secret[SESSION_SECRET], token[SESSION_TOKEN];
	struct err err = ERR_INIT;

	if (!cookie_read(r, secret) ||
	    !sessions_find(&r->server->sessions, secret, when_monotonic_ns(), token))
		return 1;
	if (!ledger_token_get(request_tokens(r), token, &r->token, &err)) {
		r->has_token = true;
		r->by_session = true;
		return name_form(r, secret);
	}
	if (err.code != ERR_ABSENT) {
		reply_fault(&r->reply, &err);
		return -1;
	}
	sessions_close(&r->server->sessions, secret); /* the token was revoked, or is over */
	return 1;
}
