/*
 * push_file - one summary document of another job on its way to the server.
 *
 * The document may come from a stranger's change: it is read as data, held against what the caller
 * knows for himself (the commit, the project), written anew, so that nothing unknown travels along,
 * and its branch is replaced.  What it says it measured stays its own claim: a token of untrusted
 * scope keeps it apart on the server.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/command.h"
#include "cli/document.h"
#include "lib/base/buf.h"
#include "lib/base/file.h"
#include "lib/process/stop.h"
#include "lib/base/when.h"
#include "lib/record/ack.h"
#include "reporter/deliver/coded.h"
#include "reporter/deliver/credential.h"
#include "reporter/deliver/deliver.h"
#include "reporter/deliver/transport_curl.h"

#include "lib/base/banned.h"

#define BUDGET_NS 60000000000u

/* Refused, not mended: a document of another commit is a mistake, or a lie. */
static int check_identity(const struct options *o, const char *project, struct summary *s,
			  struct err *err)
{
	if (!s->commit.id || strcmp(s->commit.id, o->commit))
		return err_set(err, ERR_REFUSED, "'%s' is of commit %s, not of %s", o->file,
			       s->commit.id ? s->commit.id : "(none)", o->commit);
	if (project && strcmp(s->project, project))
		return err_set(err, ERR_REFUSED, "'%s' is of project '%s', not of '%s'", o->file,
			       s->project, project);
	return str_set(&s->commit.branch, o->branch, err);
}

static bool is_id(const char *text)
{
	size_t n = strlen(text);

	return (n == 40 || n == 64) && strspn(text, "0123456789abcdef") == n;
}

static int check(const struct options *o, const struct config *c, uint64_t *out_budget_ns,
		 struct err *err)
{
	*out_budget_ns = BUDGET_NS;
	if (options_wait(o, out_budget_ns, err))
		return -1;
	if (!o->commit || !is_id(o->commit)) {
		err_set(err, ERR_USAGE, "--file needs --commit with a whole id of 40 or 64 digits");
		return err_hint(err, "name the commit that you know was measured; what the file "
				     "says is compared with it");
	}
	if (c->server)
		return 0;
	err_set(err, ERR_CONFIG, "no results server is named");
	return err_hint(err, "--server URL, or PAWL_SERVER");
}

/* Waits as long as is sensible; false when the time is over. */
static bool wait_again(const struct post_outcome *o, unsigned attempt, uint64_t end_ns)
{
	uint64_t wait = post_wait_ns(attempt, o, deliver_clock.chance(NULL));
	uint64_t now = when_monotonic_ns();

	if (stop_signal || now + wait >= end_ns)
		return false;
	deliver_clock.sleep_ns(NULL, wait);
	return !stop_signal;
}

/* One attempt; *out_plain: the server wants it plain. */
static int attempt(const struct transport *t, struct post_request *rq, uint64_t end_ns,
		   struct post_outcome *out, struct ack *ack, bool *out_plain, struct err *err)
{
	uint64_t now = when_monotonic_ns();
	struct post_reply reply;
	int result;

	post_reply_init(&reply);
	rq->timeout_ns = end_ns > now ? end_ns - now : 1;
	result = t->post(t->ctx, rq, &reply, err);
	*out_plain = !result && coded_is_refused(rq, &reply);
	if (!result)
		post_classify(rq, &reply, when_now_us(), out);
	if (!result && out->action == POST_DELIVERED)
		ack_decode(buf_str(&reply.body), reply.body.len, ack, NULL);
	post_reply_release(&reply);
	return result;
}

/* 0: delivered; EXIT_UNDELIVERED, told; -1 with err. */
static int send_body(const struct context *c, const struct post_request *plain, uint64_t end_ns,
		     bool keep_trying, struct err *err)
{
	const struct transport_curl_options how = { c->config.insecure_http, 0, 0, &stop_signal };
	struct post_outcome o = { .action = POST_RETRY };
	struct ack ack = { "", "", "", "", 0, false };
	struct post_request rq = *plain;
	struct buf frame = BUF_INIT;
	struct transport transport;
	bool wants_plain = false;
	unsigned n = 0;
	int result;

	if (transport_curl_open(&how, &transport, err))
		return -1;
	coded_set(&rq, &frame);
	do {
		if (wants_plain)
			rq = *plain;
		result = attempt(&transport, &rq, end_ns, &o, &ack, &wants_plain, err);
	} while (wants_plain || (!result && o.action == POST_RETRY && (keep_trying || !o.for_all) &&
				 wait_again(&o, n++, end_ns)));
	transport_curl_close(&transport);
	buf_release(&frame);
	if (result)
		return -1;
	if (o.action != POST_DELIVERED) {
		talk_warn(c->talk, o.cure[0] ? o.cure : NULL, "not posted: %s", o.why);
		return EXIT_UNDELIVERED;
	}
	talk_note(c->talk, "posted to %s%s", c->config.server,
		  ack.untrusted ? ", where it is kept apart as untrusted" : "");
	return EXIT_OK;
}

static int post(const struct options *o, const struct context *c, struct summary *s,
		uint64_t budget_ns, struct err *err)
{
	uint64_t end_ns = when_monotonic_ns() + budget_ns;
	struct buf body = BUF_INIT;
	char *token = NULL, address[URL_TEXT];
	struct url url;
	int status = -1;

	if (url_parse(c->config.server, &url, err) ||
	    credential_token(c->config.token, c->config.server, NULL, &token, err) ||
	    summary_encode(s, 0, &body, err))
		goto out;
	url_print(&url, URL_API, address);
	{
		const struct post_request rq = { .url = address,
						 .token = token,
						 .id = s->id,
						 .body = body.data,
						 .n_body = body.len };

		status = send_body(c, &rq, end_ns, o->wait != NULL, err);
	}
out:
	credential_free(token);
	buf_release(&body);
	return status;
}

/* The layers that belong to the user: no repository is opened, and none has a say. */
static int load_config(const struct options *o, struct context *out, struct err *err)
{
	size_t i;

	memset(out, 0, sizeof(*out));
	out->talk = terminal_talk(o);
	if (config_load(NULL, out->talk, &out->config, err))
		return -1;
	for (i = 0; i + 1 < o->settings.n; i += 2)
		if (config_set(&out->config, o->settings.v[i], o->settings.v[i + 1],
			       "the command line", err))
			return -1;
	return 0;
}

int push_file(const struct options *o)
{
	struct err err = ERR_INIT;
	struct summary s;
	struct context c;
	uint64_t budget_ns;
	int status = -1;

	summary_init(&s);
	if (!load_config(o, &c, &err) && !check(o, &c.config, &budget_ns, &err) &&
	    !document_read(o->file, &s, &err) && !check_identity(o, c.config.project, &s, &err))
		status = post(o, &c, &s, budget_ns, &err);
	summary_release(&s);
	config_release(&c.config);
	return status < 0 ? complain(&err) : status;
}
