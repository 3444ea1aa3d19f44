/*
 * ledger_cost - what questions cost: steps of SQLite's machine, which depend on no clock.
 */
#ifndef PAWL_TESTS_UNIT_STORE_LEDGER_COST_H
#define PAWL_TESTS_UNIT_STORE_LEDGER_COST_H

#include "tests/unit/lib/store/ledger/ledger_fixture.h"

#include "lib/store/ledger/local.h"

/* Steps of all statements since the last call. */
static inline int64_t steps(struct ledger *l)
{
	sqlite3_stmt *st = NULL;
	int64_t n = 0;

	while ((st = sqlite3_next_stmt(l->db.handle, st)))
		n += sqlite3_stmt_status(st, SQLITE_STMTSTATUS_VM_STEP, 1);
	return n;
}

/* A commit of its own for each. */
static inline void post_many(struct place *p, unsigned from, unsigned n)
{
	char sha[41];
	unsigned i;

	for (i = from; i < from + n; i++) {
		snprintf(sha, sizeof(sha), "%040x", 0xabc000 + i);
		assert_int_equal(post_plain(p->writer, i, sha, false), POST_CREATED);
	}
}

#endif
