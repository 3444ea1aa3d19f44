/*
 * bisect - which commit moved a benchmark, found by comparisons that are noisy.
 *
 * GOOD..BAD is measured first: the whole change E.  Every commit is then held against GOOD.  It is
 * bad when its interval lies wholly beyond E/2, good when wholly below, by few pairs mostly; else
 * it is measured again with more, and when that does not decide either, it is gone round like one
 * that does not build.  What is left at the end is one commit, held against its parent to confirm
 * it, or a range.
 *
 * Why the half: where one commit made the change, every other commit lies at 0 or at E, and the
 * half is the point farthest from both.  Where several steps add up, the commit that carries the
 * sum past the half is found.  It is named as the cause only when, against its parent, its interval
 * lies wholly beyond the half again; else the answer is the range that holds all of the change.
 *
 * A branch that was forked before GOOD lacks what GOOD has: its commits are never compared with
 * GOOD.  Where the merge of one is left, that side is searched from the commit where it began.
 *
 * A metric that is 0 at an end has no ratio: then E, and all that is compared with its half, is the
 * difference in the metric's unit.
 *
 * Errors of the chain: a bisection of n commits takes about m = ceil(log2 n) + 1 decisions, each
 * in at most four comparisons.  Only one end of an interval can put a commit on the wrong side, so
 * intervals at 1 - 0.1 / (4 m) hold the chance of any wrong decision below 5 %, for commits however
 * close to the half.  Commits at 0 or E lie far from it: wrong ones are rarer by orders of
 * magnitude (tests/unit/collector/bisect/test_collector_bisect_simulation.c counts them).
 *
 * Source: A. Zeller, "Yesterday, my program worked. Today, it does not. Why?", ESEC/FSE 1999
 *         (a cause by halving); C. E. Bonferroni (1936) (the levels).
 */
#ifndef PAWL_COLLECTOR_BISECT_BISECT_H
#define PAWL_COLLECTOR_BISECT_BISECT_H

#include <stdbool.h>
#include <stddef.h>

#include "collector/bisect/log.h"
#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/git/repo.h"

#define BISECT_UNCLEAR_MAX 6 /* of one range: more measuring would not narrow it */

enum bisect_mark { BISECT_GOOD, BISECT_BAD, BISECT_SKIP, BISECT_UNCLEAR };

enum bisect_kind {
	BISECT_WHOLE,	/* GOOD..BAD */
	BISECT_CUT,	/* GOOD..commit */
	BISECT_CONFIRM, /* parent..commit */
	BISECT_STEP	/* the same, of each commit: steps.h */
};

/* One decision. */
struct bisect_step {
	enum bisect_kind kind;
	const char *base, *commit;
	enum bisect_mark mark; /* WHOLE, CONFIRM: BAD shown, GOOD not shown, SKIP, UNCLEAR */
	const struct bisect_evidence *evidence; /* of the last look */
	bool by_difference;			/* head - base, else ln(head / base) */
	double low, high;			/* its interval at the chain's level */
	double confidence;			/* which is that */
	bool before;				/* nothing had to be measured for it */
	bool same_code;				/* decided by a commit with the same code */
	size_t n_left; /* commits that may be the first bad one, this one included if so */
};

struct bisect_request {
	const char *good, *bad; /* whole ids; good is an ancestor of bad */
	void *ctx;		/* given to all functions */

	/*
	 * Compares two commits with that effort, 0 to BISECT_EFFORTS - 1, and fills *out
	 * (initialised by the caller).  What does not build is no error.
	 */
	int (*measure)(void *ctx, const char *base, const char *head, int effort,
		       struct bisect_evidence *out, struct err *err);
	/* As walk_bisect(). */
	int (*cuts)(void *ctx, const struct strv *good, const char *bad, bool on_path,
		    struct strv *out, struct err *err);
	/* As merge_sides(); bisect_steps() does not call it. */
	int (*sides)(void *ctx, const char *from, const char *commit, char out_parent[OID_TEXT],
		     struct strv *out_sides, struct err *err);
	/* As repo_first_parent(); bisect_steps() alone calls it. */
	int (*parent)(void *ctx, const char *commit, char out[OID_TEXT], struct err *err);
	/* After every new measurement: it is in the log.  May be NULL. */
	int (*keep)(void *ctx, const struct bisect_log *log, struct err *err);
	/* After every decision.  May be NULL. */
	void (*tell)(void *ctx, const struct bisect_step *step);
};

enum bisect_outcome {
	BISECT_FOUND,
	BISECT_RANGE,	     /* the change lies in suspects */
	BISECT_NO_CHANGE,    /* none between GOOD and BAD */
	BISECT_INCONCLUSIVE, /* whether there is one could not be told */
	BISECT_NOTHING,	     /* GOOD or BAD cannot be measured */
	BISECT_UNFINISHED    /* out of time: call again with the same log */
};

struct bisect_answer {
	enum bisect_outcome outcome;
	char commit[OID_TEXT]; /* FOUND: that one; RANGE: what carries it past the half, or "" */
	char parent[OID_TEXT]; /* the parent that goes on from GOOD, or from where a side began */
	const struct bisect_evidence *whole; /* in the log; NULL: not measured */
	const struct bisect_evidence *delta; /* parent..commit, in the log; may be NULL */
	bool by_difference;		     /* what was looked at of both, else the ratio */
	double low, high, confidence;	     /* of delta at the chain's level */
	struct strv suspects;		     /* which commits it may be, in git's order of cuts */
	size_t n_skipped, n_unclear;	     /* of these */
	size_t n_commits;		     /* between GOOD and BAD at the start */
	size_t n_steps, n_comparisons;	     /* decisions; comparisons that they took */
	size_t n_before;		     /* of these, found in the log */
	const char *why;		     /* static or in the log; may be NULL */
};

#define BISECT_ANSWER_INIT \
	{ \
		BISECT_UNFINISHED, "", "", NULL, NULL, false, (double)NAN, (double)NAN, 0, \
			STRV_INIT, 0, 0, 0, 0, 0, 0, NULL \
	}

void bisect_answer_release(struct bisect_answer *a);

/*
 * Bisects.  Every comparison is looked up in the log first and added to it, so that the same call
 * after a kill goes on where it ended.  *out points into the log.
 *
 * Errors: those of the request's functions; ERR_NOMEM.
 * Cost:   about log2(n) + 2 comparisons where every one decides.
 */
int bisect(const struct bisect_request *rq, struct bisect_log *log, struct bisect_answer *out,
	   struct err *err);

#endif
