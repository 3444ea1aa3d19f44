/*
 * beside - the base that was run again beside a head: other figures than those that are stored for
 * it, and those that the recorded change is of.
 */
#ifndef PAWL_STORE_COMPARE_BESIDE_H
#define PAWL_STORE_COMPARE_BESIDE_H

#include "lib/store/compare/side.h"

/*
 * Fills in the base of each cell of head whose change was recorded against the base that is asked
 * for, by running that again: the median of its samples in the document; where that is not kept, or
 * has none, what the change leads back to.  Within one transaction.
 * Errors: ERR_NOMEM, those of the database.
 * Cost:   a document for each run that has such cells.
 */
int beside_read(struct ledger *l, int64_t project, struct ledger_side *head, struct err *err);

#endif
