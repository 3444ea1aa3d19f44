/*
 * store_local - what the files of the local store share: the handle and a row.
 */
#ifndef PAWL_STORE_LOCAL_LOCAL_H
#define PAWL_STORE_LOCAL_LOCAL_H

#include "lib/base/digest.h"
#include "lib/store/db.h"
#include "lib/store/local/store.h"

struct store {
	struct db db;
};

/* The columns that row_read() expects, in its order. */
#define STORE_ROW_COLUMNS \
	"s.id, s.project, s.commit_id, s.machine, s.finished_us, s.dirty, s.usable, " \
	"s.binaries, s.json, s.sha256"

/* One row of the table summary, its texts borrowed from the statement's current row. */
struct row {
	const char *id, *project, *commit, *machine;
	int64_t finished_us;
	bool dirty;
	bool usable;	      /* may be a baseline: clean, with a commit, something ok */
	const char *binaries; /* 64-digit ids, one blank between */
	const char *json;
	size_t n;
	const char *sha256;
};

/* SHA-256 over every column of the row but sha256 itself. */
int row_digest(const struct row *row, char out[DIGEST_HEX], struct err *err);

/*
 * Reads the current row and holds its SHA-256 against its content.
 * Errors: ERR_CORRUPT (out->id is still filled, as far as it can be trusted).
 */
int row_read(struct sqlite3_stmt *st, struct row *out, struct err *err);

/* As row_read, and decodes the document; *out is initialised by it when it succeeds. */
int row_decode(struct sqlite3_stmt *st, struct summary *out, struct err *err);

/* Whether the queue has room for n more bytes: 1 yes, 0 no, -1 failed. */
int queue_has_room(struct store *store, size_t n, struct err *err);

/* Adds an entry for the stored summary; no error when it is there already. */
int queue_add(struct store *store, const char *id, size_t n, struct err *err);

#define STORE_CURE "run `pawl fsck --repair`: it keeps the damaged file and saves what is intact"

extern const struct db_schema store_schema;

#endif
