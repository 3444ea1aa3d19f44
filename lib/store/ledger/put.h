/*
 * ledger_put - finds or makes the rows that a new summary refers to.
 */
#ifndef PAWL_STORE_LEDGER_PUT_H
#define PAWL_STORE_LEDGER_PUT_H

#include "lib/store/alerts/alerts.h"
#include "lib/store/ledger/local.h"
#include "lib/store/points/sheet.h"

/* One summary on its way in. */
struct put {
	struct ledger *l;
	struct post *post;
	int64_t project, env, run;
	int64_t commit;	 /* 0: an unborn HEAD */
	int64_t t;	 /* its place among the commits */
	int64_t changed; /* see known.h */
	int64_t next_id, n_series, n_new_series;
	int64_t n_new_commits, n_new_benchmarks; /* to the counts that are kept */
	int64_t n_tail, n_tail_points;		 /* of the project, with this one */
	struct sheet_maker sheet;
	struct recent *recent; /* while it is decided which metric does */
	struct alert_batch alerts;
	bool has_looked, has_others; /* whether the commit has other runs; asked when needed */
	bool is_repair;	      /* of a run of before: what it says does not count as the newest */
	const char *stub_sha; /* the baseline looked up last: nearly always the same one */
	int64_t stub_id;
};

int put_project(struct put *put, struct err *err);
int put_env(struct put *put, struct err *err);
/* Its place, too. */
int put_commit(struct put *put, struct err *err);

/* The commit of a baseline, which may have no results here; *out 0 when sha is NULL. */
int put_commit_stub(struct put *put, const char *sha, int64_t *out, struct err *err);

/* Errors: ERR_LIMIT when the project has too many. */
int put_series(struct put *put, const struct bench *b, const struct metric *m, int64_t *out,
	       struct err *err);

int64_t put_next_id(struct put *put);

/*
 * The points and outcomes of the summary, whose run, commit, machine and place are known.
 */
int put_points(struct put *put, struct err *err);

/* Its row alone. */
int put_row(struct put *put, struct err *err);

/* Of a run that was counted before: only the numbers that were given out since. */
int put_keep_ids(struct put *put, struct err *err);

/* Writes the counters back. */
int put_close(struct put *put, struct err *err);

void put_release(struct put *put);

#endif
