/*
 * names - what a series is, kept once it was looked up: a comparison asks for thousands.
 *
 * A series is never made another one (which metric decides is not kept here), nor is the machine of
 * one, so what is kept stays true as long as the ledger is open.
 */
#ifndef PAWL_STORE_LEDGER_NAMES_H
#define PAWL_STORE_LEDGER_NAMES_H

#include "lib/store/ledger/local.h"

struct series_names {
	const char *benchmark, *machine, *metric, *unit; /* one behind the other, in this order */
	size_t n_bytes;					 /* of all four, with their ends */
	bool higher;
};

/*
 * 1: *out, valid until the next call; 0: there is no such series.
 * Errors: those of the database; ERR_NOMEM.  Cost: two searches, or none.
 */
int names_find(struct ledger *l, int64_t project, int64_t series, struct series_names *out,
	       struct err *err);

/* Accepts NULL. */
void names_free(struct names *names);

#endif
