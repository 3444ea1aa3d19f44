#include "server/answer/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/number.h"
#include "lib/base/strv.h"
#include "lib/base/when.h"
#include "server/answer/auth.h"
#include "server/answer/cookie.h"
#include "server/page/frame.h"
#include "server/page/login.h"

#include "lib/base/banned.h"

#define MOST_BYTES 8192

static int lead_to(struct request *r, const char *to, struct err *err)
{
	buf_adds(&r->reply.location, to);
	return frame_lead(r, err);
}

static int refuse(struct request *r, unsigned status, const char *code, const char *why)
{
	reply_error(&r->reply, status, code, why, NULL);
	return -1;
}

/* "https://host:port": whether it is the host that the browser asked. */
static bool is_host(const char *origin, const char *host)
{
	const char *at = strstr(origin, "://");

	return at && host && !strcasecmp(at + 3, host);
}

/*
 * Whether a page of another site made the browser send this: browsers say so, and programs say
 * nothing.  A proxy in front may have changed Host, where browsers that say no more are refused.
 */
static bool is_foreign(const struct request *r)
{
	const char *site = request_header(r, "Sec-Fetch-Site");
	const char *origin = request_header(r, "Origin");

	if (site)
		return strcasecmp(site, "same-origin") && strcasecmp(site, "none");
	return origin && !is_host(origin, request_header(r, "Host"));
}

int session_check_head(struct request *r)
{
	static const char wanted[] = "application/x-www-form-urlencoded";
	const char *type = request_header(r, "Content-Type");
	const char *length = request_header(r, "Content-Length");
	uint64_t n = 0;

	if (is_foreign(r))
		return refuse(r, 403, "refused", "the form came from another site");
	if (!type || strncasecmp(type, wanted, sizeof(wanted) - 1))
		return refuse(r, 415, "type", "the body must be a form");
	if (length && (!number_u64(length, &n) || n > MOST_BYTES))
		return refuse(r, 413, "limit", "the form is too large");
	return 0;
}

int session_add(struct request *r, const char *bytes, size_t n)
{
	if (r->body.len + n > MOST_BYTES)
		return refuse(r, 413, "limit", "the form is too large");
	buf_add(&r->body, bytes, n);
	return 0;
}

int session_page(struct request *r, struct err *err)
{
	const char *to = target_given(&r->url, "to");

	login_write(r, to ? to : "/", NULL);
	return buf_check(&r->reply.body, err);
}

/* The form once more, unless there were too many tries. */
static int refuse_token(struct request *r, const char *to)
{
	static const char why[] = "the token is wrong, revoked or expired";

	auth_refuse(r, why);
	if (r->reply.status == 401) {
		buf_reset(&r->reply.body);
		login_write(r, to, why);
	}
	return -1;
}

/* With the token in hand, or NULL. */
static int log_in(struct request *r, const char *text, const char *to, struct err *err)
{
	char secret[SESSION_SECRET];
	struct token_info token = { .project = NULL };
	struct err fault = ERR_INIT;
	int result = -1;

	if (!text || ledger_token_find(request_tokens(r), text, &token, &fault)) {
		if (!text || fault.code == ERR_ABSENT)
			return refuse_token(r, to);
		*err = fault;
		return -1;
	}
	if (!token_allows(&token, SCOPE_READ, NULL)) {
		refuse(r, 403, "refused", "the token's scope does not allow reading");
	} else if (!sessions_open(&r->server->sessions, token.id, when_monotonic_ns(), secret,
				  err)) {
		cookie_set(r, secret, SESSIONS_HOURS * 3600);
		result = lead_to(r, login_leads(to) ? to : "/", err);
	}
	token_info_release(&token);
	return result;
}

/* A form is a query; what is read of it lives in *out. */
int session_read_form(struct request *r, struct target *out, struct err *err)
{
	struct buf text = BUF_INIT;
	int result = -1;

	if (strlen(buf_str(&r->body)) != r->body.len)
		return err_set(err, ERR_SYNTAX, "the form has a NUL byte");
	buf_adds(&text, "/?");
	buf_adds(&text, buf_str(&r->body));
	if (!buf_check(&r->body, err) && !buf_check(&text, err))
		result = target_parse(buf_str(&text), out, err);
	if (text.data)
		explicit_bzero(text.data, text.len);
	buf_release(&text);
	return result;
}

bool session_is_own_form(const struct request *r, const char *text)
{
	unsigned char difference = 0;
	size_t i;

	if (!r->by_session)
		return true;
	if (!text || strlen(text) != strlen(r->form))
		return false;
	for (i = 0; r->form[i]; i++)
		difference |= (unsigned char)(text[i] ^ r->form[i]);
	return !difference;
}

int session_open(struct request *r, struct err *err)
{
	struct target form = { .text = NULL };
	const char *to;
	int result;

	result = session_read_form(r, &form, err);
	if (!result) {
		to = target_given(&form, "to");
		result = log_in(r, target_given(&form, "token"), to ? to : "/", err);
	}
	/* A token is not to lie about in memory that others get. */
	if (form.text)
		explicit_bzero(form.text, r->body.len + 2);
	if (r->body.data)
		explicit_bzero(r->body.data, r->body.len);
	target_release(&form);
	return result;
}

int session_close(struct request *r, struct err *err)
{
	char secret[SESSION_SECRET];

	if (cookie_read(r, secret))
		sessions_close(&r->server->sessions, secret);
	cookie_set(r, "", 0);
	return lead_to(r, LOGIN_PATH, err);
}
