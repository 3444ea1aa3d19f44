#include "server/answer/post.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "lib/base/when.h"
#include "lib/squeeze/squeeze.h"
#include "server/answer/auth.h"
#include "server/answer/check.h"
#include "server/answer/routes.h"
#include "server/http/gzip.h"

#include "lib/base/banned.h"

/* Of a summary, and of a batch. */
static const char *const wanted_types[] = { "application/json", "application/x-ndjson" };

static int too_large(struct request *r)
{
	char text[64];

	snprintf(text, sizeof(text), "a summary has at most %u bytes", SUMMARY_MAX_BYTES);
	reply_error(&r->reply, 413, "limit", text, NULL);
	return -1;
}

int post_check_head(struct request *r)
{
	const char *coding = request_header(r, "Content-Encoding");
	const char *wanted = wanted_types[(r->route->kind == ROUTE_BATCH)];
	char text[64];

	if (!request_has_type(r, wanted)) {
		snprintf(text, sizeof(text), "the body must be %s", wanted);
		reply_error(&r->reply, 415, "type", text, "Content-Type");
		return -1;
	}
	r->is_coded = coding && !strcasecmp(coding, "zstd") && !squeeze_check(NULL);
	r->is_gzip = coding && !strcasecmp(coding, "gzip");
	if (coding && !r->is_coded && !r->is_gzip && strcasecmp(coding, "identity")) {
		reply_error(&r->reply, 415, "type",
			    "the body must be compressed by zstd or gzip, or not at all",
			    "Content-Encoding");
		r->reply.codings = "zstd, gzip";
		return -1;
	}
	if (request_is_longer(r, SUMMARY_MAX_BYTES))
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

/* What came as gzip is as good as if it had come plain. */
static void take_plain(struct request *r)
{
	buf_release(&r->body);
	r->body = r->plain;
	r->plain = (struct buf)BUF_INIT;
	r->is_gzip = false;
}

static int unpack_body(struct request *r)
{
	struct err err = ERR_INIT;
	int result = (r->is_gzip ? gunzip_document : unsqueeze_document)(
		r->body.data, r->body.len, SUMMARY_MAX_BYTES, &r->plain, &err);

	if (!result && !count_bytes(r, r->plain.len))
		return too_busy(r);
	if (!result && r->is_gzip)
		take_plain(r);
	if (!result)
		return 0;
	drop_body(r);
	if (err.code == ERR_LIMIT)
		return too_large(r);
	err_in(&err, "Content-Encoding");
	reply_fault(&r->reply, &err);
	return -1;
}

int post_unpack(struct request *r, const struct buf **out)
{
	*out = r->is_coded ? &r->plain : &r->body;
	return r->is_gzip || (r->is_coded && !r->plain.len) ? unpack_body(r) : 0;
}

static int check(struct item *item, struct request *r, const char *json, size_t n, struct err *err)
{
	if (digest_of(json, n, item->sha256, err) ||
	    summary_decode_brief(json, n, &item->summary, err))
		return -1;
	item->has_summary = true;
	if (auth_summary(r, &item->summary)) {
		item->reply = r->reply;
		r->reply = (struct reply){ .status = 0 };
		return -1;
	}
	return check_figures(&item->summary, err);
}

int post_item(struct item *item, struct request *r, const char *json, size_t n)
{
	struct err err = ERR_INIT;

	item->request = r;
	if (check(item, r, json, n, &err)) {
		if (!item->reply.status)
			reply_fault(&item->reply, &err);
		if (item->has_summary)
			summary_release(&item->summary);
		item->has_summary = false;
		return -1;
	}
	item->job.post = (struct post){ .summary = &item->summary,
					.json = json,
					.n = n,
					.sha256 = item->sha256,
					.untrusted = r->has_token && r->token.untrusted,
					.received_us = when_now_us() };
	return 0;
}

/* The item's reply is the request's. */
static void take_reply(struct request *r)
{
	r->reply = r->one.reply;
	r->one.reply = (struct reply){ .status = 0 };
}

int post_read(struct request *r)
{
	const struct buf *plain;

	if (post_unpack(r, &plain))
		return -1;
	if (post_item(&r->one, r, buf_str(plain), plain->len)) {
		drop_body(r);
		take_reply(r);
		return -1;
	}
	/* Hundreds of requests may wait for the writer. */
	if (item_keep(&r->one, r->is_coded ? &r->body : NULL))
		buf_release(r->is_coded ? &r->plain : &r->body);
	return 0;
}

void post_reply(struct request *r)
{
	item_answer(&r->one);
	take_reply(r);
}
