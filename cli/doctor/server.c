/* Whether the server answers, and takes what would be posted with this token. */
#include <stdio.h>

#include "cli/doctor/doctor.h"
#include "collector/summary_frame.h"
#include "lib/process/stop.h"
#include "lib/record/ack.h"
#include "reporter/deliver/credential.h"
#include "reporter/deliver/proxy.h"
#include "reporter/deliver/transport_curl.h"

#include "lib/base/banned.h"

#define PROBE_TIMEOUT_NS 10000000000ull

/*
 * A summary of HEAD as it would be posted, but of nothing, and of two builds: pawld looks first
 * whether the token may post for the project and the commit, and then refuses it as a result of
 * no commit.  So nothing is stored.
 */
static int make_probe(const struct context *c, struct buf *out, struct err *err)
{
	struct git_commit head = GIT_COMMIT_INIT;
	bool has_head = !repo_commit(c->repo, "HEAD", &head, NULL);
	struct summary s;
	int result = -1;

	summary_init(&s);
	if (!summary_frame_begin(c->repo, &c->config, has_head ? &head : NULL, true, false, &s,
				 err) &&
	    !str_set(&s.sides.base, "pawl doctor", err) &&
	    !str_set(&s.sides.head, "pawl doctor", err))
		result = summary_encode(&s, 0, out, err);
	summary_release(&s);
	git_commit_release(&head);
	return result;
}

/* Not taken: 401 is of the token alone, 403 of what it is for; pawld says which. */
static void say_refused(struct diagnosis *d, const struct context *c,
			const struct post_reply *reply)
{
	struct ack ack = { .message = "" };
	char cure[400];

	if (ack_decode(buf_str(&reply->body), reply->body.len, &ack, NULL))
		ack.message[0] = '\0';
	snprintf(cure, sizeof(cure),
		 reply->status == 403
			 ? "set PAWL_TOKEN to a token that may post results of project "
			   "'%s': pawld token add --store STORE --project %s --scope write"
			 : "set PAWL_TOKEN, or give git's credential helper a valid "
			   "token",
		 c->project, c->project);
	finding_add(d, "server", DOCTOR_FAULT, cure,
		    "'%s' answers, but does not take the token (%d%s%s)", c->config.server,
		    reply->status, ack.message[0] ? ": " : "", ack.message);
}

static void say_reply(struct diagnosis *d, const struct context *c, const struct post_reply *reply)
{
	if (reply->link != LINK_OK)
		finding_add(
			d, "server", DOCTOR_FAULT,
			"see that it runs and that the address is right; results wait meanwhile",
			"'%s': %s", c->config.server, reply->why);
	else if (reply->status == 401 || reply->status == 403)
		say_refused(d, c, reply);
	else if (reply->status == 400 || reply->status == 422)
		finding_add(d, "server", DOCTOR_OK, NULL, "'%s' answers and takes the token",
			    c->config.server);
	else
		finding_add(d, "server", DOCTOR_FAULT,
			    "see that pawl.server is the address of a pawld",
			    "'%s' answers with status %d", c->config.server, reply->status);
}

static void ask(struct diagnosis *d, const struct context *c, const char *token,
		const struct buf *probe)
{
	const struct transport_curl_options options = { .insecure_http = c->config.insecure_http,
							.stop = &stop_signal };
	struct transport transport;
	struct post_reply reply;
	struct err err = ERR_INIT;
	struct url address;
	char url[URL_TEXT], by[256];
	const char *proxy;
	struct post_request rq = { .url = url,
				   .token = token,
				   .id = "",
				   .body = buf_str(probe),
				   .n_body = probe->len,
				   .timeout_ns = PROBE_TIMEOUT_NS };

	if (url_parse(c->config.server, &address, &err) ||
	    transport_curl_open(&options, &transport, &err)) {
		finding_add_fault(d, "server", &err);
		return;
	}
	proxy = proxy_of(&address, by, sizeof(by));
	if (proxy)
		finding_add(d, "server", DOCTOR_OK, NULL,
			    "asked through the proxy '%s' of %s, unless no_proxy names it", by,
			    proxy);
	url_print(&address, URL_API, url);
	post_reply_init(&reply);
	if (transport.post(transport.ctx, &rq, &reply, &err))
		finding_add_fault(d, "server", &err);
	else
		say_reply(d, c, &reply);
	post_reply_release(&reply);
	transport_curl_close(&transport);
}

void doctor_look_server(struct diagnosis *d, const struct context *c)
{
	struct buf probe = BUF_INIT;
	struct err err = ERR_INIT;
	char *token = NULL;

	if (!c->config.server) {
		finding_add(d, "server", DOCTOR_OK, NULL, "none is named: nothing is posted");
		return;
	}
	if (credential_token(c->config.token, c->config.server, repo_top(c->repo), &token, &err) ||
	    make_probe(c, &probe, &err))
		finding_add_fault(d, "server", &err);
	else
		ask(d, c, token, &probe);
	credential_free(token);
	buf_release(&probe);
}
