/*
 * trend_point - from a benchmark's point, kept or worked out, to one point of a trend.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reporter/trend/trend.h"

#include "lib/base/banned.h"

void trend_point_release(struct trend_point *p)
{
	size_t i;

	free(p->commit);
	free(p->subject);
	free(p->base);
	free(p->procs);
	free(p->d);
	free(p->accepted);
	free(p->machine.kernel);
	free(p->machine.governor);
	for (i = 0; i < p->machine.more.n; i++) {
		free(p->machine.more.v[i].name);
		free(p->machine.more.v[i].value);
	}
	free(p->machine.more.v);
	memset(p, 0, sizeof(*p));
}

static int keep_series(const struct points_frame *from, struct machine *to, struct err *err)
{
	size_t i;

	if (str_set(&to->kernel, from->kernel, err) || str_set(&to->governor, from->governor, err))
		return -1;
	for (i = 0; i < SERIES_FACTS; i++)
		if (from->facts[i] && facts_add(&to->more, series_facts[i], from->facts[i], err))
			return -1;
	return 0;
}

/* A step whose base is not on the line is none. */
static int set_step(struct point *from, trend_place_fn *place_of, const void *ctx,
		    struct trend_point *p, struct err *err)
{
	static const enum trend_how how[POINT_STEP_N] = { [POINT_NO_STEP] = TREND_NO_STEP,
							  [POINT_PAIRED] = TREND_PAIRED,
							  [POINT_IDENTICAL] = TREND_IDENTICAL };
	size_t base_place = from->base ? place_of(ctx, from->base) : TREND_NOWHERE;

	if (base_place == TREND_NOWHERE || base_place >= p->place)
		return 0;
	p->how = how[from->step];
	p->base_place = base_place;
	p->n_pairs = from->n_pairs;
	p->n_points = from->n_points;
	p->many_void = from->many_void;
	p->by_difference = from->by_difference;
	p->base_size = from->base_size;
	p->shared = from->shared;
	p->layouts = from->layouts;
	p->is_judged = from->step == POINT_PAIRED && !from->d;
	p->judged = from->judged;
	p->d = from->d;
	from->d = NULL;
	return str_set(&p->base, from->base, err);
}

int trend_point_from(const struct points_frame *frame, struct point *from, trend_place_fn *place_of,
		     const void *ctx, struct trend_point *out, struct err *err)
{
	const char *commit = frame->commit ? frame->commit : "";
	struct trend_point p = { .place = *commit ? place_of(ctx, commit) : TREND_NOWHERE,
				 .time_us = frame->time_us,
				 .failed = from->failed,
				 .iterations = from->iterations,
				 .reported = from->reported,
				 .suspect = from->suspect,
				 .level = from->level,
				 .low = from->low,
				 .high = from->high,
				 .n_runs = from->n_runs,
				 .has_location = from->has_location,
				 .location = from->location,
				 .base_place = TREND_NOWHERE,
				 .se = (double)NAN,
				 .chained = (double)NAN };
	int result = str_set(&p.commit, commit, err) || str_set(&p.subject, frame->subject, err) ||
				     str_set(&p.procs, from->procs, err) ||
				     keep_series(frame, &p.machine, err) ||
				     str_set(&p.accepted, from->accepted, err) ||
				     set_step(from, place_of, ctx, &p, err)
			     ? -1
			     : 0;

	/* How long a run took that did not do its work is no level. */
	if (p.failed) {
		p.level = p.low = p.high = p.location = (double)NAN;
		p.has_location = false;
		p.n_runs = 0;
	}

	free(from->d);
	from->d = NULL;
	if (result)
		trend_point_release(&p);
	*out = p;
	return result;
}
