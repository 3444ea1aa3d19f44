/*
 * plot_scene - what any picture of two distributions needs: sorted values, axis, ticks.
 */
#ifndef PAWL_REPORTER_PLOT_SCENE_H
#define PAWL_REPORTER_PLOT_SCENE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "reporter/figures/scale.h"
#include "reporter/plot/plot.h"

struct plot_series {
	double *x; /* sorted */
	size_t n;
	double median; /* NaN when empty */
};

struct plot_scene {
	struct plot_series base, head;
	double low, high;	  /* ends of the axis, low < high */
	size_t n_below, n_beyond; /* values outside it */
	double least, greatest;	  /* of all values */
	struct scale scale;	  /* of the axis' numbers */
	double tick, step;	  /* first tick and distance, unit of the samples */
	int n_ticks;
	int decimals; /* of the tick's numbers */
};

/*
 * Sorts and lays out; at most max_ticks (>= 1) ticks, at round numbers.
 *
 * The axis reaches from the least to the greatest value, unless leaving out 1 % or 5 % of
 * them at an end makes it three times shorter: then it ends there.
 *
 * Errors: as plot_cdf_text(); *out is released then.
 */
int plot_scene_make(const struct plot_cdf *plot, int max_ticks, struct plot_scene *out,
		    struct err *err);
void plot_scene_release(struct plot_scene *scene);

/* The share of values that are at or below x; 0 for an empty series.  Cost: O(log n). */
double plot_scene_share(const struct plot_series *series, double x);

/* Where x lies on the axis, 0..1 inside it. */
double plot_scene_place(const struct plot_scene *scene, double x);

/* The value of the i-th tick. */
double plot_scene_tick(const struct plot_scene *scene, int i);

/* Appends a tick's number, without unit. */
void plot_scene_number(const struct plot_scene *scene, double x, struct buf *out);

/* "deflate/6: cpu in ms, share of runs at or below" */
void plot_scene_title(const struct plot_scene *scene, const struct plot_cdf *plot, struct buf *out);

/* "head a1b2c3d: median 1.25 ms of 30 runs" */
void plot_scene_legend(const struct plot_cdf *plot, const struct plot_series *series, bool is_head,
		       struct buf *out);

/* "3 of 60 values lie beyond 1.35 ms (up to 12.1 ms)"; nothing when all are inside. */
void plot_scene_outside(const struct plot_scene *scene, const struct plot_cdf *plot,
			struct buf *out);

#endif
