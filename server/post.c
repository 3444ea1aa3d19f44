#include "server/post.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "lib/base/jsonw.h"
#include "lib/base/number.h"
#include "lib/base/when.h"
#include "lib/squeeze/squeeze.h"
#include "server/auth.h"
#include "server/check.h"

#include "lib/base/banned.h"

static const char wanted_type[] = "application/json";
/* Of what came plain: the fastest, since the poster waits. */
#define KEPT_LEVEL 1

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
	r->is_coded = coding && !strcasecmp(coding, "zstd") && !squeeze_check(NULL);
	if (coding && !r->is_coded && strcasecmp(coding, "identity")) {
		reply_error(&r->reply, 415, "type",
			    "the body must be compressed by zstd, or not at all",
			    "Content-Encoding");
		r->reply.codings = "zstd";
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
	buf_release(&r->plain);
	buf_release(&r->frame);
}

static bool count_bytes(struct request *r, size_t n)
{
	r->n_counted += n;
	return atomic_fetch_add(&r->server->body_bytes, n) + n <= SERVER_MAX_BODIES;
}

static int too_busy(struct request *r)
{
	drop_body(r);
	reply_error(&r->reply, 503, "busy", "too many summaries at once; try again", NULL);
	return -1;
}

int post_add(struct request *r, const char *bytes, size_t n)
{
	if (r->body.len + n > SUMMARY_MAX_BYTES) {
		drop_body(r);
		return too_large(r);
	}
	if (count_bytes(r, n)) {
		buf_add(&r->body, bytes, n);
		if (!r->body.failed)
			return 0;
	}
	return too_busy(r);
}

static int unpack_body(struct request *r)
{
	struct err err = ERR_INIT;

	if (!unsqueeze_document(r->body.data, r->body.len, SUMMARY_MAX_BYTES, &r->plain, &err))
		return count_bytes(r, r->plain.len) ? 0 : too_busy(r);
	drop_body(r);
	if (err.code == ERR_LIMIT)
		return too_large(r);
	err_in(&err, "Content-Encoding");
	reply_fault(&r->reply, &err);
	return -1;
}

/*
 * What the ledger is to keep: the frame as it came, or one made now, where that is smaller.  The
 * plain bytes go then: hundreds of requests may wait for the writer.
 */
static void set_kept(struct request *r, struct post *post)
{
	struct buf *plain = r->is_coded ? &r->plain : &r->body;
	struct buf *frame = r->is_coded ? &r->body : &r->frame;

	if (!r->is_coded && squeeze_document(post->json, post->n, KEPT_LEVEL, frame))
		count_bytes(r, frame->len);
	if (!frame->len || frame->failed || frame->len >= post->n)
		return;
	post->frame = frame->data;
	post->n_frame = frame->len;
	post->json = NULL;
	atomic_fetch_sub(&r->server->body_bytes, plain->len);
	r->n_counted -= plain->len;
	buf_release(plain);
}

int post_read(struct request *r)
{
	const struct buf *plain = r->is_coded ? &r->plain : &r->body;
	struct err err = ERR_INIT;

	if (r->is_coded && unpack_body(r))
		return -1;
	if (digest_of(buf_str(plain), plain->len, r->sha256, &err) ||
	    summary_decode(buf_str(plain), plain->len, &r->summary, &err)) {
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
				     .json = plain->data,
				     .n = plain->len,
				     .sha256 = r->sha256,
				     .untrusted = r->has_token && r->token.untrusted,
				     .received_us = when_now_us() };
	set_kept(r, &r->job.post);
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
