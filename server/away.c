#include "server/away.h"

#include <microhttpd.h>
#include <stddef.h>

#include "server/routes.h"

#include "lib/base/banned.h"

static void suspend(struct request *r, enum request_state state)
{
	r->state = state;
	/* It may take as long as it takes, but it ends. */
	request_phase(r, SWEEP_WORKS, SWEEP_NEVER);
	MHD_suspend_connection(r->connection);
}

/* Called by the writer's thread: from here on the request is the HTTP thread's again. */
static void on_stored(struct job *job)
{
	struct request *r = (struct request *)job;

	MHD_resume_connection(r->connection);
}

static void to_writer(struct request *r, enum request_state state)
{
	r->job.done = on_stored;
	suspend(r, state);
	if (!writer_submit(&r->server->writer, &r->job))
		MHD_resume_connection(r->connection);
}

void away_store(struct request *r)
{
	to_writer(r, REQUEST_STORE);
}

void away_try(struct request *r)
{
	r->job.trial = true;
	to_writer(r, REQUEST_TRY);
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
	MHD_resume_connection(asker(q)->connection);
}

void away_ask(struct request *r)
{
	r->question =
		(struct question){ .ask = on_ask, .refuse = refuse_question, .done = on_asked };
	suspend(r, REQUEST_ASK);
	if (!readers_submit(&r->server->readers, &r->question)) {
		refuse_question(&r->question);
		MHD_resume_connection(r->connection);
	}
}
