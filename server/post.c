#include "server/post.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "lib/base/jsonw.h"
#include "lib/base/number.h"
#include "lib/base/when.h"
#include "server/auth.h"
#include "server/check.h"

#include "lib/base/banned.h"

static const char wanted_type[] = "application/json";

static int too_large(struct request *r)
{
	char text[64];

	snprintf(text, sizeof(text), "a summary has at most %u bytes", SUMMARY_MAX_BYTES);
	reply_error(&r->reply, 413, "limit", text, NULL);
	return -1;
}

static bool is_json(const char *type)
{
	size_t n = sizeof(wanted_type) - 1;

	return type && !strncasecmp(type, wanted_type, n) && strchr("; \t", type[n]);
}

int post_check_head(struct request *r)
{
	const char *length = request_header(r, "Content-Length");
	const char *coding = request_header(r, "Content-Encoding");
	uint64_t n = 0;

	if (!is_json(request_header(r, "Content-Type"))) {
		reply_error(&r->reply, 415, "type", "the body must be application/json",
			    "Content-Type");
		return -1;
	}
	if (coding && strcasecmp(coding, "identity")) {
		reply_error(&r->reply, 415, "type", "the body must not be compressed",
			    "Content-Encoding");
		return -1;
	}
	if (length && (!number_u64(length, &n) || n > SUMMARY_MAX_BYTES))
		return too_large(r);
	return 0;
}

/* Gives back what the body holds of the common allowance. */
static void drop_body(struct request *r)
{
	atomic_fetch_sub(&r->server->body_bytes, r->n_counted);
	r->n_counted = 0;
	buf_release(&r->body);
}

int post_add(struct request *r, const char *bytes, size_t n)
{
	if (r->body.len + n > SUMMARY_MAX_BYTES) {
		drop_body(r);
		return too_large(r);
	}
	r->n_counted += n;
	if (atomic_fetch_add(&r->server->body_bytes, n) + n <= SERVER_MAX_BODIES) {
		buf_add(&r->body, bytes, n);
		if (!r->body.failed)
			return 0;
	}
	drop_body(r);
	reply_error(&r->reply, 503, "busy", "too many summaries at once; try again", NULL);
	return -1;
}

int post_read(struct request *r)
{
	struct err err = ERR_INIT;

	if (digest_of(r->body.data ? r->body.data : "", r->body.len, r->sha256, &err) ||
	    summary_decode(buf_str(&r->body), r->body.len, &r->summary, &err)) {
		reply_fault(&r->reply, &err);
		return -1;
	}
	r->has_summary = true;
	if (auth_project(r, SCOPE_WRITE, r->summary.project))
		return -1;
	if (check_figures(&r->summary, &err)) {
		reply_fault(&r->reply, &err);
		return -1;
	}
	r->job.post = (struct post){ .summary = &r->summary,
				     .json = r->body.data,
				     .n = r->body.len,
				     .sha256 = r->sha256,
				     .untrusted = r->has_token && r->token.untrusted,
				     .received_us = when_now_us() };
	return 0;
}

static void acknowledge(struct request *r, unsigned status, const char *result)
{
	struct jsonw w;

	r->reply.status = status;
	jsonw_init(&w, &r->reply.body, 0);
	jsonw_object(&w);
	jsonw_kstring(&w, "id", r->summary.id);
	jsonw_kstring(&w, "project", r->summary.project);
	jsonw_kstring(&w, "result", result);
	jsonw_kbool(&w, "untrusted", r->job.post.untrusted);
	jsonw_object_end(&w);
	buf_addc(&r->reply.body, '\n');
}

void post_reply(struct request *r)
{
	const struct post *post = &r->job.post;

	if (r->job.err.code) {
		/* Whatever is wrong with the ledger, the same summary may be sent again. */
		reply_error(&r->reply, 503, err_name(r->job.err.code),
			    "the summary cannot be stored now; try again", NULL);
		return;
	}
	switch (post->result) {
	case POST_CREATED:
		acknowledge(r, 201, "created");
		break;
	case POST_SAME:
		acknowledge(r, 200, "same");
		break;
	case POST_CONFLICT:
		reply_error(&r->reply, 409, "conflict",
			    "a summary with this id and other content is stored", "id");
		break;
	case POST_FAILED:
		reply_fault(&r->reply, &post->err);
		break;
	}
}
