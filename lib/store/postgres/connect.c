/* How a connection is made, and made again. */
#ifdef PAWL_LIBPQ

#include <stdlib.h>
#include <string.h>

#include "lib/base/when.h"
#include "lib/store/postgres/postgres.h"

#include "lib/base/banned.h"

/*
 * Of one who writes all the time: what takes longer is given up, so that others may.  Its rows are
 * found by their keys whatever is asked, and to plan that costs more than to do it.
 */
#define LIMITS \
	"SET plan_cache_mode='force_generic_plan';" \
	"SET statement_timeout='30s'; SET lock_timeout='20s';" \
	"SET idle_in_transaction_session_timeout='30s'"

/* Between two attempts to connect, each of which may take this. */
#define RETRY_NS 1000000000u
#define RETRY_HANGING_NS 5000000000u
#define CONNECT_S "2"

static void be_quiet(void *ctx, const char *message)
{
	(void)ctx;
	(void)message;
}

static int set(struct db *db, const char *sql, struct err *err)
{
	struct link *l = db->handle;
	PGresult *r = pq.exec(l->conn, sql);
	int result = 0;

	if (pq.resultStatus(r) != PGRES_COMMAND_OK)
		result = postgres_lost(db, err);
	pq.clear(r);
	return result;
}

static int settle(struct db *db, struct err *err)
{
	struct link *l = db->handle;
	const char *encoding = pq.parameterStatus(l->conn, "server_encoding");

	if (!encoding || strcmp(encoding, "UTF8")) {
		err_set(err, ERR_IO, "cannot use '%s': its encoding is %s", db->path,
			encoding ? encoding : "unknown");
		return err_hint(err, "make a database of encoding UTF8");
	}
	if (pq.serverVersion(l->conn) < 120000)
		return err_set(err, ERR_IO, "cannot use '%s': PostgreSQL is older than 12",
			       db->path);
	if (db->read_only && set(db, "SET default_transaction_read_only=on", err))
		return -1;
	/* To compile what takes a millisecond takes ten. */
	if (set(db, "SET jit=off", err))
		return -1;
	/* Who asks may be gone, see link.c.  A server whose system does not see that goes on. */
	if (db->read_only && pq.serverVersion(l->conn) >= 140000)
		pq.clear(pq.exec(l->conn, "SET client_connection_check_interval='500ms'"));
	if (l->is_server && set(db, LIMITS, err))
		return -1;
	if (pq.setnonblocking(l->conn, 1) || !pq.enterPipelineMode(l->conn))
		return postgres_lost(db, err);
	return 0;
}

int link_connect(struct db *db, struct err *err)
{
	/* What the address says itself is taken, but for the encoding. */
	static const char *const keys[] = { "connect_timeout", "fallback_application_name",
					    "dbname", "client_encoding", NULL };
	const char *const values[] = { CONNECT_S, "pawld", db->path, "UTF8", NULL };
	struct link *l = db->handle;
	uint64_t since_ns = when_monotonic_ns(), took_ns;

	if (since_ns < l->retry_ns) {
		if (err)
			*err = l->refusal;
		return -1;
	}
	pq.finish(l->conn);
	link_forget(l);
	l->number++;
	l->is_lost = true;
	l->conn = pq.connectdbParams(keys, values, 1);
	if (!l->conn)
		return err_nomem(err);
	err_clear(&l->refusal);
	if (pq.status(l->conn) != CONNECTION_OK) {
		postgres_lost(db, &l->refusal);
		err_hint(&l->refusal, "see whether PostgreSQL runs there, and lets this user in");
	} else {
		pq.setNoticeProcessor(l->conn, be_quiet, NULL);
		settle(db, &l->refusal);
	}
	took_ns = when_monotonic_ns() - since_ns;
	l->retry_ns = since_ns + took_ns + (took_ns > RETRY_NS ? RETRY_HANGING_NS : RETRY_NS);
	if (!l->refusal.code)
		l->retry_ns = 0;
	l->is_lost = l->refusal.code != ERR_NONE;
	if (l->refusal.code && err)
		*err = l->refusal;
	return l->refusal.code ? -1 : 0;
}

void link_close(struct db *db)
{
	struct link *l = db->handle;

	pq.finish(l->conn);
	link_forget(l);
	answer_leave(l->lock);
	gather_free(l);
	free(l->expected);
	free(l);
}

#else
typedef int libpq_is_absent;
#endif
