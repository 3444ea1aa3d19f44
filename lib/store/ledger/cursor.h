/*
 * cursor - where the next page of a list begins, as a word that means nothing to who carries it.
 *
 * It fits the question that it was given for and no other: a scope is the CRC of all that chooses
 * and orders the rows.  It names rows, not counts of them, so it stays true while others come.
 */
#ifndef PAWL_STORE_LEDGER_CURSOR_H
#define PAWL_STORE_LEDGER_CURSOR_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/store/ledger/ledger.h"

#define CURSOR_PARTS 4

/* Of words[0..n), each of which may be NULL. */
uint64_t cursor_scope(const char *const *words, size_t n);

/* n <= CURSOR_PARTS numbers as a word of digits and letters. */
void cursor_write(uint64_t scope, const int64_t *parts, size_t n, char out[LEDGER_CURSOR]);

/* Errors: ERR_RANGE, it was not written for that scope with n parts; parts are then untouched. */
int cursor_read(const char *text, uint64_t scope, int64_t *parts, size_t n, struct err *err);

#endif
