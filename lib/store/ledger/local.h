/*
 * local - what the files of the ledger share.
 */
#ifndef PAWL_STORE_LEDGER_LOCAL_H
#define PAWL_STORE_LEDGER_LOCAL_H

#include "lib/base/jsonw.h"
#include "lib/base/strv.h"
#include "lib/store/db.h"
#include "lib/store/ledger/ledger.h"

struct recent;
struct runs;
struct known;
struct names;
struct ids;

struct ledger {
	struct db db;
	struct runs *runs;     /* see runs.h; NULL: nothing was looked up yet */
	struct known *known;   /* see known.h; likewise */
	struct names *names;   /* see names.h; likewise */
	struct ids *ids;       /* see known.h; likewise */
	struct recent *recent; /* see lib/store/points/recent.h; likewise */
	struct {
		char *name; /* NULL: none */
		int64_t id;
		uint64_t held; /* see db_held() */
	} project;	       /* the one that was asked for last within a snapshot that is held */
	struct {
		int64_t project;
		uint64_t held;
	} unhidden;	  /* the project of which nothing is hidden in the snapshot that is held */
	unsigned n_apart; /* so many batches still store each post in a savepoint */
	bool may_fold;	  /* some project may be due */
	int64_t fold_after; /* one behind this, that is */
};

extern const struct db_schema ledger_schema;

/* Errors: ERR_ABSENT. */
int ledger_find_project(struct ledger *l, const char *name, int64_t *out, struct err *err);

/*
 * The commit with this id or unique prefix (at least 4 hex digits) that has results;
 * apart 1: an untrusted one.  Errors: ERR_ABSENT, the text says why.
 */
int ledger_find_commit(struct ledger *l, int64_t project, int apart, const char *prefix,
		       int64_t *out, struct err *err);

/* The stored number of a verdict as its word, NULL for VERDICT_NONE. */
const char *ledger_verdict(int64_t number);

/*
 * Writes "parts": the runs of the commit whose suite was measured in parts, the newest first.  An
 * incomplete one lacks benchmarks, and so does one whose parts were dealt out differently.
 */
int ledger_write_parts(struct ledger *l, struct jsonw *w, int64_t project, int64_t commit,
		       struct err *err);

/* Puts the benchmarks of the run that are hidden into out, which must be empty. */
int hidden_benchmarks(struct ledger *l, int64_t project, int64_t run, struct strv *out,
		      struct err *err);

/* The runs that are hidden where one benchmark is looked at; {0} to begin with. */
struct hidden {
	struct buf runs; /* n numbers, int64_t each, in order */
	size_t n;
};

int hidden_find(struct ledger *l, int64_t project, const char *benchmark, struct hidden *out,
		struct err *err);
bool hidden_has(const struct hidden *h, int64_t run);
void hidden_release(struct hidden *h);

/* When run AS r was measured; one that says it ended later than it came: when it came. */
#define MEASURED_OF(r) \
	"CASE WHEN " r ".finished_us>0 AND " r ".finished_us<" r ".received_us THEN " r \
	".finished_us ELSE " r ".received_us END"

struct ledger_point;

/*
 * 1: another run of the commit was measured later, against the same base, and could be decided: of
 * several such the one that was measured last counts, whether it judged otherwise or not.
 * branch: of that branch, "" of none; NULL: of any.
 */
int ledger_is_superseded(struct ledger *l, const struct ledger_point *p, int64_t commit,
			 int64_t measured_us, const char *benchmark, const char *branch,
			 struct err *err);

/* Whether run AS r, or a benchmark of it, may be shown. */
#define IS_SHOWN \
	"NOT EXISTS (SELECT 1 FROM retracted AS x WHERE x.project_id=r.project_id" \
	" AND x.run_id=r.run_id AND x.benchmark='')"
#define IS_SHOWN_OF(benchmark) \
	"NOT EXISTS (SELECT 1 FROM retracted AS x WHERE x.project_id=r.project_id" \
	" AND x.run_id=r.run_id AND x.benchmark IN ('', " benchmark "))"

/* Writes "key": time or null. */
void ledger_write_time(struct jsonw *w, const char *key, int64_t us);

/* *out, NULL before: its id, for the caller to free; NULL where it is not known. */
int ledger_base(struct ledger *l, int64_t project, int64_t base, char **out, struct err *err);

#endif
