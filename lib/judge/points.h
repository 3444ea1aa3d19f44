/*
 * points - the points of all benchmarks of a result as bytes, kept beside it: a history reads these
 * and not a single sample.
 *
 * They hold figures that lib/stats worked out, so that they are void when its rule changes: what
 * another rule made is refused, and the caller works it out from the result.
 */
#ifndef PAWL_JUDGE_POINTS_H
#define PAWL_JUDGE_POINTS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/judge/point.h"
#include "lib/judge/series.h"
#include "lib/record/packed/texts.h"
#include "lib/record/summary.h"

/*
 * To be raised whenever point_of() or judge_pairs() gives another figure for the same samples; the
 * constants of verdict.h are seen by themselves.  test_judge_points.c fails when it was forgotten.
 */
#define POINTS_RULE 9

/* What all points of a result have in common; texts may be NULL. */
struct points_frame {
	const char *commit, *subject;
	int64_t time_us;	 /* of the commit */
	bool measured_identical; /* nothing of it is a point */
	const char *kernel, *governor;
	const char *facts[SERIES_FACTS]; /* those of series.h, in their order */
};

/* The frame of a result; its texts are those of s. */
struct points_frame points_frame_of(const struct summary *s);

/* Appends the points of the gates.  Errors: ERR_NOMEM.  Cost: of each, point_of() and
 * judge_pairs(). */
int points_pack(const struct summary *s, struct buf *out, struct err *err);

/* Points that were opened.  They refer to the bytes. */
struct points {
	struct texts texts;
	struct points_frame frame;
	const unsigned char *p, *end; /* before the next one */
	size_t left;
};

#define POINTS_INIT \
	{ \
		.texts = TEXTS_INIT \
	}

void points_release(struct points *p);

/*
 * Opens bytes[0..n).
 * Errors: ERR_CORRUPT; ERR_NEWER they are of another rule, or none were made; ERR_NOMEM.
 */
int points_open(const void *bytes, size_t n, struct points *out, struct err *err);

/*
 * The next one, in the order of the result: 1 it is there, its texts live as long as *p; 0 the end;
 * -1 ERR_CORRUPT.
 */
int points_next(struct points *p, struct point *out, struct err *err);

/* The one of that benchmark, from where *p is; else as points_next(). */
int points_find(struct points *p, const char *benchmark, struct point *out, struct err *err);

#endif
