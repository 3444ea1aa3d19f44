#include "reporter/publish/exchange.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/when.h"

#include "lib/base/banned.h"

#define DEPTH 16
#define WORDS 200 /* bytes of what a server says for itself */

void exchange_release(struct exchange_answer *a)
{
	jtree_free(a->tree);
	a->tree = NULL;
}

/* What the server says of it, in its "message" or "error"; one clean line. */
static void say(const struct post_reply *reply, char out[WORDS])
{
	struct jtree *tree =
		jtree_parse(buf_str(&reply->body), reply->body.len, POST_MAX_REPLY, DEPTH, NULL);
	static const char *const fields[] = { "message", "error_description", "error" };
	const char *text = NULL;
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]) && !text; i++)
		text = jtree_text(jtree_get(tree, fields[i]));
	out[0] = '\0';
	if (text && *text)
		snprintf(out, WORDS, ": %.190s", text);
	err_clean(out);
	jtree_free(tree);
}

/* What each refusal is cured by; status 0 ends the table. */
static const struct {
	int status;
	const char *what, *cure;
} refusals[] = {
	{ 401, "the token is not accepted", "it may be wrong, expired or revoked: make a new one" },
	{ 403, "the token may not do that",
	  "it needs the right to write comments (github: 'pull-requests: write', and 'statuses: "
	  "write' for --status; gitlab: scope api; gitea: write:issue)" },
	{ 404, "there is no such thing, or the token may not see it",
	  "check --url, --repository, --number, and what the token may see" },
	{ 410, "the conversation was removed", NULL },
	{ 422, "the request is not accepted", "the pull request may be locked" },
	{ 0, NULL, NULL },
};

static int refuse(const struct exchange *x, const struct post_reply *reply, const char *what,
		  struct err *err)
{
	char words[WORDS];
	size_t i;

	say(reply, words);
	for (i = 0; refusals[i].status && refusals[i].status != reply->status; i++)
		;
	err_set(err, ERR_REFUSED, "cannot %s on %s: %s (%d%s)", what, x->forge->name,
		refusals[i].status ? refusals[i].what : "the server refuses", reply->status, words);
	return refusals[i].cure ? err_hint(err, "%s", refusals[i].cure) : -1;
}

/* Of the moment: it is worth another try. */
static int fail_for_now(const struct exchange *x, const struct post_reply *reply, const char *what,
			struct exchange_answer *out, struct err *err)
{
	char words[WORDS];

	out->may_work_later = true;
	out->outcome.asked =
		post_retry_after(reply->retry_after, when_now_us(), &out->outcome.wait_ns);
	say(reply, words);
	err_set(err, ERR_NET, "cannot %s on %s: %s (%d%s)", what, x->forge->name,
		reply->status == 429 || reply->status == 403 ? "too many requests"
							     : "the server has a fault",
		reply->status, words);
	return err_hint(err, "try again later; nothing is posted twice");
}

static int fail_link(const struct exchange *x, const struct post_reply *reply, const char *what,
		     struct exchange_answer *out, struct err *err)
{
	static const char *const words[] = {
		[LINK_UNREACHABLE] = "the server cannot be reached",
		[LINK_BROKEN] = "the connection was lost before the answer",
		[LINK_TLS] = "the server cannot prove who it is",
		[LINK_TOO_LARGE] = "the answer is too large",
	};

	out->may_work_later = reply->link == LINK_UNREACHABLE || reply->link == LINK_BROKEN;
	err_set(err, ERR_NET, "cannot %s on %s: %s: %s", what, x->forge->name, words[reply->link],
		reply->why);
	return err_hint(err, reply->link == LINK_TLS
				     ? "SSL_CERT_FILE names the authorities to trust"
				     : "check --url and the network");
}

static int take_document(const struct exchange *x, const struct post_reply *reply, const char *what,
			 struct exchange_answer *out, struct err *err)
{
	struct err fault = ERR_INIT;

	out->tree = jtree_parse(buf_str(&reply->body), reply->body.len, PUBLISH_MAX_REPLY, DEPTH,
				&fault);
	if (out->tree)
		return 0;
	if (fault.code == ERR_NOMEM)
		return err_nomem(err);
	err_set(err, ERR_NET, "cannot %s on %s: the answer is not JSON", what, x->forge->name);
	return err_hint(err, "--url may not be that of a %s server", x->forge->name);
}

static int judge_reply(const struct exchange *x, const struct post_reply *reply, const char *what,
		       struct exchange_answer *out, struct err *err)
{
	bool is_limited = reply->status == 429 || (reply->status == 403 && reply->retry_after[0]);

	if (reply->link != LINK_OK)
		return fail_link(x, reply, what, out, err);
	out->status = reply->status;
	if (reply->status == 204)
		return 0;
	if (reply->status >= 200 && reply->status < 300)
		return take_document(x, reply, what, out, err);
	if (reply->status >= 300 && reply->status < 400) {
		err_set(err, ERR_REFUSED, "cannot %s on %s: it is elsewhere: %s", what,
			x->forge->name, reply->location);
		return err_hint(err, "the token is not sent there: name that place with --url or "
				     "--repository");
	}
	if (is_limited || reply->status == 408 || reply->status >= 500)
		return fail_for_now(x, reply, what, out, err);
	return refuse(x, reply, what, err);
}

int exchange(const struct exchange *x, const char *method, const char *url, const char *query,
	     const struct buf *body, const char *what, struct exchange_answer *out, struct err *err)
{
	struct post_request rq = { .url = url,
				   .token = x->token,
				   .method = method,
				   .content_type = x->content_type,
				   .query = query,
				   .body = body ? body->data : "",
				   .n_body = body ? body->len : 0,
				   .once = strcmp(method, "GET") != 0,
				   .max_reply = PUBLISH_MAX_REPLY,
				   .auth_header = x->forge->auth_header,
				   .auth_scheme = x->forge->auth_scheme };
	struct post_reply reply;
	int result;

	memset(out, 0, sizeof(*out));
	post_reply_init(&reply);
	result = x->transport->post(x->transport->ctx, &rq, &reply, err);
	if (!result)
		result = judge_reply(x, &reply, what, out, err);
	post_reply_release(&reply);
	return result;
}
