#include "server/work/item.h"

#include <stdlib.h>

#include "lib/base/jsonw.h"
#include "lib/squeeze/squeeze.h"

#include "lib/base/banned.h"

/* Of what came plain: the fastest, since the poster waits. */
#define KEPT_LEVEL 1

void item_release(struct item *item)
{
	if (item->has_summary)
		summary_release(&item->summary);
	item->has_summary = false;
	buf_release(&item->frame);
	reply_release(&item->reply);
}

bool item_keep(struct item *item, const struct buf *came)
{
	struct post *post = &item->job.post;
	const struct buf *frame = came ? came : &item->frame;

	if (!came && !squeeze_document(post->json, post->n, KEPT_LEVEL, &item->frame))
		return false;
	if (frame->failed || frame->len >= post->n)
		return false;
	post->frame = frame->data;
	post->n_frame = frame->len;
	post->json = NULL;
	return true;
}

void batch_free(struct batch *batch)
{
	size_t i;

	for (i = 0; batch && i < batch->n; i++)
		item_release(&batch->items[i]);
	free(batch);
}

/* What was stored otherwise than its poster may think. */
static void write_notes(const struct item *item, struct jsonw *w)
{
	const struct post *post = &item->job.post;
	bool is_ahead = item->summary.commit.commit_time_us > post->received_us + LEDGER_AHEAD_US;

	if (!is_ahead && !post->other_unit)
		return;
	jsonw_key(w, "notes");
	jsonw_array(w);
	if (is_ahead)
		jsonw_string(w, "commit.commit_time is more than a day ahead of this server: the "
				"commit is placed at the time when it came, or after the "
				"newest one");
	if (post->other_unit)
		jsonw_string(w, "a metric came in another unit or direction than before: it has a "
				"history of its own");
	jsonw_array_end(w);
}

static void acknowledge(struct item *item, unsigned status, const char *result)
{
	struct buf *out = &item->reply.body;
	struct jsonw w;

	item->reply.status = status;
	jsonw_init(&w, out, 0);
	jsonw_object(&w);
	jsonw_kstring(&w, "id", item->summary.id);
	jsonw_kstring(&w, "project", item->summary.project);
	jsonw_kstring(&w, "result", result);
	jsonw_kbool(&w, "untrusted", item->job.post.untrusted);
	write_notes(item, &w);
	jsonw_object_end(&w);
	buf_addc(out, '\n');
}

void item_answer(struct item *item)
{
	const struct post *post = &item->job.post;

	if (item->job.err.code) {
		/* Whatever is wrong with the ledger, the same summary may be sent again. */
		reply_error(&item->reply, 503, err_name(item->job.err.code),
			    "the summary cannot be stored now; try again", NULL);
		return;
	}
	switch (post->result) {
	case POST_CREATED:
		acknowledge(item, 201, "created");
		break;
	case POST_SAME:
		acknowledge(item, 200, "same");
		break;
	case POST_CONFLICT:
		reply_error(&item->reply, 409, "conflict",
			    "a summary with this id and other content is stored", "id");
		break;
	case POST_FAILED:
		reply_fault(&item->reply, &post->err);
		break;
	}
}
