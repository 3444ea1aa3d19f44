#include "server/answer/auth.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "lib/base/strv.h"
#include "lib/base/when.h"
#include "server/answer/cookie.h"
#include "server/answer/routes.h"
#include "server/others/client.h"

#include "lib/base/banned.h"

/* "Bearer TOKEN": the token, NULL for anything else. */
static const char *bearer(const struct request *r)
{
	const char *value = request_header(r, "Authorization");

	if (!value || strncasecmp(value, "Bearer ", 7))
		return NULL;
	value += 7;
	return value + strspn(value, " ");
}

int auth_refuse(struct request *r, const char *why)
{
	const struct sockaddr *peer = request_peer(r);

	if (peer && !limit_count(&r->server->failures, peer, when_monotonic_ns())) {
		reply_error(&r->reply, 429, "refused", "too many wrong tokens from this address",
			    NULL);
		r->reply.retry_after_s = 60;
		return -1;
	}
	reply_error(&r->reply, 401, "refused", why, NULL);
	r->reply.challenge = true;
	return -1;
}

/*
 * With --no-auth a page in the user's browser could reach us by a name that its owner
 * points at 127.0.0.1; such a request carries that name.
 */
static bool has_local_host(const struct request *r)
{
	const char *host = request_header(r, "Host");
	char name[64];
	unsigned char address[16];
	size_t n;

	if (!host)
		return true;
	if (host[0] == '[')
		return strchr(host, ']') != NULL;
	n = strcspn(host, ":");
	if (n >= sizeof(name))
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)n, host);
	return !strcasecmp(name, "localhost") || inet_pton(AF_INET, name, address) == 1;
}

/*
 * A token that a forge signed for a job: it may post summaries of its commit, and nothing else. The
 * other routes that write are for clients that do not know the commit, or change what was posted.
 */
static int check_signed(struct request *r, const char *text)
{
	struct err err = ERR_INIT;

	if (r->route->kind != ROUTE_BATCH && (r->route->kind != ROUTE_API || r->route->answer)) {
		reply_error(&r->reply, 403, "refused", "a signed token may only post summaries",
			    NULL);
		return -1;
	}
	if (trust_check(r->server->trust, text, when_now_us(), &r->grant, &err)) {
		if (err.code == ERR_ABSENT)
			return auth_refuse(r, err.text);
		if (err.code == ERR_REFUSED)
			reply_error(&r->reply, 403, "refused", err.text, NULL);
		else
			reply_fault(&r->reply, &err);
		return -1;
	}
	if (str_set(&r->token.project, r->grant.project, &err)) {
		reply_fault(&r->reply, &err);
		return -1;
	}
	r->token.scopes = SCOPE_WRITE;
	r->token.untrusted = r->grant.untrusted;
	r->has_token = true;
	return 0;
}

/* Who asks, and whether he may use a route of that scope. */
static int identify(struct request *r, unsigned scope)
{
	const struct server_options *options = &r->server->options;
	struct buf others = BUF_INIT;
	struct err err = ERR_INIT;
	const char *text;
	int found;

	if (options->no_auth) {
		if (has_local_host(r))
			return 0;
		reply_error(&r->reply, 403, "refused",
			    "without tokens only local names of this server are answered", "Host");
		return -1;
	}
	if (!scope || (scope == SCOPE_READ && options->public_read))
		return 0;
	text = bearer(r);
	if (!text && client_is_other(r))
		text = client_token(r, &others);
	if (!text && route_is_page(r)) {
		found = cookie_check(r);
		if (found <= 0)
			return found ? -1 : auth_project(r, scope, NULL);
	}
	if (!text) {
		buf_release(&others);
		reply_error(&r->reply, 401, "refused",
			    "a token is needed: Authorization: Bearer TOKEN", NULL);
		r->reply.challenge = true;
		return -1;
	}
	if (r->server->trust && trust_is_signed(text)) {
		found = check_signed(r, text);
		if (others.data)
			explicit_bzero(others.data, others.len);
		buf_release(&others);
		return found;
	}
	found = ledger_token_find(request_tokens(r), text, &r->token, &err);
	if (others.data)
		explicit_bzero(others.data, others.len);
	buf_release(&others);
	if (found) {
		if (err.code == ERR_ABSENT)
			return auth_refuse(r, err.text);
		reply_fault(&r->reply, &err);
		return -1;
	}
	r->has_token = true;
	return auth_project(r, scope, NULL);
}

/* It is about trusted results; what an untrusted token posts is kept apart from those. */
static bool is_for_trusted(const struct request *r)
{
	return r->route->scope == SCOPE_WRITE && r->route->kind >= ROUTE_CHANGE;
}

/*
 * A signed token is one of many of its project: they count together.  The untrusted ones count
 * apart, or a fork would use up what the project's own jobs may ask.
 */
static bool may_ask(struct request *r, unsigned *wait_s)
{
	return rate_take(&r->server->rate, r->grant.project ? r->grant.project : r->token.id,
			 r->grant.project && r->token.untrusted, when_monotonic_ns(), wait_s);
}

int auth_check(struct request *r, unsigned scope)
{
	unsigned wait_s = 0;

	if (identify(r, scope))
		return -1;
	if (!r->has_token || may_ask(r, &wait_s))
		return 0;
	reply_error(&r->reply, 429, "busy", "too many requests with this token", NULL);
	r->reply.retry_after_s = (int)wait_s;
	return -1;
}

int auth_project(struct request *r, unsigned scope, const char *project)
{
	if (!r->has_token)
		return 0;
	if (r->token.untrusted && is_for_trusted(r)) {
		reply_error(&r->reply, 403, "refused", "an untrusted token settles no alert", NULL);
		return -1;
	}
	if (token_allows(&r->token, scope, project))
		return 0;
	reply_error(&r->reply, 403, "refused",
		    project ? "the token is for another project"
			    : "the token's scope does not allow this",
		    NULL);
	return -1;
}

int auth_summary(struct request *r, const struct summary *s)
{
	struct err err = ERR_INIT;

	if (auth_project(r, SCOPE_WRITE, s->project))
		return -1;
	if (!grant_check(&r->grant, s->commit.id, s->commit.branch, &err))
		return 0;
	reply_error(&r->reply, 403, "refused", err.text, "commit");
	return -1;
}
