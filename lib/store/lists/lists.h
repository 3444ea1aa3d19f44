/*
 * lists - what is there, a page at a time: the newest first where time has a part in it.
 */
#ifndef PAWL_STORE_LISTS_LISTS_H
#define PAWL_STORE_LISTS_LISTS_H

#include "lib/store/alerts/alerts.h"
#include "lib/store/ledger/local.h"

/* The rows that one page may have. */
#define LISTS_MOST 10000

struct list_query {
	const char *project;	      /* of projects: the only one to show; NULL: all */
	const char *commit;	      /* an id, or a prefix of at least 4 digits; NULL: any */
	const char *branch, *machine; /* NULL: any */
	const char *benchmark;	      /* of alerts; NULL: any */
	enum alert_state state;	      /* of alerts; 0: any */
	bool untrusted;		      /* the untrusted ones too, each marked */
	size_t limit;		      /* 1..LISTS_MOST */
	const char *cursor;	      /* NULL: from the start; else "next" of an earlier answer */
	char *next;		      /* LEDGER_CURSOR bytes; may be NULL */
};

/*
 * Each appends its answer as JSON to out: a list, and "next", which is null on the last page.  A
 * page that the budget ends is shorter, and may be empty.  Errors: ERR_ABSENT; ERR_RANGE for a
 * cursor that is none of this question; ERR_TIMEOUT with no row looked at; those of the database.
 */

/* By name. */
int lists_projects(struct ledger *l, const struct list_query *q, struct buf *out, struct err *err);
int lists_benchmarks(struct ledger *l, const struct list_query *q, struct buf *out,
		     struct err *err);
int lists_machines(struct ledger *l, const struct list_query *q, struct buf *out, struct err *err);

/*
 * Summaries that are shown, the one that came last first; of a branch, those of its newest commit
 * first.  commit, branch, machine and untrusted are looked at.
 */
int lists_summaries(struct ledger *l, const struct list_query *q, struct buf *out, struct err *err);

/* Commits with trusted results that are shown, by their places; branch is looked at. */
int lists_commits(struct ledger *l, const struct list_query *q, struct buf *out, struct err *err);

/* See ledger_regressions() and ledger_retractions(). */
int lists_regressions(struct ledger *l, const struct list_query *q, struct buf *out,
		      struct err *err);
int lists_retractions(struct ledger *l, const struct list_query *q, struct buf *out,
		      struct err *err);

/* Those of a state, of a benchmark, the newest first; and what is sent about them. */
int lists_alerts(struct ledger *l, const struct list_query *q, struct buf *out, struct err *err);
int lists_messages(struct ledger *l, const struct list_query *q, struct buf *out, struct err *err);

/* ---- for the files of this room ------------------------------------------------------------- */

/* Adds to *out what the runs of a commit say; within a transaction. */
int lists_moves_of(struct ledger *l, int64_t project, int64_t commit, struct newest_moves *out,
		   struct err *err);

/* A page of a list while it is written. */
struct page {
	const struct list_query *q;
	const char *kind;
	struct ledger *l;
	struct jsonw w;
	int64_t project; /* 0: all */
	int64_t from[2]; /* behind which row it begins, as the kind numbers them */
	int64_t last[2]; /* the row that was written or passed last */
	size_t n;
	bool has_passed; /* rows that are not wanted */
	bool is_over;	 /* there are more */
};

/*
 * Begins a transaction and {"project": ..., "KIND": [; the cursor is in from, zeros where there is
 * none.
 */
int page_begin(struct page *p, struct ledger *l, const struct list_query *q, const char *kind,
	       struct buf *out, struct err *err);

/* Whether a row still fits; else it is the first of the next page. */
bool page_has_room(struct page *p);

/* That row has been written. */
void page_count(struct page *p, int64_t a, int64_t b);

/* That row was looked at and is not wanted: where the time is over, the next page begins there. */
void page_pass(struct page *p, int64_t a, int64_t b);

/* step: 0 or -1, how reading the rows ended.  Returns the same, or 0 where a page was cut short. */
int page_end(struct page *p, int step, struct buf *out, struct err *err);

#endif
