/*
 * put - finds or makes the rows that a new summary refers to.
 */
#ifndef PAWL_STORE_LEDGER_PUT_H
#define PAWL_STORE_LEDGER_PUT_H

#include "lib/digest/digest.h"
#include "lib/store/alerts/alerts.h"
#include "lib/store/ledger/local.h"
#include "lib/store/points/sheet.h"

/* A project: the numbers of the next rows, and counts; [1] is of what is untrusted. */
struct tally_project {
	char *name;
	int64_t project, next_id, n_series[2];
	int64_t n_tail, n_tail_points;
	int64_t changed;				  /* see known.h */
	int64_t new_runs[2], new_commits, new_benchmarks; /* to the counts that are kept */
	bool has_looked, has_open;			  /* see struct alert_batch */
	bool is_changed;
	struct db_query *asked; /* its row, which is still to come; project is then as remembered */
};

/* Those of one batch, all in its transaction; {0} to begin with. */
struct tally {
	struct tally_project *all;
	size_t n, cap;
};

/* Asks for a project ahead, unless it is there. */
int tally_ask(struct ledger *l, struct tally *t, const char *name, struct err *err);

/* The number of a project that was asked for, as far as it is known; 0: not yet, or there is none.
 */
int64_t tally_project_id(const struct tally *t, const char *name);

/* The answers to all that was asked. */
int tally_take(struct ledger *l, struct tally *t, struct err *err);

/* Writes what put_close() has told it. */
int tally_write(struct ledger *l, const struct tally *t, struct err *err);
void tally_release(struct tally *t);

/* What is there of a summary before it is stored; 0 and "" where nothing is. */
struct put_ahead {
	char sha256[DIGEST_HEX]; /* of the one with its id */
	int64_t env;
	bool same_facts;
	int64_t commit, place;		   /* INT64_MIN: without results of its own */
	int64_t base;			   /* the commit of its baseline */
	int64_t parent_place, child_place; /* INT64_MIN, INT64_MAX: none */
};

/* One summary on its way in. */
struct put {
	struct ledger *l;
	struct post *post;
	struct tally *tally; /* NULL: a repair, which is not counted */
	struct tally_project counts;
	struct put_ahead ahead; /* as it was when put_look() looked */
	bool has_ahead;
	int64_t project, env, run;
	int64_t commit;	 /* 0: an unborn HEAD */
	int64_t t;	 /* its place among the commits */
	int64_t changed; /* see known.h */
	int64_t next_id, n_series, n_new_series;
	int64_t n_new_commits, n_new_benchmarks; /* to the counts that are kept */
	struct sheet_maker sheet;
	struct recent *recent; /* while it is decided which metric does */
	struct alert_batch alerts;
	bool has_looked, has_others; /* whether the commit has other runs; asked when needed */
	bool is_repair;	      /* of a run of before: what it says does not count as the newest */
	const char *stub_sha; /* the baseline looked up last: nearly always the same one */
	int64_t stub_id;
};

int put_project(struct put *put, struct err *err);

/* Appends the facts of its machine, as they are stored. */
void put_facts(const struct machine *m, struct buf *out);

/* Asks for all of put->ahead at once; facts: as of put_facts(). */
int put_look(struct put *put, const char *facts, struct err *err);

/* What was there of each of some posts, before any of them was stored. */
#define LOOKS_MOST 128
struct put_looks {
	struct post **posts;
	size_t n;
	struct put_ahead found[LOOKS_MOST];
	bool is_there[LOOKS_MOST]; /* its project was */
	struct db_query *sent[LOOKS_MOST];
	int64_t project[LOOKS_MOST]; /* of which was asked; 0: not asked */
};

/* Asks for n posts, up to LOOKS_MOST, at once; of a transaction that is begun ahead, too. */
int looks_take(struct put_looks *k, struct ledger *l, struct tally *t, struct post **posts,
	       size_t n, struct err *err);

/* Asks for the parents of a merge but its first: put->ahead.parent_place is that of the last. */
int put_look_sides(struct put *put, struct err *err);

/* Whether that is so still of number i, now that those before it are stored. */
bool looks_hold(const struct put_looks *k, size_t i);

/* Looks, unless that was done, and then finds or makes its machine.  1: a summary of its id is
 * there, and nothing is made. */
int put_env(struct put *put, struct err *err);

/* Its place, too. */
int put_commit(struct put *put, struct err *err);

/* The parents of its commit but the first, for who comes later. */
int put_sides(struct put *put, struct err *err);

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

/* The alerts that a point of it opens and closes; p->verdict: as it counts. */
int put_alerts(struct put *put, const struct bench *b, const struct metric *m,
	       const struct ledger_point *p, struct err *err);

/* The alerts that its commit accepts; its own are there. */
int put_accepted(struct put *put, struct err *err);

/* Its row alone. */
int put_row(struct put *put, struct err *err);

/*
 * Of a run that was counted before, and was made again: the numbers that were given out since, and
 * an entry of the log, by which who has kept something of the project sees that it holds no more.
 */
int put_mended(struct put *put, struct err *err);

/* Tells the tally; the summary is stored.  Errors: ERR_NOMEM. */
int put_close(struct put *put, struct err *err);

void put_release(struct put *put);

#endif
