/*
 * trend - one benchmark over the commits of a line: which of them moved it, and how sure that is.
 *
 * Three answers of different weight.  A *step* is the delta of a commit against an earlier one,
 * measured side by side: all steps shown are judged together (Benjamini-Hochberg), and one that
 * stands names its commit.  *Advice* is a change point in the levels that each commit was stored
 * with; machines drift between sessions, so it names nothing for sure.  *Creep* is the sum of the
 * steps since the last tag: too small one by one, and yet a change.
 *
 * Pure: from points to findings, no I/O.
 */
#ifndef PAWL_REPORTER_TREND_TREND_H
#define PAWL_REPORTER_TREND_TREND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/judge/points.h"
#include "lib/record/summary.h"
#include "lib/stats/series/creep.h"
#include "lib/stats/verdict.h"

/* No place on the line: the commit is not on it. */
#define TREND_NOWHERE SIZE_MAX

enum trend_how {
	TREND_NO_STEP,
	TREND_PAIRED,	 /* ran side by side with its base */
	TREND_IDENTICAL, /* the same machine code as its base: 0, with certainty */
};

/* The result of one commit; owns its texts and d. */
struct trend_point {
	char *commit;	 /* hex */
	char *subject;	 /* the bytes of its message; may be NULL */
	int64_t time_us; /* of the commit */
	size_t place;	 /* on the line: the next commit has one more */

	bool failed; /* it was tried and gave nothing */
	double level, low,
		high; /* Hodges-Lehmann with its 95 % interval, unit of the metric; NaN */
	size_t n_runs;
	uint64_t iterations;
	char *procs;		/* GOMAXPROCS; NULL: not known */
	struct machine machine; /* only what series_break() reads */
	bool has_location;
	double location; /* log scale, anchors taken off: series_session() */

	enum trend_how how;
	char *base;		/* commit of the step's other end; NULL without a step */
	size_t base_place;	/* TREND_NOWHERE: not on the line */
	double *d;		/* log-ratios of the pairs, positive is worse */
	bool by_difference;	/* d are differences in the unit of the metric instead */
	double base_size;	/* mean size of the base's values; only then */
	const double *layouts;	/* of the pairs: a part of d's memory, or NULL */
	struct widening shared; /* by which what d is judged to be is widened */
	size_t n_pairs;		/* 0 unless TREND_PAIRED */
	size_t n_points;	/* decision points that were planned */
	bool many_void;		/* too many pairs failed to judge */
	enum verdict reported;	/* what its own report said, of all its benchmarks together */
	bool suspect;		/* so it stood out against stored samples */
	char *accepted;		/* why somebody accepted the change; NULL: nobody did */

	bool is_judged; /* by the threshold of the trend, when the result was stored: d is NULL */

	/* filled by trend_judge() */
	struct judgement judged; /* when has_step and TREND_PAIRED */
	double se;		 /* of judged.theta; NaN when it cannot be told */
	enum verdict verdict;	 /* of the step among all shown */
	const char *begins;	 /* what made a new series begin here; NULL: nothing; static */
	double chained;		 /* level that the steps lead back to from the newest one; NaN */
};

/* A change point of the stored levels: where to look, not what happened. */
struct trend_advice {
	size_t at;    /* index of the first point of the new level */
	double ratio; /* after / before */
	double p;     /* Student's */
	size_t step; /* index of a moved step within two points, which explains it; else SIZE_MAX */
};

struct trend_creep {
	char *tag;	   /* name of the last tag; NULL: there is none, and nothing was summed */
	char *from;	   /* commit that the sum starts at: the tag's, or the last one measured */
	bool is_before;	   /* that one lies before the tag's, which no step starts at */
	char *broken;	   /* commit whose step is missing: nothing was summed; NULL */
	bool has_no_ratio; /* it is there, as a difference */
	struct creep sum;  /* without the accepted steps; positive is worse */
	size_t n_accepted, n_named; /* steps accepted, and steps that moved by themselves */
	double accepted;  /* what the accepted ones sum up to; log scale, positive is worse */
	size_t n_commits; /* from `from` to the newest step */
};

/* Owns everything. */
struct trend {
	char *project, *benchmark, *metric, *unit, *machine;
	enum better better;
	double threshold;	    /* ratio */
	struct trend_point *points; /* oldest first */
	size_t n, cap;
	size_t first;		   /* index of the oldest one shown; those before serve the creep */
	size_t n_line;		   /* commits of the line from the first shown to its end */
	size_t n_dirty, n_damaged; /* results left out */
	struct trend_advice *advice; /* oldest first; only of what is shown */
	size_t n_advice;
	size_t n_tests; /* paired steps shown */
	size_t n_moved; /* of these regressed or improved */
	struct trend_creep creep;
};

void trend_init(struct trend *t);
void trend_release(struct trend *t);
void trend_point_release(struct trend_point *p);

/* Where a commit lies on the line, or TREND_NOWHERE. */
typedef size_t trend_place_fn(const void *ctx, const char *commit);

/*
 * Makes a point of a trend from one that was kept, or worked out: its d is taken over.  Without
 * samples or a step it has none.  The accepted change is the summary's own; a caller may set
 * another.
 *
 * A step counts when both sides ran side by side or were the same code, and its base lies on the
 * line before it.
 *
 * Errors: ERR_NOMEM; *out is then empty.
 */
int trend_point_from(const struct points_frame *frame, struct point *from, trend_place_fn *place_of,
		     const void *ctx, struct trend_point *out, struct err *err);

/* Takes over *p and leaves it empty.  Points may come in any order.  Errors: ERR_NOMEM. */
int trend_add(struct trend *t, struct trend_point *p, struct err *err);

/* Sorts the points by place; trend_judge() expects it. */
void trend_sort(struct trend *t);

/*
 * Judges the steps of points[first..n), looks for change points, fills all that the fields above
 * say is filled by it.
 *
 * Errors: ERR_RANGE for a threshold or a d that is no number; ERR_NOMEM.
 * Cost:   that of judge_pairs() for each step, of changepoint_find() for each series.
 */
int trend_judge(struct trend *t, struct err *err);

/*
 * Sums the steps from the newest one back to the tag, along their bases, and fills t->creep.
 * After trend_judge().  tag_place is the tag's place on the line.  Without a step at all nothing
 * is summed and creep.tag stays NULL.
 *
 * Errors: ERR_NOMEM, ERR_RANGE.
 */
int trend_creep(struct trend *t, const char *tag, size_t tag_place, struct err *err);

/* The step as a delta in the metric's own direction; its numbers are NaN without a step. */
void trend_delta(const struct trend *t, const struct trend_point *p, struct delta *out);

/* Commits that the step may be due to: 1 names the commit; 0 without a step. */
size_t trend_span(const struct trend_point *p);

/* Of a point with a step: whether the trend has others between its two commits.  Cost: O(n). */
bool trend_has_between(const struct trend *t, const struct trend_point *p);

/* Whether the point belongs into the list of what moved the benchmark, or needs a word. */
bool trend_is_notable(const struct trend_point *p);

/*
 * The exit status: 1 when a step shown regressed and was not accepted; with strict, 3 when
 * the creep is flagged or advice is left unexplained; else 0.
 */
int trend_exit(const struct trend *t, bool strict);

#endif
