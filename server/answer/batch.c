#include "server/answer/batch.h"

#include <stdlib.h>
#include <string.h>

#include "server/answer/post.h"

#include "lib/base/banned.h"

#define FREE_ROOM (8u << 20) /* as a summary alone has it */

/* The next line that is not empty, in *out; its length, 0 behind the last one. */
static size_t next_line(const char **p, const char *end, const char **out)
{
	const char *stop;
	size_t n;

	do {
		if (*p == end)
			return 0;
		*out = *p;
		stop = memchr(*p, '\n', (size_t)(end - *p));
		n = (size_t)((stop ? stop : end) - *p);
		*p = stop ? stop + 1 : end;
		if (n && (*out)[n - 1] == '\r')
			n--;
	} while (!n);
	return n;
}

static size_t count_lines(const char *p, const char *end)
{
	const char *line;
	size_t n = 0;

	while (next_line(&p, end, &line))
		n++;
	return n;
}

static int refuse(struct request *r, unsigned status, const char *code, const char *why)
{
	reply_error(&r->reply, status, code, why, NULL);
	return -1;
}

/* Of what is read of it, what may be more than twice its bytes: entries that hold nothing. */
static size_t weigh(const struct summary *s)
{
	size_t i, weight = s->n_benchmarks * sizeof(*s->benchmarks);

	for (i = 0; i < s->n_benchmarks; i++)
		weight += s->benchmarks[i].n_metrics * sizeof(*s->benchmarks[i].metrics) +
			  s->benchmarks[i].n_tracks * sizeof(*s->benchmarks[i].tracks);
	return weight;
}

/* One line, if there is room for what is read of it; whether it can go to the writer. */
static bool read_item(struct item *item, struct request *r, const char *line, size_t n,
		      size_t *room)
{
	size_t weight;

	if (post_item(item, r, line, n))
		return false;
	weight = weigh(&item->summary);
	if (weight > *room) {
		item_release(item);
		reply_error(&item->reply, 503, "busy", "post this one alone", NULL);
		return false;
	}
	*room -= weight;
	item_keep(item, NULL);
	return true;
}

int batch_read(struct request *r)
{
	const struct buf *plain;
	const char *p, *end, *line;
	size_t n, n_good = 0, room;

	if (post_unpack(r, &plain))
		return -1;
	p = buf_str(plain);
	end = p + plain->len;
	n = count_lines(p, end);
	if (!n)
		return refuse(r, 400, "syntax", "a batch has a summary a line, and this has none");
	if (n > BATCH_MAX_LINES)
		return refuse(r, 413, "limit", "a batch has at most 256 summaries");
	r->batch = calloc(1, sizeof(*r->batch) + n * sizeof(r->batch->items[0]));
	if (!r->batch)
		return refuse(r, 503, "memory", "too many summaries at once; try again");
	room = 2 * plain->len + FREE_ROOM;
	while ((n = next_line(&p, end, &line)))
		n_good += read_item(&r->batch->items[r->batch->n++], r, line, n, &room);
	if (!n_good)
		batch_reply(r);
	return n_good ? 0 : -1;
}

void batch_reply(struct request *r)
{
	struct buf *out = &r->reply.body;
	size_t i;

	for (i = 0; i < r->batch->n; i++) {
		struct item *item = &r->batch->items[i];

		if (!item->reply.status)
			item_answer(item);
		/* Every answer is an object on a line, with something in it. */
		buf_addf(out, "{\"status\":%u,", item->reply.status);
		if (item->reply.body.failed)
			out->failed = true;
		else
			buf_adds(out, buf_str(&item->reply.body) + 1);
	}
	r->reply.type = "application/x-ndjson";
	r->reply.status = 200;
}
