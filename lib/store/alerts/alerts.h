/*
 * alerts - what got worse and is not settled yet: opened by results, in their own transaction, and
 * closed by results, by their retraction, or by a person.
 *
 * A change is said once: while it is open or accepted, further results that show the same one
 * change nothing.  That is one of the same series on the same branch, at the same commit or against
 * the same base; not one that lies wholly beyond it: that is another alert, or, where its own
 * commit is measured again while it is open, its new figure.  A commit that comes to another branch
 * is an alert there, too, which those hear of who hear of that branch alone.
 */
#ifndef PAWL_STORE_ALERTS_ALERTS_H
#define PAWL_STORE_ALERTS_ALERTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/base/jsonw.h"
#include "lib/record/summary.h"
#include "lib/store/db.h"

/* Stored as these numbers. */
enum alert_kind {
	ALERT_VERDICT = 1,
	ALERT_CHANGE_POINT = 2,
	ALERT_CREEP = 3, /* from its base to its commit */
	ALERT_KINDS
};

/* As JSON has it: "verdict", "change-point", "creep". */
const char *alert_kind_name(int64_t kind);

enum alert_state {
	ALERT_OPEN = 1,
	ALERT_ACCEPTED = 2,
	ALERT_RESOLVED = 3,
	ALERT_GONE = 4, /* its branch has no results any more: see quiet.h */
	ALERT_STATES
};

/* "open", "accepted", "resolved", "gone"; NULL for any other number. */
const char *alert_state_name(int64_t state);

/* What the document of a result says of a benchmark. */
struct alert_said {
	double threshold; /* as of an alert_point; 0: not known */
	char *accepted;	  /* likewise; for the caller to free */
};

/* Within one transaction of the caller's. */
struct alert_batch {
	struct db *db;
	int64_t project;
	int64_t *next_id;   /* the project's; the caller writes it back */
	const char *branch; /* of the result; NULL: none */
	int64_t now_us;
	bool is_silent;	       /* no message is made */
	bool looked, has_open; /* whether the project has an open one; asked when needed */
	int64_t newest_of;     /* of which run it is known: */
	bool is_newest;	       /* no other result of the branch is of its commit, or behind it */
	bool has_targets;      /* they are read */
	struct buf targets, messages;
	struct buf freed; /* alerts that their own commit closed or opened again: revisit.h */
	/* For retractions; NULL: nothing is known of documents.  *out is zeroed before. */
	int (*read_said)(void *ctx, int64_t run, int64_t series, struct alert_said *out,
			 struct err *err);
	void *ctx;
};

void alert_batch_release(struct alert_batch *b); /* accepts a zeroed one */

/* A judged figure of a result: trusted, of a clean tree, the gated metric's, not merely suspect. */
struct alert_point {
	int64_t series, run, commit, t;
	int64_t base; /* 0: none */
	bool higher;  /* more is better */
	enum verdict verdict;
	bool can_open;		 /* it has an interval of its own: a regression of it is an alert */
	double ratio, low, high; /* head / base; NaN: none */
	bool has_value;		 /* it has what was measured, in the metric's unit: */
	double v, v_low, v_high;
	bool has_before; /* it has no ratio, but what the base's is: */
	double before;
	double threshold;     /* ratio: the smallest change that counts */
	const char *accepted; /* because of what it was accepted; NULL: it was not */
};

/*
 * What the figure opens and closes.  One of a step at its commit becomes one of a verdict where it
 * regressed, and is resolved where it did not; so does a creep, where its base was measured
 * again, not at its commit alone.  Any other open alert is resolved by
 *  - a later run of the same commit against the same base that says anything else;
 *  - a later commit of the branch that is no worse than the base of the change;
 *  - one that improved, measured side by side, where its level is within the threshold of the base
 *    of the change, along one chain of bases (chain.h), or but for a tenth of the change where the
 *    intervals of that chain do not show that it is more.
 * One that results that are here close already is made closed, and nobody is told.  One that a
 * result resolved is open again where another one that comes late takes that back.
 */
int alerts_point(struct alert_batch *b, const struct alert_point *p, struct err *err);

/*
 * The branch of the batch has a figure again: what is gone there, of the series, is open again,
 * unless the figure resolves it as it would an open one, is of an older commit, or of a result that
 * was retracted.  The threshold is not asked: an improvement must leave nothing of the change.
 * Steps are left to alerts_steps().
 */
int alerts_return(struct alert_batch *b, const struct alert_point *p, struct err *err);

/*
 * What the commit of a result accepts closes the open alerts of its branch, of any machine, that
 * are about it: of a benchmark that an entry names, at the commit that it names or, measured
 * against an earlier base, behind that one, no larger than all such entries allow.
 * Cost: nothing without an open alert; a row for each, and up to 256 rows of commits for all
 * that entries name, the newest alerts first.
 */
int alerts_accept(struct alert_batch *b, const struct summary *s, int64_t run, struct err *err);

/*
 * A result, or a benchmark of it (NULL: all), is hidden or shown again: what it opened is resolved,
 * unless another result shows it, too, and becomes again what it was.  What it closed is open
 * again, unless another result closes it, too; and what it hid of the same commit opens its alert.
 */
int alerts_retract(struct alert_batch *b, int64_t run, const char *benchmark, bool is_restored,
		   struct err *err);

/* What a person says of an alert.  A text of NULL stays as it was; an empty one is removed. */
struct alert_change {
	const char *project;
	int64_t alert;
	enum alert_state state; /* 0: as it was */
	const char *owner, *note;
	const char *who; /* for the log */
};

/*
 * In a transaction of its own, logged where anything changed.  Opening a closed one says it again.
 * Errors: ERR_ABSENT, ERR_RANGE (a text of more than 1,000 bytes, or with a line break).
 */
int alerts_change(struct db *db, const struct alert_change *c, bool *out_changed, struct err *err);

struct alert_query {
	const char *project;
	enum alert_state state; /* 0: any */
	int64_t alert;		/* only that one; 0: any */
	const char *benchmark;	/* NULL: any */
	int64_t before;		/* only those with a lower number; 0: any */
	size_t limit;
};

/* What was written of a list, and what is left of it. */
struct alert_rows {
	size_t n;
	int64_t last; /* the number of the last one; for `before` */
	bool more;    /* there are older ones */
};

/*
 * Those of a project by its number, the newest first, into an array that is open.  *out is true
 * after a failure, too.
 */
int alerts_rows(struct db *db, int64_t project, const struct alert_query *q, struct jsonw *w,
		struct alert_rows *out, struct err *err);

/*
 * A project's alerts as JSON, the newest first: {"project", "alerts": [...]}.
 * Errors: ERR_ABSENT: no such project.
 */
int alerts_list(struct db *db, const struct alert_query *q, struct buf *out, struct err *err);

/*
 * Rows of alerts and messages whose series, alert or target is not there any more; a line each in
 * report.  name: the project's, for them.
 */
int alerts_check(struct db *db, int64_t project, const char *name, struct buf *report,
		 int64_t *out_lost, struct err *err);

#endif
