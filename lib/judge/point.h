/*
 * point - what a history needs of one benchmark of a result: its level, and the step that led
 * there.
 *
 * It is worked out once, when the result is stored (points.h), or from the result when another
 * metric or threshold is asked for.
 */
#ifndef PAWL_JUDGE_POINT_H
#define PAWL_JUDGE_POINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/record/summary.h"
#include "lib/stats/verdict.h"

enum point_step {
	POINT_NO_STEP,
	POINT_PAIRED,	 /* ran side by side with its base */
	POINT_IDENTICAL, /* the same machine code as its base: 0, with certainty */
	POINT_STEP_N
};

/* Its texts belong to what it was made of. */
struct point {
	const char *benchmark;
	const char *metric, *unit; /* NULL: the benchmark has no samples of it */
	bool has_others;	   /* samples of another metric */
	enum better better;
	double threshold; /* ratio */
	bool absent;	  /* it was skipped, or the head does not have it */
	bool failed;	  /* it was tried and gave nothing */
	uint64_t iterations;
	const char *procs;     /* GOMAXPROCS of a Go benchmark, "1" where it says none; else NULL */
	enum verdict reported; /* what its own report said, of all its benchmarks together */
	bool suspect;	       /* so it stood out against stored samples */
	const char *accepted;  /* why somebody accepted the change; NULL: nobody did */

	double level, low, high; /* Hodges-Lehmann with its 95 % interval; NaN */
	size_t n_runs;
	bool has_location;
	double location; /* log scale, anchors taken off: series_session() */

	enum point_step step;
	const char *base; /* commit of the step's other end; NULL without a step */
	size_t n_pairs;	  /* 0 unless POINT_PAIRED */
	size_t n_points;  /* decision points that were planned */
	bool many_void;	  /* too many pairs failed to judge */
	bool by_difference;
	double base_size;	 /* mean size of the base's values; only then */
	double *d;		 /* see pair_changes_of(); NULL once it is judged; free() it */
	const double *layouts;	 /* see pair_changes: a part of d's memory, or NULL */
	struct widening shared;	 /* by which what d is judged to be is widened */
	struct judgement judged; /* by threshold; only of what points.h has kept */
};

/*
 * The point of that metric; metric NULL: of none.  Errors: ERR_NOMEM; *out then owns nothing.
 * Cost: that of two signed_rank().
 */
int point_of(const struct summary *s, const struct bench *b, const char *metric, struct point *out,
	     struct err *err);

#endif
