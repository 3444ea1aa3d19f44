#include "reporter/export/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/base64.h"
#include "lib/base/strv.h"
#include "lib/config/nearest.h"
#include "reporter/export/local.h"

#include "lib/base/banned.h"

#define BEARER .header = "Authorization", .scheme = "Bearer "
#define FIXED_PATH(name, text) \
	static int name(const struct summary *s, struct buf *out, struct err *err) \
	{ \
		(void)s; \
		buf_adds(out, text); \
		return buf_check(out, err); \
	}

FIXED_PATH(bencher_path, "/v0/run")
FIXED_PATH(codespeed_path, "/result/add/json/")
FIXED_PATH(lnt_path, "/api/db_default/v4/nts/runs")
FIXED_PATH(influx_path, "/write")

static const struct export_target bencher = { .method = "POST",
					      .path = bencher_path,
					      .content_type = "application/json",
					      BEARER,
					      .wrap = export_bencher_wrap };
static const struct export_target codespeed = { .method = "POST",
						.path = codespeed_path,
						.content_type = "application/x-www-form-urlencoded",
						BEARER,
						.wrap = export_codespeed_wrap };
static const struct export_target lnt = { .method = "POST",
					  .path = lnt_path,
					  .content_type = "application/json",
					  .header = "AuthToken",
					  .scheme = "",
					  .moved_with = "\"run_id\"" };
static const struct export_target influx = { .method = "POST",
					     .path = influx_path,
					     .query = "db=pawl",
					     .content_type = "text/plain; charset=utf-8",
					     .header = "Authorization",
					     .scheme = "Token " };
static const struct export_target pushgateway = { .method = "PUT",
						  .path = export_pushgateway_path,
						  .content_type = "text/plain; version=0.0.4",
						  BEARER };

static const struct export_format formats[] = {
	{ "json", "summary documents, one a line", true, false, export_json, NULL },
	{ "csv", "one row a metric, RFC 4180", true, false, export_csv, NULL },
	{ "bencher", "Bencher's metric format (BMF)", false, false, export_bencher, &bencher },
	{ "codespeed", "Codespeed's results", false, false, export_codespeed, &codespeed },
	{ "lnt", "LNT's report, format 2", false, true, export_lnt, &lnt },
	{ "github-action-benchmark", "its customSmallerIsBetter", false, false, export_github,
	  NULL },
	{ "influx", "InfluxDB's line protocol", true, false, export_influx, &influx },
	{ "pushgateway", "metrics for Prometheus' Pushgateway", false, false, export_pushgateway,
	  &pushgateway },
	{ "google", "google-benchmark's JSON, for its compare.py", false, true, export_google,
	  NULL },
	{ "benchstat", "Go's benchmark format, for benchstat", true, true, export_benchstat, NULL },
};

const struct export_format *export_format_at(size_t i)
{
	return i < sizeof(formats) / sizeof(formats[0]) ? &formats[i] : NULL;
}

const struct export_format *export_format_find(const char *name, struct err *err)
{
	const char *known[sizeof(formats) / sizeof(formats[0]) + 1] = { NULL }, *meant;
	struct buf names = BUF_INIT;
	size_t i;

	for (i = 0; export_format_at(i); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	for (i = 0; export_format_at(i); i++) {
		known[i] = formats[i].name;
		buf_addf(&names, "%s%s", i ? ", " : "", known[i]);
	}
	meant = nearest(name, known, 2);
	if (!meant)
		meant = nearest_begun(name, known);
	err_set(err, ERR_USAGE, "unknown format '%s'", name);
	if (meant)
		err_hint(err, "did you mean '%s'? all formats: %s", meant, buf_str(&names));
	else
		err_hint(err, "the formats are: %s", buf_str(&names));
	buf_release(&names);
	return NULL;
}

void export_request_release(struct export_request *rq)
{
	buf_release(&rq->url);
	buf_release(&rq->query);
	buf_release(&rq->body);
}

/* Address into rq->url and rq->query; whether it names a path of its own. */
static bool split_address(const char *address, struct export_request *rq)
{
	size_t n = strcspn(address, "?");
	const char *host = strstr(address, "://");
	const char *path = host ? strchr(host + 3, '/') : NULL;
	bool has_path = path && path < address + n && path[1] && path[1] != '?';

	if (path == address + n - 1)
		n--; /* a slash and no more */
	buf_add(&rq->url, address, n);
	address += strcspn(address, "?");
	if (*address)
		buf_adds(&rq->query, address + 1);
	return has_path;
}

int export_prepare(const struct export_format *format, const char *address, const struct summary *s,
		   struct export_request *out, struct err *err)
{
	const struct export_target *t = format->target;
	struct buf document = BUF_INIT;
	struct url url;
	bool has_path;
	int rc = -1;

	if (!t) {
		err_set(err, ERR_USAGE,
			"'%s' is a form for files: nobody takes it over the network", format->name);
		return err_hint(err, "leave --to out, and name a file with --output");
	}
	has_path = split_address(address, out);
	out->target = t;
	if (!has_path && t->path(s, &out->url, err))
		return -1;
	if (!has_path && !out->query.len && t->query)
		buf_adds(&out->query, t->query);
	if (buf_check(&out->url, err) || url_parse(buf_str(&out->url), &url, err) ||
	    format->encode(s, true, &document, err))
		goto out;
	if (t->wrap)
		rc = t->wrap(s, &document, &out->body, err);
	else
		buf_add(&out->body, buf_str(&document), document.len);
	rc = (t->wrap && rc) || buf_check(&out->body, err) || buf_check(&out->query, err) ? -1 : 0;
out:
	buf_release(&document);
	return rc;
}

/* Some servers take a password there (p=, token=): only what is known to be none is shown. */
static void show_query(const char *query, struct buf *out)
{
	static const char *const shown[] = { "db",     "rp",	    "org",	  "orgID",
					     "bucket", "precision", "consistency" };
	size_t i, n, name;
	char mark = '?';

	for (; *query; query += n) {
		buf_addc(out, mark);
		n = strcspn(query, "&;");
		name = strcspn(query, "&;=");
		for (i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
			if (strlen(shown[i]) == name && !strncmp(shown[i], query, name))
				break;
		if (i < sizeof(shown) / sizeof(shown[0]))
			buf_add(out, query, n);
		else if (name < n)
			buf_addf(out, "%.*s=***", (int)name, query);
		else
			buf_adds(out, n ? "***" : "");
		mark = query[n];
		n += mark != '\0';
	}
}

void export_show(const struct export_request *rq, bool has_token, struct buf *out)
{
	const struct export_target *t = rq->target;

	buf_addf(out, "%s %s", t->method, buf_str(&rq->url));
	show_query(buf_str(&rq->query), out);
	buf_addf(out, "\nContent-Type: %s\n", t->content_type);
	if (has_token)
		buf_addf(out, "%s: (the token, not shown)\n", t->header);
	buf_addc(out, '\n');
	buf_add(out, buf_str(&rq->body), rq->body.len);
	if (rq->body.len && rq->body.data[rq->body.len - 1] != '\n')
		buf_addc(out, '\n');
}

/* What the server said, on one line of at most `size` bytes. */
static void shorten(const struct buf *body, char *out, size_t size)
{
	size_t i, n = 0;

	for (i = 0; i < body->len && n + 1 < size; i++) {
		bool is_blank = strchr(" \t\r\n", body->data[i]) != NULL;

		if (!is_blank || (n && out[n - 1] != ' '))
			out[n++] = is_blank ? ' ' : body->data[i];
	}
	out[n] = '\0';
	err_clean(out);
}

/* LNT answers 301 to what it took, and so does who only sends to another address. */
static bool is_taken(const struct export_target *t, const struct post_reply *reply)
{
	if (reply->status >= 200 && reply->status < 300)
		return true;
	return reply->status == 301 && t->moved_with &&
	       strstr(buf_str(&reply->body), t->moved_with);
}

static const char *cure_of(int status, bool has_token)
{
	if (status == 401 || status == 403 || status == 407)
		return has_token
			       ? "check the token in PAWL_EXPORT_TOKEN, or git's credential helper"
			       : "set PAWL_EXPORT_TOKEN to a token, or to USER:PASSWORD";
	if (status == 404 || status == 405 || (status >= 300 && status < 400))
		return "check the address: --dry-run shows what it was completed to";
	if (status == 429 || status >= 500)
		return "try again later";
	return "--dry-run shows what was sent";
}

static int judge_reply(const struct export_request *rq, const struct post_reply *reply,
		       bool has_token, struct err *err)
{
	char said[200];
	int status = reply->status;

	if (reply->link != LINK_OK) {
		err_set(err, ERR_NET, "cannot post to '%s': %s", buf_str(&rq->url), reply->why);
		return err_hint(err, "check the address and the network");
	}
	if (is_taken(rq->target, reply))
		return 0;
	shorten(&reply->body, said, sizeof(said));
	err_set(err, ERR_NET, "'%s' answered HTTP %d%s%s", buf_str(&rq->url), status,
		*said ? ": " : "", said);
	return err_hint(err, "%s", cure_of(status, has_token));
}

int export_send(const struct transport *transport, const struct export_request *rq,
		const char *token, struct err *err)
{
	const struct export_target *t = rq->target;
	struct buf basic = BUF_INIT;
	struct post_reply reply;
	struct post_request post = { .url = buf_str(&rq->url),
				     .query = rq->query.len ? buf_str(&rq->query) : NULL,
				     .method = t->method,
				     .content_type = t->content_type,
				     .auth_header = t->header,
				     .auth_scheme = t->scheme,
				     .token = token,
				     .body = buf_str(&rq->body),
				     .n_body = rq->body.len };
	int rc = -1;

	if (token && strchr(token, ':')) {
		if (base64_add(token, strlen(token), false, &basic, err))
			goto out;
		post.token = buf_str(&basic);
		post.auth_header = "Authorization";
		post.auth_scheme = "Basic ";
	}
	post_reply_init(&reply);
	rc = transport->post(transport->ctx, &post, &reply, err);
	if (!rc)
		rc = judge_reply(rq, &reply, token != NULL, err);
	post_reply_release(&reply);
out:
	if (basic.data)
		explicit_bzero(basic.data, basic.len);
	buf_release(&basic);
	return rc;
}
