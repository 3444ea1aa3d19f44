/*
 * store - the local results: <git common dir>/pawl/results.db, one SQLite file.
 *
 * Every summary is a row that holds it packed (lib/record/packed); its JSON is made when it is
 * posted. The queue of what is still to be posted is a table of the same file, so that storing and
 * queueing are one transaction.  WAL, synchronous=FULL, busy_timeout, BEGIN IMMEDIATE.
 */
#ifndef PAWL_STORE_LOCAL_STORE_H
#define PAWL_STORE_LOCAL_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/record/history.h"
#include "lib/record/summary.h"

#define STORE_SCHEMA 2
#define STORE_QUEUE_MAX_ENTRIES 1000
#define STORE_QUEUE_MAX_BYTES (64u << 20)

struct store; /* opaque */

enum store_mode { STORE_WRITE, STORE_READ };

/*
 * Opens, and with STORE_WRITE creates (folder 0700, file 0600), the database at path.
 * STORE_READ falls back to a read-only and then an immutable open.  A store of schema 1 is
 * migrated by STORE_WRITE, and read as it is by STORE_READ.
 *
 * Errors: ERR_ABSENT (STORE_READ, no file), ERR_NEWER, ERR_CORRUPT (with the cure
 *         `pawl fsck --repair`), ERR_FULL, ERR_IO, ERR_BUSY, ERR_STORE.
 */
int store_open(const char *path, enum store_mode mode, struct store **out, struct err *err);
void store_close(struct store *store); /* accepts NULL */

/*
 * Stores a summary (the same again is no error), and queues it for the server when queue is set, in
 * one transaction. The row's searchable fields come from the summary itself.  *out_queued (may be
 * NULL) tells whether it was queued: a full queue keeps the result and refuses the entry.
 *
 * Errors: ERR_REFUSED it has sides that are not commits;
 *         ERR_CONFLICT the id exists with other content; ERR_LIMIT it has more of something than
 *         SUMMARY_MAX_* allows; ERR_FULL, ERR_BUSY, ERR_STORE.
 * Cost:   that of summary_pack(), and of one transaction.
 */
int store_add(struct store *store, const struct summary *s, bool queue, bool *out_queued,
	      struct err *err);

/*
 * The stored summaries of that project, commit and machine (NULL: any) that may be a baseline
 * (clean tree, at least one benchmark ok), newest first, at most max, appended to out: one may hold
 * benchmarks that a newer one lacks.  None is no error; a damaged one is passed over.
 */
int store_baselines(struct store *store, const char *project, const char *commit,
		    const char *machine, size_t max, struct history *out, struct err *err);

/* Likewise, whatever became of their benchmarks: all of them may have failed. */
int store_results(struct store *store, const char *project, const char *commit, const char *machine,
		  size_t max, struct history *out, struct err *err);

/*
 * The newest stored summary of a commit, dirty ones included; commit NULL: of all.  A damaged one
 * is passed over when an older one is intact.  Errors: ERR_ABSENT, ERR_CORRUPT.
 */
int store_latest(struct store *store, const char *project, const char *commit, struct summary *out,
		 struct err *err);

/* By summary id.  Errors: ERR_ABSENT, ERR_CORRUPT. */
int store_get(struct store *store, const char *id, struct summary *out, struct err *err);

/*
 * The damaged results that the calls on this handle have passed over so far, a line each, with what
 * to do: whoever answers from another result says so.
 */
const struct strv *store_passed_over(const struct store *store);

/* Row heads for lists, newest first; one that is damaged itself is passed over. */
struct store_row {
	char id[27];
	char commit[65];
	char machine[17];
	int64_t finished_us;
	bool dirty;
};
int store_list(struct store *store, const char *project, size_t limit, struct store_row **out,
	       size_t *out_n, struct err *err);

/*
 * Where a project has no result: the project of the newest result of all, into out, which is empty
 * otherwise.
 */
int store_other_project(struct store *store, const char *project, struct buf *out, struct err *err);

/* One queue entry; owned. */
struct queue_entry {
	char id[27];
	char *json;
	size_t n;
	int attempts;
	int64_t next_try_us;
	char *last_error; /* may be NULL */
};

void queue_entry_release(struct queue_entry *e);

/*
 * The oldest entry due at now_us that is not in `skip` (may be NULL).  An entry whose
 * stored result is damaged is moved to the rejected ones and the next is looked at.
 * Errors: ERR_ABSENT when there is none.
 */
int store_queue_next(struct store *store, int64_t now_us, const struct strv *skip,
		     struct queue_entry *out, struct err *err);
/*
 * Delivered: the entry goes, the summary stays and is marked posted.  For this and the two
 * calls below an entry that is gone meanwhile is no error: another sender delivered it.
 */
int store_queue_done(struct store *store, const char *id, struct err *err);
/* Failed, will be tried again at next_try_us. */
int store_queue_retry(struct store *store, const char *id, int64_t next_try_us, const char *why,
		      struct err *err);
/* Refused for good: moves to the rejected ones with the server's reason. */
int store_queue_reject(struct store *store, const char *id, const char *why, struct err *err);
/* All rejected ones wait again, as if they came just now; *out_n of them. */
int store_queue_again(struct store *store, size_t *out_n, struct err *err);
/*
 * Queues all that was stored and neither posted nor queued, oldest first, whatever the limits of
 * the queue: they are for what comes by itself.  *out_n of them.
 */
int store_queue_all(struct store *store, size_t *out_n, struct err *err);
/*
 * Marks one of them as nothing for the server; *out tells whether it was one.  An id that is not
 * there is no error.
 */
int store_queue_pass_over(struct store *store, const char *id, bool *out, struct err *err);
/* How many those are. */
int store_queue_missed(struct store *store, size_t *out_n, struct err *err);
/* Counts of waiting and rejected entries. */
int store_queue_count(struct store *store, size_t *out_waiting, size_t *out_rejected,
		      struct err *err);

/*
 * A small value kept with the store ("anchor"), with a checksum; *out NULL when there is none;
 * free() it.  Errors: ERR_CORRUPT it is damaged; ERR_NOMEM; those of the database.
 */
int store_get_meta(struct store *store, const char *key, char **out, struct err *err);
int store_set_meta(struct store *store, const char *key, const char *value, struct err *err);

/* What is wrong with the file: SQLite's own check and every row's checksums. */
struct store_check {
	size_t n_rows, n_bad;
	struct strv faults; /* one line each */
};
int store_check(struct store *store, struct store_check *out, struct err *err);
void store_check_release(struct store_check *c);

/* What store_repair() did. */
struct store_repair {
	size_t n_saved, n_lost;
	char *kept; /* where the damaged file is now; NULL: nothing was wrong, nothing was done */
};

/*
 * Saves every intact row, with its place in the queue, into a new file that takes the place
 * of the damaged one; that one is kept beside it as PATH.corrupt-TIME.  Works on files that
 * store_open() refuses with ERR_CORRUPT.
 *
 * Errors: ERR_ABSENT, ERR_BUSY (another pawl is writing), ERR_FULL, ERR_IO, ERR_NEWER.
 */
int store_repair(const char *path, struct store_repair *out, struct err *err);
void store_repair_release(struct store_repair *r);

#endif
