#include "server/answer/away.h"

#include <microhttpd.h>
#include <stddef.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "server/answer/batch.h"
#include "server/answer/body.h"
#include "server/answer/routes.h"

#include "lib/base/banned.h"

static void suspend(struct request *r, enum request_state state)
{
	r->state = state;
	/* It may take as long as it takes, but it ends. */
	request_phase(r, SWEEP_WORKS, SWEEP_NEVER);
	MHD_suspend_connection(r->connection);
}

/* The request is its HTTP thread's again. */
static void resume(struct request *r)
{
	struct loop *loop = &r->front->loop;

	MHD_resume_connection(r->connection);
	loop_wake(loop);
}

/* One of the items is done, or none of them is to go any more: the last one brings it back. */
static void count_done(struct request *r)
{
	if (atomic_fetch_sub(&r->n_pending, 1) == 1)
		resume(r);
}

/* Called by the writer's thread: with the last one the request is the HTTP thread's again. */
static void on_stored(struct job *job)
{
	count_done(((struct item *)job)->request);
}

static void to_writer(struct request *r, enum request_state state, struct item *items, size_t n)
{
	size_t i;

	atomic_store(&r->n_pending, n + 1);
	suspend(r, state);
	for (i = 0; i < n; i++) {
		items[i].request = r;
		items[i].job.done = on_stored;
		if (items[i].reply.status || !writer_submit(&r->server->writer, &items[i].job))
			count_done(r);
	}
	count_done(r);
}

void away_store(struct request *r)
{
	if (r->batch)
		to_writer(r, REQUEST_STORE, r->batch->items, r->batch->n);
	else
		to_writer(r, REQUEST_STORE, &r->one, 1);
}

void away_try(struct request *r)
{
	r->one.job.trial = true;
	to_writer(r, REQUEST_TRY, &r->one, 1);
}

static void on_change(struct job *job, struct ledger *l)
{
	struct request *r = ((struct item *)job)->request;

	r->reader = l;
	route_answer(r);
}

void away_change(struct request *r)
{
	r->one.job.change = on_change;
	to_writer(r, REQUEST_CHANGE, &r->one, 1);
}

static struct request *asker(struct question *q)
{
	return (struct request *)((char *)q - offsetof(struct request, question));
}

static void on_ask(struct question *q, struct ledger *l)
{
	asker(q)->reader = l;
	route_answer(asker(q));
}

static void refuse_question(struct question *q)
{
	reply_error(&asker(q)->reply, 503, "busy", "too many questions at once; try again", NULL);
}

/* Called by a reader's thread, as on_stored() by the writer's. */
static void on_asked(struct question *q)
{
	resume(asker(q));
}

void away_ask(struct request *r)
{
	r->question =
		(struct question){ .ask = on_ask, .refuse = refuse_question, .done = on_asked };
	suspend(r, REQUEST_ASK);
	if (!readers_submit(&r->server->readers, &r->question)) {
		refuse_question(&r->question);
		resume(r);
	}
}

/* What is freed of a large body is not kept for the next one: that may come in a month. */
static void give_back(void)
{
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}

static void on_read(struct question *q, struct ledger *l)
{
	struct request *r = asker(q);

	(void)l;
	r->is_refused = body_read(r) != 0;
	give_back();
}

static void refuse_large(struct question *q)
{
	asker(q)->is_refused = true;
	reply_error(&asker(q)->reply, 503, "busy", "too many large bodies at once; try again",
		    NULL);
}

void away_read(struct request *r)
{
	r->question = (struct question){ .ask = on_read, .refuse = refuse_large, .done = on_asked };
	suspend(r, REQUEST_READ);
	if (!readers_submit(&r->server->large, &r->question)) {
		refuse_large(&r->question);
		resume(r);
	}
}
