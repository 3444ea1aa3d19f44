#include "reporter/deliver/batch.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "lib/base/strv.h"
#include "lib/record/ack.h"

#include "lib/base/banned.h"

#define TYPE "application/x-ndjson"

/* What goes in one request. */
struct batch {
	struct queue_entry entries[BATCH_MOST];
	size_t n;
	struct buf body; /* a document a line */
};

static void batch_release(struct batch *b)
{
	while (b->n)
		queue_entry_release(&b->entries[--b->n]);
	buf_release(&b->body);
}

/* A document that was stored with line breaks is no line, and would be another one without. */
static bool fits(const struct batch *b, const struct queue_entry *e)
{
	return b->body.len + e->n < BATCH_MOST_BYTES && !memchr(e->json, '\n', e->n);
}

/* The oldest ones, up to the first that does not fit. */
static int fill(struct run *r, struct batch *b, struct strv *skip, struct err *err)
{
	int64_t now = r->opt->all ? INT64_MAX : r->clock->wall_us(r->clock->ctx);

	while (b->n < BATCH_MOST) {
		struct queue_entry *e = &b->entries[b->n];

		if (store_queue_next(r->store, now, skip, e, err)) {
			if (err->code != ERR_ABSENT)
				return -1;
			err_clear(err);
			return 0;
		}
		if (!fits(b, e)) {
			queue_entry_release(e);
			return 0;
		}
		b->n++;
		buf_add(&b->body, e->json, e->n);
		buf_addc(&b->body, '\n');
		if (strv_add(skip, e->id, err))
			return -1;
	}
	return buf_check(&b->body, err);
}

static bool is_ours(const struct post_reply *reply)
{
	return reply->link == LINK_OK && reply->status == 200 &&
	       !strncasecmp(reply->content_type, TYPE, sizeof(TYPE) - 1);
}

static bool is_answered(const struct post_reply *reply, size_t n)
{
	const char *p = buf_str(&reply->body), *end = p + reply->body.len;
	size_t n_lines = 0;

	for (; p < end; p++)
		n_lines += *p == '\n';
	return is_ours(reply) && n_lines == n;
}

/* A line of the answer as if it had come alone. */
static int note_line(struct run *r, const struct queue_entry *e, const char *line, size_t n,
		     struct err *err)
{
	const struct post_request rq = {
		.url = r->url, .token = r->opt->token, .id = e->id, .body = e->json, .n_body = e->n
	};
	struct ack ack = { .status = 0 };
	struct post_outcome outcome;
	struct post_reply alone;
	int result;

	post_reply_init(&alone);
	/* What is no answer has status 0, which is no acknowledgement: it stays queued. */
	if (!ack_decode(line, n, &ack, NULL))
		alone.status = ack.status;
	snprintf(alone.content_type, sizeof(alone.content_type), "application/json");
	buf_add(&alone.body, line, n);
	result = buf_check(&alone.body, err);
	if (!result) {
		post_classify(&rq, &alone, r->clock->wall_us(r->clock->ctx), &outcome);
		/* What is set aside does not come again; what stays goes alone next time. */
		r->is_single = r->is_single || outcome.action == POST_RETRY || outcome.keep;
		result = run_note(r, e, &outcome, err);
	}
	post_reply_release(&alone);
	return result;
}

static int note_all(struct run *r, const struct batch *b, const struct post_reply *reply,
		    struct err *err)
{
	const char *line = buf_str(&reply->body);
	size_t i;

	for (i = 0; i < b->n; i++) {
		size_t n = strcspn(line, "\n");

		if (note_line(r, &b->entries[i], line, n, err))
			return -1;
		line += n + 1;
	}
	return 0;
}

/* Whether it is the batch that the server, or what is in front of it, does not take. */
static bool is_about_batches(const struct post_reply *reply)
{
	int status = reply->status;

	return reply->link == LINK_OK && status >= 400 && status < 500 && status != 401 &&
	       status != 407 && status != 408 && status != 425 && status != 429;
}

/* Nothing came of it that would be otherwise for one alone: the oldest one has failed. */
static int note_failure(struct run *r, const struct post_request *rq, const struct batch *b,
			const struct post_reply *reply, bool *out_go_on, struct err *err)
{
	struct post_outcome outcome;

	r->is_single = true;
	if (is_about_batches(reply) || is_ours(reply))
		return 0;
	post_classify(rq, reply, r->clock->wall_us(r->clock->ctx), &outcome);
	if (run_note(r, &b->entries[0], &outcome, err))
		return -1;
	*out_go_on = run_goes_on(r, &outcome);
	return 0;
}

static int post_batch(struct run *r, const struct batch *b, bool *out_go_on, struct err *err)
{
	struct post_request rq = { .token = r->opt->token,
				   .id = b->entries[0].id,
				   .body = b->body.data,
				   .n_body = b->body.len,
				   .content_type = TYPE };
	char url[URL_TEXT + 8];
	struct post_reply reply;
	int result;

	snprintf(url, sizeof(url), "%s:batch", r->url);
	rq.url = url;
	post_reply_init(&reply);
	result = run_post(r, &rq, &reply, err);
	if (!result && is_answered(&reply, b->n))
		result = note_all(r, b, &reply, err);
	else if (!result)
		result = note_failure(r, &rq, b, &reply, out_go_on, err);
	post_reply_release(&reply);
	return result;
}

int batch_send(struct run *r, bool *out_go_on, struct err *err)
{
	struct strv skip = STRV_INIT;
	struct batch b = { .n = 0, .body = BUF_INIT };
	int result;

	*out_go_on = true;
	result = r->tried.n && strv_add_all(&skip, r->tried.v, err) ? -1 : fill(r, &b, &skip, err);
	if (!result && b.n > 1)
		result = post_batch(r, &b, out_go_on, err);
	else
		r->is_single = true;
	batch_release(&b);
	strv_release(&skip);
	return result;
}
