/*
 * ledger - what pawld keeps: projects, tokens, summaries as posted, and their points.
 *
 * One writer handle (one thread) and any number of reader handles (one per thread).
 * In a file of SQLite or a database of PostgreSQL; no SQL above this line.
 */
#ifndef PAWL_STORE_LEDGER_LEDGER_H
#define PAWL_STORE_LEDGER_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/base/when.h"
#include "lib/record/summary.h"

struct ledger; /* opaque; one per thread */
struct db;

enum ledger_mode { LEDGER_WRITE, LEDGER_READ, LEDGER_CHANGE };

/* Whether it names a database on a server, which is no file. */
bool ledger_is_on_server(const char *where);

/*
 * where: "sqlite:PATH"; the folder must exist, LEDGER_WRITE makes the file (mode 0600);
 * LEDGER_CHANGE writes to one that is there.  Or "postgresql://...", see db_connect().
 * Errors: ERR_USAGE for another scheme; ERR_ABSENT, ERR_NEWER (writing), ERR_CORRUPT,
 *         ERR_FULL, ERR_BUSY, ERR_IO, ERR_STORE.
 */
int ledger_open(const char *where, enum ledger_mode mode, struct ledger **out, struct err *err);
void ledger_close(struct ledger *l);

/* For the calls of lib/store/alerts, which are about what lies in the same tables. */
struct db *ledger_db(struct ledger *l);

/*
 * What is asked from now on may take so long all together, and then fails with ERR_TIMEOUT; 0: as
 * long as it takes.  ledger_stop(), from any thread, ends it at once.
 */
void ledger_budget(struct ledger *l, uint64_t within_ns);
void ledger_stop(struct ledger *l);

/* Token scopes, a bit set. */
enum { SCOPE_READ = 1, SCOPE_WRITE = 2, SCOPE_ADMIN = 4 };

struct token_info {
	char id[13];   /* 12 characters, shown in lists */
	char *project; /* NULL: every project */
	unsigned scopes;
	char *label;				    /* may be NULL */
	bool untrusted;				    /* summaries kept apart, never a baseline */
	int64_t created_us, expires_us, revoked_us; /* 0: never */
};

void token_info_release(struct token_info *t);

/* "read", "write,read", "admin": false for any other word.  Printing writes the same words. */
bool scopes_parse(const char *text, unsigned *out);
void scopes_print(unsigned scopes, struct buf *out);

/* Whether the token may do this to a project; NULL: to what belongs to no project. */
bool token_allows(const struct token_info *t, unsigned scope, const char *project);

/* Makes a token; its text is written once to out_text and only its SHA-256 is kept. */
int ledger_token_add(struct ledger *l, const char *project, unsigned scopes, bool untrusted,
		     const char *label, int64_t expires_us, struct buf *out_text, struct err *err);
/* In the order they were made. */
int ledger_token_list(struct ledger *l, struct token_info **out, size_t *out_n, struct err *err);
/* Errors: ERR_ABSENT. */
int ledger_token_revoke(struct ledger *l, const char *id, struct err *err);
/* The token with this text, valid now.  Errors: ERR_ABSENT unknown, revoked or expired. */
int ledger_token_find(struct ledger *l, const char *text, struct token_info *out, struct err *err);
/* The token with this id, valid now, for one who has shown its text before.  Errors: as above. */
int ledger_token_get(struct ledger *l, const char *id, struct token_info *out, struct err *err);

/* The series that one project may have; untrusted posts also have a limit of new ones each. */
#define LEDGER_MAX_SERIES 200000
#define LEDGER_MAX_UNTRUSTED_SERIES 20000
#define LEDGER_MAX_NEW_UNTRUSTED 2000

/* A commit that is dated further ahead of this clock is told of, and never the latest. */
#define LEDGER_AHEAD_US WHEN_DAY_US

enum post_result { POST_CREATED, POST_SAME, POST_CONFLICT, POST_FAILED };

/*
 * One summary to store: parsed, its bytes as posted and their SHA-256.  Kept is the frame that
 * squeeze_document() or a client made of them, or where there is none the bytes themselves.
 */
struct post {
	const struct summary *summary;
	const char *json; /* may be NULL beside a frame */
	size_t n;
	const char *frame; /* NULL: none */
	size_t n_frame;
	const char *sha256;
	bool untrusted;
	bool is_history; /* it is from elsewhere: alerts are made of it, but nobody is told */
	int64_t received_us;
	enum post_result result; /* filled by ledger_post() */
	bool other_unit; /* a metric that is there came in a unit or direction that is new */
	struct err err;	 /* when POST_FAILED */
};

/*
 * Stores n summaries in one transaction, each in its own savepoint: a bad one does not
 * fail its neighbours (POST_FAILED: ERR_LIMIT, too many series; ERR_STORE).  When the call
 * returns 0 every POST_CREATED one is durable.
 *
 * What untrusted posts bring (commits, machines, series, points, ids) lives beside what
 * trusted ones bring and never mixes with it: the same id may exist once on either side.
 *
 * Errors: ERR_FULL, ERR_BUSY, ERR_IO, ERR_CORRUPT, ERR_NOMEM: nothing was stored.
 */
int ledger_post(struct ledger *l, struct post **posts, size_t n, struct err *err);

/*
 * Points come as one row a summary, and are then folded into pieces of their histories, in steps:
 * one of them, if any is due.  No answer depends on it, only what it costs.  *out_more: there may
 * be another step.
 * Errors: as ledger_post(); ERR_CORRUPT, what is damaged is not folded.
 */
int ledger_fold(struct ledger *l, bool *out_more, struct err *err);

/*
 * The answers of the GET routes, appended as JSON to out.  Untrusted results are left out
 * unless asked for, and then marked.  Errors: ERR_ABSENT, ERR_CORRUPT, ERR_BUSY, ERR_IO,
 * ERR_STORE, ERR_TIMEOUT (the budget), ERR_NOMEM; out may then hold a part of an answer.
 */

/* only: the one project to show, NULL: all. */
int ledger_projects(struct ledger *l, const char *only, struct buf *out, struct err *err);
int ledger_project(struct ledger *l, const char *project, struct buf *out, struct err *err);
int ledger_benchmarks(struct ledger *l, const char *project, struct buf *out, struct err *err);

/*
 * A number that grows with each summary that the project gets, and each that is retracted or
 * restored, and is the same as long as all answers about it are; NULL: of all projects.
 * Errors: ERR_ABSENT.
 */
int ledger_stamp(struct ledger *l, const char *project, int64_t *out, struct err *err);

/*
 * The plain bytes as posted, held against their SHA-256 first; all of them also where a benchmark
 * of it is retracted.  untrusted: an untrusted one will do where there is no trusted one of that
 * id.
 */
int ledger_summary(struct ledger *l, const char *project, const char *id, bool untrusted,
		   struct buf *out, struct err *err);

/* The same of a trusted one for that benchmark of it: ERR_ABSENT where that is retracted, too. */
int ledger_summary_for(struct ledger *l, const char *project, const char *id, const char *benchmark,
		       struct buf *out, struct err *err);

/* Room for where the next page of a list begins, see cursor.h; "" where there is none. */
#define LEDGER_CURSOR 80

enum history_form { HISTORY_JSON, HISTORY_CSV, HISTORY_F64 };

/* The columns of a history as JSON. */
enum history_column {
	HISTORY_COMMIT,
	HISTORY_TIME,
	HISTORY_VALUE,
	HISTORY_LOW,
	HISTORY_HIGH,
	HISTORY_N,
	HISTORY_VERDICT,
	HISTORY_RATIO,
	HISTORY_MACHINE,
	HISTORY_ID,
	HISTORY_UNTRUSTED,
	HISTORY_SUSPECT,
	HISTORY_COLUMNS
};
#define HISTORY_USUAL ((1u << HISTORY_SUSPECT) - 1)

struct history_query {
	const char *project, *benchmark;
	const char *metric;	      /* NULL: the gated one */
	const char *unit;	      /* NULL: any */
	const char *better;	      /* "lower", "higher"; NULL: any */
	const char *machine, *branch; /* NULL: any; branch "": results that name none */
	int64_t since_us, until_us;   /* the commit's place, both included; 0: open */
	size_t limit;		      /* 1..LEDGER_MAX_POINTS */
	const char *cursor;	      /* NULL: from the start; else "next" of an earlier answer */
	char *next;		      /* LEDGER_CURSOR bytes; may be NULL */
	bool newest;		      /* the last `limit` points, still in order; then no cursor */
	bool untrusted;		      /* the untrusted results too, each marked */
	bool with_outcome;	      /* of newest, JSON: "outcome" and a column "suspect" */
	unsigned columns;	      /* JSON: bits of enum history_column; 0: HISTORY_USUAL */
	size_t px; /* 0, or thinned to so many buckets: then no limit, no cursor */
	enum history_form form;
};
#define LEDGER_MAX_POINTS 20000
#define LEDGER_MAX_PX 10000

/* The bits of some columns, named with commas between them.  Errors: ERR_SYNTAX. */
int history_columns(const char *text, unsigned *out, struct err *err);

/*
 * One benchmark's metric over the commits: clean trees only, by the commits' places, then as they
 * were measured (a result that says it ended later than it came: when it came), then as they came.
 * A commit's place is its date, or its first receipt where that is earlier,
 * moved behind its parents and before its children where they were known when it came. Columns
 * of equal length, and the points where a recorded verdict of the gated metric says that it moved.
 * Of several units or directions the one of the newest such point is shown, and "other_units" names
 * the others.
 *
 * Where the budget ends the points that were read are the answer, and "next" leads on; where none
 * were, it is ERR_TIMEOUT, and *next leads behind what was gone through.
 *
 * "outcome" is the newest trusted result that gave no value (it failed, say) where that is newer
 * than the last point of the answer; null: there is none.
 *
 * With px the points are cut into at most px buckets of equally many; of each the least and the
 * greatest value are kept, besides the first and last point of all and each change.  As CSV it is a
 * line a point, as HISTORY_F64 columns of doubles: both are described in pawld(8).
 *
 * Errors: ERR_RANGE for a cursor that is none of this question; ERR_LIMIT, there are more changes
 *         than LEDGER_MAX_POINTS.
 */
int ledger_history(struct ledger *l, const struct history_query *q, struct buf *out,
		   struct err *err);

/*
 * Two commits side by side.  base and head: commit ids, or unique prefixes of at least 4
 * digits.  A delta with a verdict is only what was recorded for head against that very
 * base; else the ratio of the medians is shown, "how":"stored", without a verdict.
 * untrusted: head may be an untrusted result; base never is.
 */
int ledger_compare(struct ledger *l, const char *project, const char *base, const char *head,
		   bool untrusted, struct buf *out, struct err *err);

/*
 * What moved lately, newest first: recorded verdicts of gated metrics, clean trees, not
 * merely suspect; of several runs of the same pair of commits the one measured last decides.
 */
int ledger_regressions(struct ledger *l, const char *project, size_t limit, struct buf *out,
		       struct err *err);

/* What the newest commit says, the one that ledger_project() calls the latest. */
struct newest_moves {
	bool is_there;			/* the project has results */
	size_t n_regressed, n_improved; /* benchmarks, as ledger_regressions() has them */
	size_t n_accepted;		/* likewise: regressed, and accepted as their alerts say */
	size_t n_failed;		/* when they were measured last */
};

/* Errors: ERR_ABSENT, those of the database. */
int ledger_newest_moves(struct ledger *l, const char *project, struct newest_moves *out,
			struct err *err);

/* What is to be hidden, or shown again. */
struct retraction {
	const char *project, *id;
	const char *benchmark; /* NULL: the whole summary */
	bool untrusted;	       /* the untrusted one of that id */
	bool is_restored;
	bool is_history;       /* from elsewhere: nobody is told what becomes of its alerts */
	const char *who, *why; /* for the log; why may be NULL */
};

/*
 * A summary that is retracted, or a benchmark of it, is in no history, comparison, change or page
 * until it is restored; its document and its points stay.  What it alone brought (commits,
 * machines, benchmarks, units) is still named and counted, and where a benchmark of it is retracted
 * ledger_summary() still gives all of it.  *out_changed: it was not so before; then it is logged.
 * Errors: ERR_ABSENT, those of a write.
 */
int ledger_retract(struct ledger *l, const struct retraction *r, bool *out_changed,
		   struct err *err);

/* What was retracted and restored, the newest first, as JSON; up to 1,000. */
int ledger_retractions(struct ledger *l, const char *project, struct buf *out, struct err *err);

/* Of a ledger that was opened for reading: see db_copy(). */
int ledger_copy(struct ledger *l, const char *to, struct err *err);

/* A write that changes nothing, to see whether writing works. */
int ledger_probe(struct ledger *l, struct err *err);

#endif
