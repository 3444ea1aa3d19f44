/*
 * postgres - what the files of the PostgreSQL engine share.  A handle is a struct link *.
 *
 * What is asked is sent ahead (libpq's pipeline) and collected where an answer is needed: of a
 * transaction that writes, only what reads, db_keep() and db_commit() wait for the server.  Rows of
 * one INSERT, and questions of one text that are asked ahead, are gathered into one statement,
 * which is sent when anything else is (gather.c).
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
	bool was_sent, is_open;	  /* since db_start(); a cursor that has more */
	bool is_ahead;		  /* its rows are still to come */
	bool is_held;		  /* a cursor outside of a transaction */
	PGresult *result;	  /* rows; row is the current one */
	int row, n_rows;	  /* n_rows: behind the last one */
	int n_fetched;		  /* of a cursor: so many are asked for at a time */
	struct gather *gather;	  /* its rows, where they can be gathered; or NULL */
	struct answer *answer;	  /* whose result it is, where others have rows of it, too */
	int number, first_column; /* in that one */
};

/* What the server is to answer next. */
struct expected {
	enum { EXPECT_DONE, EXPECT_PREPARED, EXPECT_ROWS, EXPECT_SYNC } what;
	unsigned *link;	       /* of EXPECT_PREPARED: where the connection is noted */
	struct answer *answer; /* of EXPECT_ROWS */
};

/* Rows of one INSERT, or questions of one SELECT, that are sent as one statement. */
struct gather {
	const char *sql; /* compared by address */
	struct buf text;
	bool is_question;
	char name[16];
	unsigned link; /* the connection that has prepared it; 0: none */
	int n;
	Oid elements[QUERY_MOST_PARAMETERS], arrays[QUERY_MOST_PARAMETERS];
	struct buf columns[QUERY_MOST_PARAMETERS];
	bool has_null[QUERY_MOST_PARAMETERS];
	size_t n_rows, n_bytes;
};

/* What was asked in a snapshot, and its answer. */
struct kept {
	const char *sql; /* compared by address */
	struct buf bound;
	struct answer *answer;
	int number;
};

/* Rows for several who asked, each with the number of its question in front. */
struct answer {
	PGresult *result;
	size_t n_users; /* who wait for it or read it */
};

struct link {
	PGconn *conn;
	unsigned number; /* of the connection: 1 is the first */
	struct expected *expected;
	size_t n_expected, cap_expected;
	struct gather **gathers; /* each kept until the handle is closed */
	size_t n_gathers, cap_gathers;
	struct answer *lock;  /* who has written last; NULL: that was read */
	struct answer *asked; /* what questions that are gathered will be answered by; or NULL */
	bool has_gathered;
	struct kept *kept; /* what was asked in this snapshot: later.c */
	size_t n_kept, cap_kept;
	bool is_later; /* what was not asked is asked ahead, and not answered yet */
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

/* Asks to be the one who writes, ahead; and waits for that, if it was asked. */
int lock_ask(struct db *db, struct err *err);
int lock_settle(struct db *db, struct err *err);
int lock_take(struct db *db, struct err *err); /* both */
void lock_leave(struct link *l);	       /* what was asked concerns nobody any more */

/* Nothing is expected of it any more. */
void link_lose(struct link *l);

/* Sends a text without parameters. */
int link_send(struct db *db, const char *sql, struct err *err);

/* Something was sent: what is to come of it. */
int link_expect(struct link *l, const struct expected *e, struct err *err);

/* Forgets what was gathered, and what is expected. */
void link_forget(struct link *l);

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

/*
 * The same of one whose parameters, with types of db_start(), come as arrays: an INSERT of as many
 * rows, or a SELECT that many ask, in whose rows the number of the question (1, 2, ...) is the
 * first column.  False: of this text that cannot be made.
 */
bool postgres_words_of_many(const char *sql, const char *types, struct buf *out);

/*
 * The place where rows of that INSERT, or questions of that SELECT, are gathered; *out NULL: of
 * this text they cannot be.
 */
int gather_find(struct db *db, const char *sql, const char *types, struct gather **out,
		struct err *err);

/* Adds the row of q, whose gather is there: what is bound is copied. */
int gather_row(struct db *db, struct query *q, struct err *err);

/* NULL: no memory. */
struct answer *answer_new(void);

/* Adds the question. */
int gather_question(struct db *db, struct query *q, struct err *err);

/* Sends what was gathered. */
int gather_send(struct db *db, struct err *err);

/* Forgets it. */
void gather_forget_rows(struct gather *g);
void gather_forget(struct link *l);
void gather_free(struct link *l);

/* Gives q the answer to what was asked before, or asks it.  Errors: ERR_LATER. */
int later_step(struct db *db, struct query *q, struct err *err);
void later_forget(struct link *l);
void postgres_later(struct db *db, bool on);
int postgres_arrive(struct db *db, struct err *err);

/* One who waits for it less.  Accepts NULL. */
void answer_leave(struct answer *a);

/* The rows of number: *out_first and behind the last one. */
void answer_rows(const struct answer *a, int number, int *out_first, int *out_end);

/* See engine.h. */
int postgres_prepare(struct db *db, const char *sql, const char *types, struct db_query **out,
		     struct err *err);
int postgres_bind(struct db *db, struct db_query *q, const char *types, va_list ap,
		  struct err *err);
int postgres_bind_values(struct db *db, struct db_query *q, const struct db_value *values, size_t n,
			 struct err *err);
/* Sends a question by itself; *out is what it will be answered by. */
int postgres_send(struct db *db, struct db_query *q, struct answer **out, struct err *err);
int postgres_ahead(struct db *db, struct db_query *q, struct err *err);
int postgres_step(struct db *db, struct db_query *q, struct err *err);
void postgres_end(struct db_query *q);
void postgres_drop(struct db_query *q);

/* Of the type that a letter of db_start() stands for. */
Oid postgres_type_of(char letter);
char postgres_letter_of(Oid type);

/* In the order of the network, of n <= 8 bytes. */
uint64_t postgres_take_number(const char *bytes, int n);

const char *postgres_text(struct db_query *q, int column);
const void *postgres_bytes(struct db_query *q, int column, size_t *out_n);
int64_t postgres_integer(struct db_query *q, int column);
double postgres_real(struct db_query *q, int column);
bool postgres_is_null(struct db_query *q, int column);

extern const struct db_engine postgres_engine;

#endif
