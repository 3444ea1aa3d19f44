/*
 * move - a store of one engine as one of another.
 */
#ifndef PAWL_STORE_MOVE_MOVE_H
#define PAWL_STORE_MOVE_MOVE_H

#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

struct move_counts {
	int64_t n_rows, n_documents, n_histories, n_points;
	int64_t n_dropped; /* documents that are kept no longer */
};

/*
 * Copies all that is stored at this moment in the store `from` (see ledger_open()) to `to`, whose
 * tables are made and must be empty, in one transaction.  Then holds each document of `to` against
 * its SHA-256, and each history of `to` against that of `from`, the untrusted and all units too.
 * What comes to `from` meanwhile is not copied.  Where the copy differs it stays, to be looked at.
 *
 * Errors: those of ledger_open(); ERR_ABSENT, there is no `from`; ERR_USAGE, `to` is not empty, or
 *         they are one; ERR_NEWER, their tables differ; ERR_CORRUPT, a document or a history of
 *         `to` is not that of `from`, which says which; those of reading and writing.
 * Cost:   reads all of `from` and of `to`.
 */
int ledger_move(const char *from, const char *to, struct move_counts *out, struct err *err);

#endif
