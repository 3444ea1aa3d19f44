/*
 * local - what the files of the local store share: the handle and a row.
 */
#ifndef PAWL_STORE_LOCAL_LOCAL_H
#define PAWL_STORE_LOCAL_LOCAL_H

#include "lib/digest/digest.h"
#include "lib/store/db.h"
#include "lib/store/local/store.h"

/* A row that may be of a commit. */
struct number {
	int64_t seq;
	uint64_t key;	 /* of its project and commit; by the table */
	bool is_indexed; /* the index of commits says so */
};

struct numbers {
	struct number *v;
	size_t n, cap;
};

#define NUMBERS_INIT \
	{ \
		NULL, 0, 0 \
	}

struct store {
	struct db db;
	struct strv passed_over; /* damaged results, a line each */
	struct numbers table;	 /* all rows, once they were read */
	bool is_read;
};

/* The columns that row_head() and row_read() expect, in their order and in front of any other. */
#define STORE_HEAD \
	"s.seq, s.id, s.project, s.commit_id, s.machine, s.finished_us, s.dirty, s.usable, s.sum"
#define STORE_BODY ", s.binaries, s.json, s.sha256, s.packed"
/* As STORE_BODY, without reading what is packed: enough to check a row's head. */
#define STORE_NO_BODY ", s.binaries, s.json, s.sha256, NULL"
#define STORE_COLUMNS 13

/* One row of the table result, its texts borrowed from the statement's current row. */
struct row {
	int64_t seq;
	const char *id, *project, *commit, *machine;
	int64_t finished_us;
	bool dirty;
	bool usable;	/* may be a baseline: clean, with a commit, something ok */
	bool is_packed; /* else it is a document, as the first schema had them */
	const void *packed;
	size_t n_packed;
	const char *binaries; /* 64-digit ids, one blank between; of a document */
	const char *json;
	size_t n;
	const char *sha256; /* over every column but itself; of a document */
};

/* CRC-64 over the columns of the row's head. */
uint64_t row_sum(const struct row *row);

/*
 * Reads the head of the current row and checks it, where it is packed: the SHA-256 of a document
 * covers head and body.
 * Errors: ERR_CORRUPT (out->id is still filled, as far as it can be trusted); ERR_NOMEM.
 */
int row_head(struct db_query *st, struct row *out, struct err *err);

/* Head and body; what is packed is checked when it is unpacked.  Errors: as row_head(). */
int row_read(struct db_query *st, struct row *out, struct err *err);

/* The result of a row; *out is initialised by it when it succeeds.  Errors: ERR_CORRUPT ... */
int row_decode(const struct row *row, struct summary *out, struct err *err);

/* What is kept of a summary beside the head. */
struct row_parts {
	struct buf points, packed;
};

#define ROW_PARTS_INIT \
	{ \
		BUF_INIT, BUF_INIT \
	}

int row_parts_make(const struct summary *s, struct row_parts *out, struct err *err);
void row_parts_release(struct row_parts *parts);

/*
 * Whether a result that could not be read for that reason may be passed over: it is damaged, or of
 * another version.  That it was is noted.  Else, as when memory ran out, err is filled.
 */
bool store_pass_over(struct store *store, const char *id, const struct err *why, struct err *err);

/* Notes that what the store has cannot all be found.  Errors: ERR_NOMEM. */
int store_say_damaged(struct store *store, struct err *err);

void numbers_release(struct numbers *n);

/*
 * Appends the rows that are of the commit by its index, or by the table, the newest first.  One may
 * turn out to be another's.  Errors: ERR_NOMEM, ERR_IO and what is no damage; of an index that
 * cannot be read ERR_CORRUPT.
 * Cost:   the table is read once for each handle, page by page: 2 ms for 1,000 small results.
 */
int numbers_of_commit(struct store *store, const char *project, const char *commit,
		      struct numbers *out, struct err *err);

/* A walk over all rows, damaged ones too. */
struct check_walk {
	size_t n_good, n_bad;
	struct strv *faults; /* a line for each bad one; may be NULL */
	/* Gets each good one; NULL: its points are looked at. */
	int (*take)(void *ctx, struct db *db, const struct row *row, struct err *err);
	void *ctx;
};

/* Visits each row by its number.  Errors: those of take; ERR_NOMEM, and what is no damage. */
int check_walk(struct db *db, struct check_walk *walk, struct err *err);

/* Appends what is wrong with the small values.  Errors: ERR_NOMEM. */
int meta_check(struct db *db, struct strv *faults, struct err *err);
/* Those that are intact, into a store that has none; what cannot be read is left out. */
int meta_copy(struct db *from, struct db *to, struct err *err);

/* 1: nothing is wrong; 0: something is.  Errors: as check_walk(). */
int check_is_sound(struct db *db, struct err *err);

/* Whether the queue has room for n more bytes: 1 yes, 0 no, -1 failed. */
int queue_has_room(struct store *store, size_t n, struct err *err);

/* Adds an entry for the stored summary; no error when it is there already. */
int queue_add(struct store *store, const char *id, size_t n, struct err *err);

#define STORE_CURE "run `pawl fsck --repair`: it keeps the damaged file and saves what is intact"

extern const struct db_schema store_schema;

#endif
