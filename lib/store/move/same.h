/*
 * same - whether one store holds what another does.
 */
#ifndef PAWL_STORE_MOVE_SAME_H
#define PAWL_STORE_MOVE_SAME_H

#include "lib/store/ledger/ledger.h"
#include "lib/store/move/move.h"

/*
 * Holds each document of `copy` against its SHA-256, and each history of it against that of `of`.
 * Counts them in *out.
 * Errors: ERR_CORRUPT, naming the first that differs; those of reading.
 */
int same_check(struct ledger *of, struct ledger *copy, struct move_counts *out, struct err *err);

#endif
