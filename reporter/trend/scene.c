#include "reporter/trend/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/when.h"
#include "reporter/figures/cells.h"

#include "lib/base/banned.h"

void trend_scene_release(struct trend_scene *scene)
{
	if (scene->has_axis)
		plot_scene_release(&scene->axis);
	free(scene->level);
	free(scene->mark);
	free(scene->outside);
	*scene = (struct trend_scene){ .n = 0 };
}

static enum trend_mark mark_of(const struct trend_point *p)
{
	switch (p->verdict) {
	case VERDICT_REGRESSED:
		return p->accepted ? MARK_ACCEPTED : MARK_REGRESSED;
	case VERDICT_IMPROVED:
		return MARK_IMPROVED;
	case VERDICT_FAILED:
		return MARK_FAILED;
	case VERDICT_NONE:
	case VERDICT_UNCHANGED:
	case VERDICT_INCONCLUSIVE:
	case VERDICT_IDENTICAL:
	case VERDICT_ADDED:
	case VERDICT_REMOVED:
	case VERDICT_NO_BASELINE:
	case VERDICT_N:
	default:
		return p->begins ? MARK_SERIES : MARK_NONE;
	}
}

static void set_marks(const struct trend *t, struct trend_scene *scene)
{
	size_t i;

	for (i = 0; i < scene->n; i++)
		scene->mark[i] = mark_of(&t->points[t->first + i]);
	for (i = 0; i < t->n_advice; i++) {
		enum trend_mark *mark = &scene->mark[t->advice[i].at - t->first];

		if (t->advice[i].step == SIZE_MAX && *mark < MARK_ADVICE)
			*mark = MARK_ADVICE;
	}
	for (i = 0; i < scene->n; i++)
		scene->n_marks[scene->mark[i]]++;
}

#define NEWEST 3
#define FAR 3.0 /* lengths of the axis that a single level may not stretch it to */

struct span {
	double low, high;
};

static void span_add(struct span *s, double x)
{
	s->low = fmin(s->low, x); /* fmin and fmax pass over NaN */
	s->high = fmax(s->high, x);
}

static bool is_named_by_advice(const struct trend *t, size_t at)
{
	size_t i;

	for (i = 0; i < t->n_advice; i++)
		if (t->advice[i].at == at || t->advice[i].at == at + 1 || t->advice[i].step == at)
			return true;
	return t->creep.from && !strcmp(t->creep.from, t->points[at].commit);
}

/* Whether the point is the other end of a step that moved. */
static bool is_base_of_moved(const struct trend *t, size_t at)
{
	size_t i;

	for (i = at + 1; i < t->n; i++) {
		const struct trend_point *p = &t->points[i];

		if (p->base_place != t->points[at].place)
			continue;
		if (p->verdict == VERDICT_REGRESSED || p->verdict == VERDICT_IMPROVED)
			return true;
	}
	return false;
}

/* One level alone, higher or lower than both around it, that nobody is pointed to. */
static bool is_single(const struct trend *t, const struct trend_scene *scene, size_t i)
{
	const double *v = scene->level;
	size_t at = t->first + i, before = i, after = i + 1;

	if (!isfinite(t->points[at].level) || scene->n - i <= NEWEST || scene->mark[i])
		return false;
	while (before > 0 && !isfinite(v[before - 1]))
		before--;
	while (after < scene->n && !isfinite(v[after]))
		after++;
	if (before == 0 || after == scene->n || (v[before - 1] - v[i]) * (v[after] - v[i]) <= 0)
		return false;
	return !trend_is_notable(&t->points[at]) && !is_named_by_advice(t, at) &&
	       !is_base_of_moved(t, at);
}

static bool is_far(const struct span *rest, double level)
{
	double length = FAR * (rest->high - rest->low);

	return level - rest->low > length || rest->high - level > length;
}

/* Whether the line of what the steps add up to passes here; a level without steps is its own sum.
 */
static bool is_linked(const struct trend *t, size_t at)
{
	return t->points[at].how != TREND_NO_STEP ||
	       (at + 1 < t->n && t->points[at + 1].how != TREND_NO_STEP);
}

/* What the axis has to hold. */
static struct span span_of(const struct trend *t, struct trend_scene *scene)
{
	struct span rest = { (double)NAN, (double)NAN }, all;
	size_t i, n_far = 0;

	for (i = 0; i < scene->n; i++) {
		scene->outside[i] = (signed char)is_single(t, scene, i);
		if (!scene->outside[i])
			span_add(&rest, scene->level[i]);
		if (is_linked(t, t->first + i))
			span_add(&rest, t->points[t->first + i].chained);
	}
	all = rest;
	for (i = 0; i < scene->n; i++)
		if (scene->outside[i]) {
			n_far += is_far(&rest, scene->level[i]);
			span_add(&all, scene->level[i]);
		}
	if (n_far > 1 + scene->n / 20)
		return all; /* so many are no exceptions */
	all = rest;
	for (i = 0; i < scene->n; i++)
		if (scene->outside[i] && !is_far(&rest, scene->level[i]))
			span_add(&all, scene->level[i]);
	return all;
}

static int make_axis(const struct trend *t, int max_ticks, struct trend_scene *scene,
		     struct err *err)
{
	const struct span span = span_of(t, scene);
	const double ends[] = { span.low, span.high }; /* of two plot_scene_make() cuts none */
	const struct plot_cdf plot = { .title = t->benchmark,
				       .metric = t->metric,
				       .unit = t->unit,
				       .base_name = "",
				       .head_name = "",
				       .head = ends,
				       .n_head = 2 };
	size_t i;

	if (plot_scene_make(&plot, max_ticks, &scene->axis, err))
		return -1;
	for (i = 0; i < scene->n; i++) {
		scene->outside[i] = (signed char)((scene->level[i] > scene->axis.high) -
						  (scene->level[i] < scene->axis.low));
		scene->n_outside += scene->outside[i] != 0;
	}
	return 0;
}

int trend_scene_make(const struct trend *t, int max_ticks, struct trend_scene *out, struct err *err)
{
	double last = (double)NAN;
	size_t i;

	*out = (struct trend_scene){ .n = t->n - t->first };
	out->level = malloc((out->n + 1) * sizeof(*out->level));
	out->mark = calloc(out->n + 1, sizeof(*out->mark));
	out->outside = calloc(out->n + 1, sizeof(*out->outside));
	if (!out->level || !out->mark || !out->outside) {
		trend_scene_release(out);
		return err_nomem(err);
	}
	for (i = 0; i < out->n; i++) {
		const struct trend_point *p = &t->points[t->first + i];

		if (isfinite(p->level))
			last = p->level;
		else if (p->how != TREND_IDENTICAL)
			last = (double)NAN; /* a gap: nothing is known of what follows it */
		out->level[i] = last;
		out->has_axis |= isfinite(last);
		out->n_carried += isfinite(last) && !isfinite(p->level);
	}
	set_marks(t, out);
	if (out->has_axis && make_axis(t, max_ticks, out, err)) {
		out->has_axis = false;
		trend_scene_release(out);
		return -1;
	}
	return 0;
}

static const struct {
	const char *word;
	char letter;
} marks[] = {
	[MARK_NONE] = { "", ' ' },
	[MARK_SERIES] = { "a new series begins", '|' },
	[MARK_ADVICE] = { "the stored level changed (advice)", '?' },
	[MARK_FAILED] = { "failed", 'F' },
	[MARK_IMPROVED] = { "improved", 'I' },
	[MARK_ACCEPTED] = { "regressed, accepted", 'A' },
	[MARK_REGRESSED] = { "regressed", 'R' },
};

const char *trend_mark_word(enum trend_mark mark)
{
	return marks[mark].word;
}

char trend_mark_letter(enum trend_mark mark)
{
	return marks[mark].letter;
}

void trend_title(const struct trend *t, const struct trend_scene *scene, struct buf *out)
{
	const struct plot_cdf plot = { .title = t->benchmark, .metric = t->metric };

	if (scene->has_axis)
		plot_scene_title(&scene->axis, &plot, out);
	else
		buf_addf(out, "%s: %s", t->benchmark, t->metric);
}

void trend_date(const struct trend_point *p, struct buf *out)
{
	char text[WHEN_ISO];

	buf_addf(out, "%.10s", when_iso(p->time_us, false, text));
}
