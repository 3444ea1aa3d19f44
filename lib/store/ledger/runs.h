/*
 * runs - what histories show of the run that a point came from, kept once it was looked up.
 *
 * A run and its commit are never changed, so what is kept stays true as long as the ledger is open;
 * without it each point costs two searches more than it costs itself.
 */
#ifndef PAWL_STORE_LEDGER_RUNS_H
#define PAWL_STORE_LEDGER_RUNS_H

#include "lib/base/when.h"
#include "lib/store/ledger/local.h"

/* Of one run; texts are JSON, with their quotes. */
struct run_facts {
	int64_t project, run; /* run 0: nothing is here */
	int64_t commit, committed_us, measured_us;
	unsigned char n_sha, n_time, n_id; /* bytes of each */
	bool apart;
	char sha[68];		 /* of its commit */
	char time[WHEN_ISO + 2]; /* of its commit */
	char id[30];		 /* of the summary */
};

/*
 * *out is valid until the next call.  Errors: ERR_CORRUPT, there is no such run with a commit;
 * those of the database.  Cost: two searches, or none.
 */
int runs_find(struct ledger *l, int64_t project, int64_t run, const struct run_facts **out,
	      struct err *err);

/* Accepts NULL. */
void runs_free(struct runs *runs);

#endif
