/*
 * ledger - what pawld keeps: projects, tokens, summaries as posted, and their points.
 *
 * One writer handle (one thread) and any number of reader handles (one per thread).
 * First form: SQLite.  The calls are what a PostgreSQL ledger must offer too: bulk
 * writes in one transaction, keys that start with the project, no SQL above this line.
 */
#ifndef PAWL_STORE_LEDGER_H
#define PAWL_STORE_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/record/summary.h"

struct ledger; /* opaque; one per thread */

enum ledger_mode { LEDGER_WRITE, LEDGER_READ };

/* where: "sqlite:PATH".  Errors: ERR_USAGE for another scheme, and as store_open(). */
int ledger_open(const char *where, enum ledger_mode mode, struct ledger **out, struct err *err);
void ledger_close(struct ledger *l);

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

/* Makes a token; its text is written once to out_text and only its SHA-256 is kept. */
int ledger_token_add(struct ledger *l, const char *project, unsigned scopes, bool untrusted,
		     const char *label, int64_t expires_us, struct buf *out_text, struct err *err);
int ledger_token_list(struct ledger *l, struct token_info **out, size_t *out_n, struct err *err);
int ledger_token_revoke(struct ledger *l, const char *id, struct err *err);
/* The token with this text, valid now.  Errors: ERR_ABSENT unknown, revoked or expired. */
int ledger_token_find(struct ledger *l, const char *text, struct token_info *out, struct err *err);

enum post_result { POST_CREATED, POST_SAME, POST_CONFLICT, POST_FAILED };

/* One summary to store: parsed, its bytes as posted and their SHA-256. */
struct post {
	const struct summary *summary;
	const char *json;
	size_t n;
	const char *sha256;
	bool untrusted;
	int64_t received_us;
	enum post_result result; /* filled by ledger_post() */
	struct err err;		 /* when POST_FAILED */
};

/*
 * Stores n summaries in one transaction, each in its own savepoint: a bad one does not
 * fail its neighbours.  When the call returns 0 every POST_CREATED one is durable.
 * Errors: ERR_FULL, ERR_BUSY, ERR_STORE: nothing was stored.
 */
int ledger_post(struct ledger *l, struct post **posts, size_t n, struct err *err);

/* The answers of the GET routes, appended as JSON to out.  Errors: ERR_ABSENT, ERR_STORE. */
int ledger_projects(struct ledger *l, struct buf *out, struct err *err);
int ledger_project(struct ledger *l, const char *project, struct buf *out, struct err *err);
int ledger_benchmarks(struct ledger *l, const char *project, struct buf *out, struct err *err);
int ledger_summary(struct ledger *l, const char *project, const char *id, struct buf *out,
		   struct err *err);

struct history_query {
	const char *project, *benchmark;
	const char *metric;	      /* NULL: the gated one */
	const char *machine, *branch; /* NULL: any */
	int64_t since_us, until_us;   /* commit time; 0: open */
	size_t limit;		      /* 1..20000 */
	const char *cursor;	      /* NULL: from the start */
};
int ledger_history(struct ledger *l, const struct history_query *q, struct buf *out,
		   struct err *err);

/* base and head: commit ids, or unique prefixes of at least 4 digits. */
int ledger_compare(struct ledger *l, const char *project, const char *base, const char *head,
		   struct buf *out, struct err *err);
int ledger_regressions(struct ledger *l, const char *project, size_t limit, struct buf *out,
		       struct err *err);

/* A write that changes nothing, to see whether writing works. */
int ledger_probe(struct ledger *l, struct err *err);

#endif
