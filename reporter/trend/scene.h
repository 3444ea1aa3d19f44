/*
 * trend_scene - what every picture and list of a trend needs: the axis, marks, words.
 */
#ifndef PAWL_REPORTER_TREND_SCENE_H
#define PAWL_REPORTER_TREND_SCENE_H

#include <stdbool.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "reporter/plot/scene.h"
#include "reporter/trend/trend.h"

/* What is marked at a commit, by rising weight. */
enum trend_mark {
	MARK_NONE,
	MARK_SERIES, /* a new series begins */
	MARK_ADVICE, /* the stored level changed, and no step explains it */
	MARK_FAILED,
	MARK_IMPROVED,
	MARK_ACCEPTED, /* regressed, and somebody accepted that */
	MARK_REGRESSED,
	MARK_N
};

/* What a filled and a hollow point say. */
#define TREND_LEVELS "levels are Hodges-Lehmann estimates; reports show medians"
#define TREND_MEASURED "level as measured"
#define TREND_CARRIED "the same code as the one before: its level"

/* The shown points as levels on one axis; index 0 is points[first]. */
struct trend_scene {
	struct plot_scene axis;
	double *level; /* what is drawn: its own, or the last one's for identical code; NaN */
	enum trend_mark *mark;
	signed char *outside; /* 1: the level lies above the axis, -1: below it */
	size_t n, n_outside, n_carried;
	bool has_axis; /* there is a level to draw */
	size_t n_marks[MARK_N];
};

/*
 * The axis holds every level that somebody is pointed to (marked, listed, named by an advice or
 * the creep, or among the newest three) and all of what the steps add up to.  Of the others it
 * leaves out single ones, when they would make it three times longer.
 *
 * Errors: ERR_RANGE, ERR_NOMEM; *out is released then.
 */
int trend_scene_make(const struct trend *t, int max_ticks, struct trend_scene *out,
		     struct err *err);
void trend_scene_release(struct trend_scene *scene);

/* "regressed", "new series", ...; the letter of a plot of characters. */
const char *trend_mark_word(enum trend_mark mark);
char trend_mark_letter(enum trend_mark mark);

/* "deflate/6: cpu in ms"; raw bytes. */
void trend_title(const struct trend *t, const struct trend_scene *scene, struct buf *out);

/* "2026-11-20" */
void trend_date(const struct trend_point *p, struct buf *out);

/*
 * The texts below are raw where they hold a subject, a reason or a name, and without a line break.
 * Each appends nothing when there is nothing to say.
 */

/* One word about the step: "regressed", "accepted", "identical", ... */
const char *trend_word(const struct trend_point *p);

/* What the figures of a point do not say: the span, the reason, the series. */
void trend_note(const struct trend *t, const struct trend_point *p, struct buf *out);

/* How many results of how many commits, and the machine. */
void trend_about(const struct trend *t, struct buf *out);

/* How many steps were judged, and how many moved. */
void trend_sentence(const struct trend *t, struct buf *out);

/* One change point of the levels, and what to do about it. */
void trend_advice_text(const struct trend *t, const struct trend_advice *a, struct buf *out);

/* The sum since the last tag. */
void trend_creep_text(const struct trend *t, struct buf *out);

/* Which levels the axis leaves out. */
void trend_outside(const struct trend *t, const struct trend_scene *scene, struct buf *out);

/* What was left out. */
void trend_left_out(const struct trend *t, struct buf *out);

#endif
