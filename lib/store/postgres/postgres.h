/*
 * postgres - what the files of the PostgreSQL engine share.  A handle is a struct link *.
 *
 * What is asked is sent ahead (libpq's pipeline) and collected where an answer is needed: of a
 * transaction that writes, only what reads, db_keep() and db_commit() wait for the server.
 */
#ifndef PAWL_STORE_POSTGRES_POSTGRES_H
#define PAWL_STORE_POSTGRES_POSTGRES_H

#include "lib/base/buf.h"
#include "lib/store/engine.h"
#include "lib/store/postgres/libpq.h"

#define QUERY_MOST_PARAMETERS 24

struct query {
	struct db_query head;
	struct db *db;
	struct buf sql; /* as PostgreSQL takes it */
	char name[16];	/* of the prepared statement, or of the cursor */
	unsigned link;	/* the connection that has prepared it; 0: none */
	bool gives_rows;
	int n;
	Oid types[QUERY_MOST_PARAMETERS];
	const char *values[QUERY_MOST_PARAMETERS];
	int lengths[QUERY_MOST_PARAMETERS], formats[QUERY_MOST_PARAMETERS];
	unsigned char numbers[QUERY_MOST_PARAMETERS][8];
	bool was_sent, is_open; /* since db_start(); a cursor that has more */
	bool is_ahead;		/* its rows are still to come */
	bool is_held;		/* a cursor outside of a transaction */
	PGresult *result;	/* rows; row is the current one */
	int row, n_rows;
};

/* What the server is to answer next. */
struct expected {
	enum { EXPECT_DONE, EXPECT_PREPARED, EXPECT_ROWS, EXPECT_SYNC } what;
	struct query *query; /* of EXPECT_PREPARED; of EXPECT_ROWS, NULL: nobody wants them now */
};

struct link {
	PGconn *conn;
	unsigned number; /* of the connection: 1 is the first */
	struct expected *expected;
	size_t n_expected, cap_expected;
	unsigned n_names;
	bool in_transaction, to_write;
	bool is_fresh; /* nothing was answered in this transaction */
	bool is_lost;
	bool is_stale;
	int64_t owner;			/* our name as a writer */
	int64_t n_changed;		/* by the last statement that was answered */
	bool is_server;			/* writes all the time: what takes long is given up */
	uint64_t n_written, analyze_at; /* statements, since it was opened */
	uint64_t retry_ns; /* not connected again before, since that would be refused, too */
	struct err refusal;
	struct err fault; /* told by a later call */
};

/* Connects; where it was connected before, afresh.  Errors: ERR_NET, ERR_IO (refused). */
int link_connect(struct db *db, struct err *err);

/* A connection that works, as far as is known.  Errors: ERR_NET, it was lost in a transaction. */
int link_ready(struct db *db, struct err *err);
void link_close(struct db *db);

/* Begins a transaction, ahead. */
int link_begin(struct db *db, bool to_write, struct err *err);

/* Nothing is expected of it any more. */
void link_lose(struct link *l);

/* Sends a text without parameters. */
int link_send(struct db *db, const char *sql, struct err *err);

/* Something was sent: what is to come of it. */
int link_expect(struct link *l, const struct expected *e, struct err *err);

/* Lets what was sent go, without waiting for its answers. */
int link_sync(struct db *db, struct err *err);

/*
 * Waits for all answers; *out (may be NULL) is the last one, for the caller to clear.
 * Errors: of the first that failed.
 */
int link_collect(struct db *db, PGresult **out, struct err *err);

/* What the last call of libpq on the connection failed with.  Returns -1. */
int postgres_lost(struct db *db, struct err *err);

/* What the server answered.  Returns -1. */
int postgres_fault(struct db *db, const PGresult *result, struct err *err);

/* Appends the text with the words of SQLite that PostgreSQL has others for replaced. */
void postgres_words(const char *sql, bool is_schema, struct buf *out);

/* See engine.h. */
int postgres_prepare(struct db *db, const char *sql, const char *types, struct db_query **out,
		     struct err *err);
int postgres_bind(struct db *db, struct db_query *q, const char *types, va_list ap,
		  struct err *err);
int postgres_bind_values(struct db *db, struct db_query *q, const struct db_value *values, size_t n,
			 struct err *err);
int postgres_ahead(struct db *db, struct db_query *q, struct err *err);
int postgres_step(struct db *db, struct db_query *q, struct err *err);
void postgres_end(struct db_query *q);
void postgres_drop(struct db_query *q);

const char *postgres_text(struct db_query *q, int column);
const void *postgres_bytes(struct db_query *q, int column, size_t *out_n);
int64_t postgres_integer(struct db_query *q, int column);
double postgres_real(struct db_query *q, int column);
bool postgres_is_null(struct db_query *q, int column);

extern const struct db_engine postgres_engine;

#endif
