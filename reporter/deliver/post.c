#include "reporter/deliver/post.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "lib/base/number.h"
#include "lib/base/when.h"
#include "lib/record/ack.h"

#include "lib/base/banned.h"

#define SECOND_NS 1000000000ull

void post_reply_init(struct post_reply *reply)
{
	memset(reply, 0, sizeof(*reply));
}

void post_reply_release(struct post_reply *reply)
{
	buf_release(&reply->body);
}

/* "Sun, 06 Nov 1994 08:49:37 GMT": the one form that servers may send. */
static bool read_http_date(const char *text, int64_t *out_us)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	char month[4], iso[32];
	unsigned day, year, hour, minute, second;
	const char *at;
	int end = 0;

	if (sscanf(text, "%*3[A-Za-z], %2u %3[A-Za-z] %4u %2u:%2u:%2u GMT%n", &day, month, &year,
		   &hour, &minute, &second, &end) != 6 ||
	    !end || text[end])
		return false;
	at = strstr(months, month);
	if (strlen(month) != 3 || !at || (at - months) % 3)
		return false;
	snprintf(iso, sizeof(iso), "%04u-%02u-%02uT%02u:%02u:%02uZ", year % 10000,
		 (unsigned)(at - months) / 3 + 1, day % 100, hour % 100, minute % 100,
		 second % 100);
	return when_parse(iso, out_us);
}

bool post_retry_after(const char *text, int64_t now_us, uint64_t *out_ns)
{
	uint64_t seconds;
	int64_t date_us;

	if (*text && strspn(text, "0123456789") == strlen(text)) {
		if (!number_u64(text, &seconds) || seconds > POST_MAX_WAIT_NS / SECOND_NS)
			seconds = POST_MAX_WAIT_NS / SECOND_NS;
	} else if (read_http_date(text, &date_us)) {
		if (date_us <= now_us)
			seconds = 0;
		else if (date_us - now_us > (int64_t)(POST_MAX_WAIT_NS / 1000))
			seconds = POST_MAX_WAIT_NS / SECOND_NS;
		else
			seconds = (uint64_t)(date_us - now_us + 999999) / 1000000;
	} else {
		return false;
	}
	*out_ns = seconds * SECOND_NS;
	return true;
}

uint64_t post_wait_ns(unsigned attempt, const struct post_outcome *outcome, double chance)
{
	uint64_t most = attempt < 5 ? SECOND_NS << attempt : POST_MAX_WAIT_NS;
	uint64_t wait = (uint64_t)((double)most * chance);

	return outcome->asked && outcome->wait_ns > wait ? outcome->wait_ns : wait;
}

static bool is_json(const char *content_type)
{
	static const char json[] = "application/json";
	size_t n = sizeof(json) - 1;

	return !strncasecmp(content_type, json, n) &&
	       (!content_type[n] || strchr("; \t", content_type[n]));
}

__attribute__((format(printf, 2, 3))) static void say(struct post_outcome *out, const char *fmt,
						      ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(out->why, sizeof(out->why), fmt, ap);
	va_end(ap);
	err_clean(out->why);
}

__attribute__((format(printf, 2, 3))) static void cure(struct post_outcome *out, const char *fmt,
						       ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(out->cure, sizeof(out->cure), fmt, ap);
	va_end(ap);
	err_clean(out->cure);
}

/* 200 and 201: delivered only when the answer proves that this summary was stored. */
static void classify_success(const struct post_request *rq, const struct post_reply *reply,
			     struct post_outcome *out)
{
	struct err err = ERR_INIT;
	struct ack ack;

	if (!is_json(reply->content_type)) {
		out->for_all = true;
		say(out,
		    "HTTP %d with '%s' instead of an acknowledgement: something else than pawld "
		    "answered, such as a captive portal",
		    reply->status, reply->content_type);
		cure(out, "log in to the network, or check the address: git config pawl.server");
	} else if (ack_decode(buf_str(&reply->body), reply->body.len, &ack, &err)) {
		say(out, "HTTP %d, but the acknowledgement cannot be read: %s", reply->status,
		    err.text);
	} else if (strcmp(ack.id, rq->id)) {
		say(out, "HTTP %d, but the acknowledgement is for '%s', not for '%s'",
		    reply->status, ack.id, rq->id);
	} else {
		out->action = POST_DELIVERED;
	}
}

/* The cure names the new address only when it is surely one of a results server. */
static void classify_move(const struct post_reply *reply, struct post_outcome *out)
{
	char text[URL_TEXT];
	struct url url;
	size_t n = strlen(reply->location), api = strlen(URL_API);
	bool is_api = n > api && !strcmp(reply->location + n - api, URL_API);

	out->action = POST_MOVED;
	out->for_all = out->keep = true;
	if (!n) {
		say(out, "the server answered HTTP %d without saying where it moved",
		    reply->status);
		cure(out, "check the address: git config pawl.server");
		return;
	}
	say(out, "the server answered HTTP %d and points to '%.400s'; pawl does not follow",
	    reply->status, reply->location);
	if (!is_api || url_parse(reply->location, &url, NULL))
		cure(out, "if it moved, name the new address: git config pawl.server URL");
	else if (!url.is_https && !url_is_loopback(&url))
		cure(out, "the new address is not encrypted: ask who runs the server");
	else
		cure(out, "git config pawl.server %.280s", url_print(&url, "", text));
}

static const char *cure_of(const struct post_request *rq, int status)
{
	switch (status) {
	case 401:
		return rq->token ? "check the token in PAWL_TOKEN or git's credential helper; a "
				   "new one: pawld token add --scope write"
				 : "set PAWL_TOKEN to a token that pawld token add --scope write "
				   "printed";
	case 403:
		return "set PAWL_TOKEN to a token for this result's project; what is collected "
		       "from now on is of pawl.project";
	case 404:
		return "check the address and the project: git config pawl.server";
	case 409:
		return "the server holds another summary under this id; look at the local one: "
		       "pawl fsck";
	case 413:
		return "collect fewer benchmarks in one go, or ask who runs the server for a "
		       "higher limit";
	default:
		return "hold 'pawl --version' against 'pawld --version'";
	}
}

/* A smaller one may get through, and this one too once the limit is raised. */
static void classify_proxy_limit(const struct post_request *rq, struct post_outcome *out)
{
	say(out,
	    "HTTP 413, but not from pawld: a proxy in front of it takes no request of %.1f MiB",
	    (double)rq->n_body / (1 << 20));
	cure(out, "ask who runs the server to raise the proxy's limit to pawld's 16 MiB (nginx: "
		  "client_max_body_size 16m;), then type: pawl push");
}

/*
 * 4xx: refused; what names the server's settings or ours must not cost the summary its place, nor
 * what something else than pawld said of it.
 */
static void classify_refusal(const struct post_request *rq, const struct post_reply *reply,
			     struct post_outcome *out)
{
	struct ack ack = { "", "", "", "", 0, false };
	bool is_pawld = is_json(reply->content_type) &&
			!ack_decode(buf_str(&reply->body), reply->body.len, &ack, NULL) &&
			ack.code[0];
	int status = reply->status;

	out->action = POST_REJECT;
	out->keep = status == 401 || status == 403 || status == 404 || !is_pawld;
	out->for_all = status == 401 || (!is_pawld && (status == 403 || status == 404));
	if (!is_pawld && status == 413) {
		classify_proxy_limit(rq, out);
		return;
	}
	say(out, "the server refused it: HTTP %d%s%s%s%s", status, ack.where[0] ? ": " : "",
	    ack.where, ack.message[0] ? ": " : "", ack.message);
	cure(out, "%s", cure_of(rq, status));
}

/* Worth another attempt: 408 425 429 and all of 5xx; 407 and 511 come from what stands between. */
static void classify_retry(const struct post_reply *reply, int64_t now_us, struct post_outcome *out)
{
	out->asked = post_retry_after(reply->retry_after, now_us, &out->wait_ns);
	if (reply->status == 407 || reply->status == 511) {
		out->for_all = true;
		say(out, "HTTP %d: the network wants a login before it lets anything through",
		    reply->status);
		cure(out, "log in, or check the proxy variables of the environment");
		return;
	}
	say(out, "the server answered HTTP %d%s", reply->status,
	    reply->status == 429   ? " (too many requests)"
	    : reply->status == 503 ? " (not available)"
				   : "");
}

static void classify_link(const struct post_reply *reply, struct post_outcome *out)
{
	if (reply->link == LINK_UNREACHABLE) {
		out->for_all = true;
		say(out, "cannot reach the server: %s", reply->why);
		cure(out, "check the address and the network, then type: pawl push");
	} else if (reply->link == LINK_TLS) {
		out->action = POST_REJECT;
		out->for_all = out->keep = true;
		say(out, "the server's certificate is not accepted: %s", reply->why);
		cure(out,
		     "set CURL_CA_BUNDLE to the file with the certificate authority of the server");
	} else if (reply->link == LINK_TOO_LARGE) {
		say(out, "the answer is larger than %u bytes: something else than pawld answered",
		    POST_MAX_REPLY);
	} else {
		say(out, "the connection broke before the answer was whole: %s", reply->why);
	}
}

void post_classify(const struct post_request *rq, const struct post_reply *reply, int64_t now_us,
		   struct post_outcome *out)
{
	int status = reply->status;

	*out = (struct post_outcome){ .action = POST_RETRY };
	if (reply->link != LINK_OK)
		classify_link(reply, out);
	else if (status == 200 || status == 201)
		classify_success(rq, reply, out);
	else if (status >= 300 && status < 400)
		classify_move(reply, out);
	else if (status == 407 || status == 408 || status == 425 || status == 429 || status >= 500)
		classify_retry(reply, now_us, out);
	else if (status >= 400)
		classify_refusal(rq, reply, out);
	else
		say(out, "HTTP %d is no acknowledgement", status);
	if (out->action == POST_RETRY && !out->cure[0])
		cure(out, "try again: pawl push");
}
