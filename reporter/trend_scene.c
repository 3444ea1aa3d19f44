#include "reporter/trend_scene.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/when.h"
#include "reporter/render_cells.h"

#include "lib/base/banned.h"

void trend_scene_release(struct trend_scene *scene)
{
	if (scene->has_axis)
		plot_scene_release(&scene->axis);
	free(scene->level);
	free(scene->mark);
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

int trend_scene_make(const struct trend *t, int max_ticks, struct trend_scene *out, struct err *err)
{
	const struct plot_cdf plot = { .title = t->benchmark,
				       .metric = t->metric,
				       .unit = t->unit,
				       .base_name = "",
				       .head_name = "" };
	struct plot_cdf levels = plot;
	double last = (double)NAN;
	size_t i;

	*out = (struct trend_scene){ .n = t->n - t->first };
	out->level = malloc((out->n + 1) * sizeof(*out->level));
	out->mark = calloc(out->n + 1, sizeof(*out->mark));
	if (!out->level || !out->mark) {
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
	}
	set_marks(t, out);
	levels.head = out->level;
	levels.n_head = out->n;
	if (out->has_axis && plot_scene_make(&levels, max_ticks, &out->axis, err)) {
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
