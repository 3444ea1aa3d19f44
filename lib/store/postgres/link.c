/* The connection: what is sent ahead, and what comes of it. */
#ifdef PAWL_LIBPQ

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/when.h"
#include "lib/store/postgres/postgres.h"

#include "lib/base/banned.h"

/* That a budget is over, or taken away, is seen so late. */
#define LOOK_MS 20
#define LOOK_RARELY_MS 1000

/* The server gives up before that, unless it hangs. */
#define PATIENCE_NS 60000000000u

int link_ready(struct db *db, struct err *err)
{
	struct link *l = db->handle;

	if (!l->is_lost)
		return 0;
	if (!l->in_transaction)
		return link_connect(db, err);
	return err_set(err, ERR_NET, "cannot use '%s': the connection was lost", db->path);
}

int link_send(struct db *db, const char *sql, struct err *err)
{
	struct link *l = db->handle;

	if (gather_send(db, err))
		return -1;
	if (!pq.sendQueryParams(l->conn, sql, 0, NULL, NULL, NULL, NULL, 1))
		return postgres_lost(db, err);
	return link_expect(l, &(struct expected){ .what = EXPECT_DONE }, err);
}

static int out_of_time(struct db *db, struct err *err)
{
	link_lose(db->handle);
	return err_set(err, db->ends_ns ? ERR_TIMEOUT : ERR_NET, "cannot use '%s': no answer",
		       db->path);
}

/*
 * Until an answer is there.  Who asks for too long goes, and the server sees that nobody waits: to
 * have it cancel what it does, libpq would wait for it, too.
 */
static int wait_for_answer(struct db *db, struct err *err)
{
	struct link *l = db->handle;
	uint64_t since_ns = when_monotonic_ns();
	struct pollfd fd;
	int left;

	for (;;) {
		left = pq.flush(l->conn);
		if (left < 0)
			return postgres_lost(db, err);
		if (!pq.isBusy(l->conn))
			return 0;
		fd = (struct pollfd){ .fd = pq.socket(l->conn),
				      .events = (short)(left ? POLLIN | POLLOUT : POLLIN) };
		poll(&fd, 1, db->ends_ns ? LOOK_MS : LOOK_RARELY_MS);
		if (fd.revents && !pq.consumeInput(l->conn))
			return postgres_lost(db, err);
		if (db_is_over(db) ||
		    (l->is_server && when_monotonic_ns() - since_ns > PATIENCE_NS))
			return out_of_time(db, err);
	}
}

int link_sync(struct db *db, struct err *err)
{
	struct link *l = db->handle;

	if (gather_send(db, err))
		return -1;
	if (!pq.pipelineSync(l->conn) || pq.flush(l->conn) < 0)
		return postgres_lost(db, err);
	return link_expect(l, &(struct expected){ .what = EXPECT_SYNC }, err);
}

static bool is_done(const PGresult *r)
{
	ExecStatusType status = r ? pq.resultStatus(r) : PGRES_FATAL_ERROR;

	return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

/* The answer to e; *last is what it was, where it is one to a statement. */
static int take(struct db *db, const struct expected *e, PGresult **last, struct err *fault,
		struct err *err)
{
	struct link *l = db->handle;
	PGresult *r;

	if (wait_for_answer(db, err))
		return -1;
	r = pq.getResult(l->conn);
	if (!r || pq.status(l->conn) == CONNECTION_BAD) {
		pq.clear(r);
		return postgres_lost(db, err);
	}
	if (e->what == EXPECT_SYNC) {
		pq.clear(r);
		return 0;
	}
	if (pq.resultStatus(r) == PGRES_FATAL_ERROR && !fault->code)
		postgres_fault(db, r, fault);
	if (e->what == EXPECT_PREPARED) {
		*e->link = is_done(r) ? l->number : 0;
		pq.clear(r);
	} else if (e->what == EXPECT_ROWS && is_done(r)) {
		e->answer->result = r;
	} else if (e->what == EXPECT_ROWS) {
		pq.clear(r);
	} else {
		pq.clear(*last);
		*last = r;
	}
	/* Each answer ends by none. */
	if (wait_for_answer(db, err))
		return -1;
	pq.clear(pq.getResult(l->conn));
	return 0;
}

int link_collect(struct db *db, PGresult **out, struct err *err)
{
	struct link *l = db->handle;
	struct err fault = ERR_INIT;
	PGresult *last = NULL;
	size_t i;
	int result = link_sync(db, err);

	for (i = 0; !result && i < l->n_expected; i++) {
		const struct expected e = l->expected[i];

		l->expected[i].answer = NULL;
		result = take(db, &e, &last, &fault, err);
		answer_leave(e.answer);
	}
	l->n_expected = 0;
	if (!result && fault.code) {
		if (err)
			*err = fault;
		result = -1;
	}
	if (!result) {
		l->is_fresh = false;
		l->n_changed = last ? strtoll(pq.cmdTuples(last), NULL, 10) : 0;
	}
	if (!result && out)
		*out = last;
	else
		pq.clear(last);
	return result;
}

int link_begin(struct db *db, bool to_write, struct err *err)
{
	struct link *l = db->handle;

	if (link_ready(db, err) ||
	    link_send(db, to_write ? "BEGIN" : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
		      err))
		return -1;
	l->in_transaction = l->is_fresh = true;
	l->to_write = to_write;
	l->fault = (struct err)ERR_INIT;
	return 0;
}

#else
typedef int libpq_is_absent;
#endif
