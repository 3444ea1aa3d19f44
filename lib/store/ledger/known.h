/*
 * known - the series that a writer has met: a document of 24 benchmarks looks up a hundred.
 *
 * A series is never removed nor made another one, so what is kept stays true; all of it is
 * forgotten when a transaction is taken back, since some may have been made in it.
 *
 * Beside them the numbers of projects: what a project had when it was last read.  Whoever uses one
 * reads the project, too, and asks again where it is another one.
 */
#ifndef PAWL_STORE_LEDGER_KNOWN_H
#define PAWL_STORE_LEDGER_KNOWN_H

#include "lib/store/ledger/local.h"

/* What a series is found by. */
struct series_key {
	int64_t project, env;
	int64_t changed; /* the last retraction: it may have changed which metric decides */
	bool apart, higher;
	const char *benchmark, *metric, *unit;
};

struct series_known {
	int64_t id;
	bool gate;
	char *key; /* NULL: nothing is here */
	size_t n;
};

/*
 * The place of the series; *out_there: it is there.  NULL without memory, which costs time only.
 */
struct series_known *known_find(struct ledger *l, const struct series_key *key, bool *out_there);

/* It is that one; what was there goes. */
void known_keep(struct series_known *slot, const struct series_key *key, int64_t id, bool gate);

void known_forget(struct ledger *l);

/* Accepts NULL. */
void known_free(struct known *known);

/* 0: not known. */
int64_t ids_find(const struct ledger *l, const char *project);

/* Without memory it is not kept, which costs time only. */
void ids_keep(struct ledger *l, const char *project, int64_t id);

/* Accepts NULL. */
void ids_free(struct ids *ids);

#endif
