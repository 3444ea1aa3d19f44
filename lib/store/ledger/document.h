/*
 * document - the documents as they were posted.
 */
#ifndef PAWL_STORE_LEDGER_DOCUMENT_H
#define PAWL_STORE_LEDGER_DOCUMENT_H

#include "lib/store/ledger/local.h"

/*
 * Puts the plain document of a run into out, which must be empty.
 * Errors: ERR_ABSENT; ERR_CORRUPT, its SHA-256 does not fit.
 */
int ledger_document(struct ledger *l, int64_t project, int64_t run, struct buf *out,
		    struct err *err);

/*
 * The same of a run that may have lost its row: nobody can say whether it is what was posted.
 * Errors: ERR_ABSENT; ERR_CORRUPT, its frame is broken.
 */
int ledger_document_bare(struct ledger *l, int64_t project, int64_t run, struct buf *out,
			 struct err *err);

/* Whether the fault is the document's own: what it said will not be known later either. */
bool ledger_document_is_lost(const struct err *fault);

/* Whether it is absent since it was to be, see lib/store/archive: 0, 1; -1. */
int ledger_document_is_dropped(struct ledger *l, int64_t project, int64_t run, struct err *err);

#endif
