#include "server/answer/routes.h"

#include <stdio.h>
#include <string.h>

#include "lib/squeeze/squeeze.h"
#include "server/answer/alerts.h"
#include "server/answer/change.h"
#include "server/answer/get.h"
#include "server/answer/lists.h"
#include "server/answer/session.h"
#include "server/http/gzip.h"
#include "server/http/recent.h"
#include "server/page/frame.h"
#include "server/page/login.h"
#include "server/page/page.h"
#include "server/page/picture.h"

#include "lib/base/banned.h"

static const struct route routes[] = {
	{ "POST", "/api/v1/summaries", SCOPE_WRITE, false, NULL, ROUTE_API },
	{ "POST", "/api/v1/summaries:batch", SCOPE_WRITE, false, NULL, ROUTE_BATCH },
	{ "GET", "/api/v1/openapi.json", 0, false, get_openapi, ROUTE_API },
	{ "GET", "/api/v1/projects", SCOPE_READ, false, get_projects, ROUTE_API },
	{ "GET", "/api/v1/projects/:project", SCOPE_READ, false, get_project, ROUTE_API },
	{ "GET", "/api/v1/projects/:project/benchmarks", SCOPE_READ, false, get_benchmarks,
	  ROUTE_API },
	{ "GET", "/api/v1/projects/:project/history", SCOPE_READ, false, get_history, ROUTE_API },
	{ "GET", "/api/v1/projects/:project/compare", SCOPE_READ, false, get_compare, ROUTE_API },
	{ "GET", "/api/v1/projects/:project/regressions", SCOPE_READ, false, get_regressions,
	  ROUTE_API },
	{ "GET", "/api/v1/projects/:project/summaries", SCOPE_READ, false, get_summaries,
	  ROUTE_API },
	{ "GET", "/api/v1/projects/:project/commits", SCOPE_READ, false, get_commits, ROUTE_API },
	{ "GET", "/api/v1/projects/:project/machines", SCOPE_READ, false, get_machines, ROUTE_API },
	{ "GET", "/api/v1/projects/:project/summaries/:id", SCOPE_READ, false, get_summary,
	  ROUTE_API },
	{ "DELETE", "/api/v1/projects/:project/summaries/:id", SCOPE_ADMIN, false, change_retract,
	  ROUTE_CHANGE },
	{ "POST", "/api/v1/projects/:project/summaries/:id/restore", SCOPE_ADMIN, false,
	  change_restore, ROUTE_CHANGE },
	{ "GET", "/api/v1/projects/:project/retractions", SCOPE_ADMIN, false, get_retractions,
	  ROUTE_API },
	{ "GET", "/api/v1/projects/:project/alerts", SCOPE_READ, false, get_alerts, ROUTE_API },
	{ "POST", "/api/v1/projects/:project/alerts/:alert", SCOPE_WRITE, false, change_alert,
	  ROUTE_CHANGE },
	{ "GET", "/api/v1/projects/:project/messages", SCOPE_READ, false, get_messages, ROUTE_API },
	{ "GET", "/metrics", SCOPE_READ, false, get_metrics, ROUTE_API },
	{ "GET", "/healthz", 0, true, get_health, ROUTE_API },
	{ "GET", "/readyz", 0, true, get_ready, ROUTE_API },
	{ "POST", "/result/add/json/", SCOPE_WRITE, false, NULL, ROUTE_CODESPEED },
	{ "POST", "/result/add/", SCOPE_WRITE, false, NULL, ROUTE_CODESPEED },
	{ "POST", "/api/:db/v4/:suite/runs", SCOPE_WRITE, false, NULL, ROUTE_LNT },
	{ "POST", "/c/:token/:db/v4/:suite/submitRun", SCOPE_WRITE, false, NULL, ROUTE_LNT },
	{ "POST", "/c/:token/:db/submitRun", SCOPE_WRITE, false, NULL, ROUTE_LNT },
	{ "GET", "/", SCOPE_READ, false, page_projects, ROUTE_PAGE },
	{ "GET", "/p/:project", SCOPE_READ, false, page_project, ROUTE_PAGE },
	{ "GET", "/p/:project/b", SCOPE_READ, false, page_benchmark, ROUTE_PAGE },
	{ "GET", "/p/:project/b/:benchmark", SCOPE_READ, false, page_benchmark, ROUTE_PAGE },
	{ "GET", "/p/:project/compare", SCOPE_READ, false, page_compare, ROUTE_PAGE },
	{ "GET", "/p/:project/compare/:range", SCOPE_READ, false, page_range, ROUTE_PAGE },
	{ "GET", "/p/:project/runs", SCOPE_READ, false, page_runs, ROUTE_PAGE },
	{ "GET", "/p/:project/regressions", SCOPE_READ, false, page_regressions, ROUTE_PAGE },
	{ "GET", "/p/:project/alerts", SCOPE_READ, false, page_alerts, ROUTE_PAGE },
	{ "GET", "/p/:project/alerts/:alert", SCOPE_WRITE, false, page_alert, ROUTE_LIVE },
	{ "POST", "/p/:project/alerts/:alert", SCOPE_WRITE, false, change_alert_form, ROUTE_EDIT },
	{ "GET", "/p/:project/messages", SCOPE_READ, false, page_messages, ROUTE_PAGE },
	{ "GET", "/p/:project/badge.svg", SCOPE_READ, false, page_badge, ROUTE_PAGE },
	{ "GET", "/p/:project/badge", SCOPE_READ, false, page_badge, ROUTE_PAGE },
	{ "GET", "/badge/:project.svg", SCOPE_READ, false, page_badge, ROUTE_PAGE },
	{ "GET", "/badge/:project", SCOPE_READ, false, page_badge, ROUTE_PAGE },
	{ "GET", LOGIN_PATH, 0, false, session_page, ROUTE_PAGE },
	{ "POST", LOGIN_PATH, 0, false, session_open, ROUTE_FORM },
	{ "POST", LOGOUT_PATH, 0, false, session_close, ROUTE_FORM },
	{ "GET", FRAME_STYLE, 0, false, page_style, ROUTE_PAGE },
	{ "GET", PICTURE_SCRIPT, 0, false, page_script, ROUTE_PAGE },
	{ "GET", FRAME_ICON, 0, false, page_icon, ROUTE_PAGE },
};

/* Fewer are one packet anyway. */
#define FEWEST_BYTES 1024

#define N_ROUTES (sizeof(routes) / sizeof(routes[0]))

/* What follows the name in ":name.svg", up to the end of the pattern; "" where nothing does. */
static const char *ending_of(const char *pattern, size_t n)
{
	const char *dot = memchr(pattern, '.', n);

	return dot ? dot : pattern + n;
}

static bool fits_end(const char *segment, const char *ending)
{
	size_t n = strlen(segment), n_end = strcspn(ending, "/");

	return n > n_end && !strncmp(segment + n - n_end, ending, n_end);
}

/* "/badge/:project.svg" is of the project without ".svg". */
static void cut_ending(struct request *r)
{
	const char *name = strstr(r->route->pattern, "/:");
	size_t n_end;
	char *at;

	if (!name || strchr(name + 1, '/'))
		return;
	n_end = strlen(ending_of(name, strlen(name)));
	/* The segments lie in url.text. */
	at = r->url.text + (r->arguments[0] - r->url.text);
	at[strlen(at) - n_end] = '\0';
}

/* Whether the segments fit the pattern; *arguments reads what stands for its names. */
static bool fits(const char *pattern, const struct target *url,
		 const char *arguments[ROUTE_ARGUMENTS])
{
	size_t i = 0, n_arguments = 0;

	if (!strcmp(pattern, "/"))
		return !url->n_segments;
	while (*pattern) {
		size_t n = strcspn(++pattern, "/");

		if (i == url->n_segments || i == TARGET_MAX_SEGMENTS)
			return false;
		if (*pattern == ':') {
			if (!fits_end(url->segments[i], ending_of(pattern, n)))
				return false;
			arguments[n_arguments++] = url->segments[i];
		} else if (strlen(url->segments[i]) != n || strncmp(url->segments[i], pattern, n)) {
			return false;
		}
		i++;
		pattern += n;
	}
	return i == url->n_segments;
}

static bool answers(const struct route *route, const char *method)
{
	return !strcmp(route->method, method) ||
	       (!strcmp(route->method, "GET") && !strcmp(method, "HEAD"));
}

/* The methods of an address; one besides GET at most. */
static const char *allowed(const struct target *url)
{
	const char *arguments[ROUTE_ARGUMENTS], *besides = NULL;
	bool reads = false;
	size_t i;

	for (i = 0; i < N_ROUTES; i++) {
		if (!fits(routes[i].pattern, url, arguments))
			continue;
		if (!strcmp(routes[i].method, "GET"))
			reads = true;
		else
			besides = routes[i].method;
	}
	if (!reads)
		return besides;
	if (!besides)
		return "GET, HEAD";
	return strcmp(besides, "POST") ? "GET, HEAD, DELETE" : "GET, HEAD, POST";
}

int route_find(struct request *r, const char *method)
{
	const struct route *other = NULL;
	size_t i;

	for (i = 0; i < N_ROUTES; i++) {
		if (!fits(routes[i].pattern, &r->url, r->arguments))
			continue;
		other = &routes[i];
		if (!answers(other, method))
			continue;
		r->route = other;
		cut_ending(r);
		return 0;
	}
	if (!other) {
		reply_error(&r->reply, 404, "absent", "there is nothing at this address", NULL);
		return -1;
	}
	reply_error(&r->reply, 405, "method", "this address does not know that method", NULL);
	r->reply.allow = allowed(&r->url);
	return -1;
}

/*
 * What is told of a project changes with its summaries alone, as long as the server runs.  The tag
 * is read before the answer: one that is newer than its tag is asked for once more, and none is
 * old.
 */
static bool is_known(struct request *r)
{
	int64_t stamp = 0;

	const char *project = r->arguments[0];

	if (!project && r->route->answer != get_projects)
		return false;
	if (!project && r->has_token)
		project = r->token.project;
	if (ledger_stamp(r->reader, project, &stamp, NULL))
		return false;
	/* The same address in another form is another answer. */
	snprintf(r->reply.etag, sizeof(r->reply.etag), "W/\"%llx-%llx%.*s\"",
		 (unsigned long long)r->server->started_us, (unsigned long long)stamp,
		 r->route->kind == ROUTE_API && get_form(r) != HISTORY_JSON ? 2 : 0,
		 get_form(r) == HISTORY_CSV ? "-c" : "-f");
	return r->known && (!strcmp(r->known, "*") || strstr(r->known, r->reply.etag + 2));
}

/* In place of the plain body, where that is shorter. */
static void compress(struct request *r)
{
	struct reply *reply = &r->reply;
	struct buf coded = BUF_INIT;
	const char *coding = NULL;

	if (reply->body.len < FEWEST_BYTES)
		return;
	if (r->takes_zstd && squeeze_document(reply->body.data, reply->body.len, 1, &coded))
		coding = "zstd";
	else if (r->takes_gzip && gzip(reply->body.data, reply->body.len, &coded))
		coding = "gzip";
	if (!coding || coded.failed) {
		buf_release(&coded);
		return;
	}
	buf_release(&reply->body);
	reply->body = coded;
	reply->coding = coding;
}

static bool is_tagged(enum route_kind kind)
{
	return kind != ROUTE_CHANGE && kind != ROUTE_LIVE && kind != ROUTE_EDIT;
}

/*
 * With which key what r asks is kept: all that its answer depends on beside its tag, which says in
 * which state the project is.  "": nothing of it is kept.
 */
static void keep_as(const struct request *r, struct buf *out)
{
	if (!r->reply.etag[0] ||
	    (r->route->answer != get_history && r->route->answer != get_compare))
		return;
	buf_addf(out, "%s %d%d%d %s", r->reply.etag, (int)get_form(r), r->takes_zstd, r->takes_gzip,
		 r->target);
}

/* Made anew where it is not kept. */
static int answer(struct request *r, struct err *err)
{
	struct recent *recent = &r->server->recent;
	struct buf key = BUF_INIT;
	bool keeps;
	int result = 0;

	keep_as(r, &key);
	keeps = key.len && !key.failed;
	if (keeps && recent_find(recent, key.data, &r->reply))
		goto out;
	result = r->route->answer(r, err);
	if (result)
		goto out;
	r->reply.status = r->reply.status ? r->reply.status : 200;
	compress(r);
	if (keeps && r->reply.status == 200 && !r->reply.body.failed)
		recent_add(recent, key.data, &r->reply);
out:
	buf_release(&key);
	return result;
}

void route_answer(struct request *r)
{
	struct err err = ERR_INIT;

	r->is_known = is_tagged(r->route->kind) && is_known(r);
	/* What the API is asked may be wrong all the same; a browser asks as it did before. */
	if (r->is_known && (r->route->kind == ROUTE_PAGE || !r->route->answer(r, &err))) {
		buf_adds(&r->reply.body, "");
		r->reply.status = 304;
		return;
	}
	if (!r->is_known && !answer(r, &err))
		return;
	r->reply.etag[0] = '\0';
	if (r->reply.status >= 400)
		return;
	/* In a question there is no document that could be at fault. */
	if (err.code == ERR_RANGE)
		err.code = ERR_SYNTAX;
	reply_fault(&r->reply, &err);
}
