#include "server/page/picture.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/strv.h"
#include "reporter/figures/scale.h"
#include "reporter/plot/band.h"
#include "server/page/alive.h"

#include "lib/base/banned.h"

#define MOST_TOLD 150 /* points of which each is told about */

/* "0f1e2d3 2026-11-20: 1.25 ms [1.2, 1.3] ms, +3.40 % regressed" */
static int tell(const struct series *s, const struct series_point *p, struct strv *all,
		const char **out, struct err *err)
{
	struct buf raw = BUF_INIT;
	int result;

	buf_addf(&raw, "%.7s %.10s: ", p->commit ? p->commit : "", p->time ? p->time : "");
	scale_value(p->value, s->unit, &raw);
	buf_addc(&raw, ' ');
	series_interval(p, s->unit, &raw);
	if (p->verdict) {
		buf_adds(&raw, ", ");
		if (isfinite(p->ratio)) {
			series_change(p->ratio, s->unit, &raw);
			buf_addc(&raw, ' ');
		}
		buf_adds(&raw, series_verdict(p));
	}
	result = strv_take(all, &raw, err);
	buf_release(&raw);
	*out = result ? NULL : all->v[all->n - 1];
	return result;
}

/* All of it, and the words of those that are told about, which are the caller's to release. */
static int take_points(const struct series *s, struct band_point *out, struct strv *words,
		       struct err *err)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		const struct series_point *p = &s->points[i];

		out[i] = (struct band_point){ .value = p->value,
					      .low = p->low,
					      .high = p->high,
					      .moved = (signed char)series_moved(p),
					      .commit = p->commit,
					      .time = p->time };
		if ((p->moved || s->n <= MOST_TOLD) && tell(s, p, words, &out[i].words, err))
			return -1;
	}
	return 0;
}

int picture_add(const struct picture *p, struct buf *out, struct err *err)
{
	const struct series *s = p->s;
	struct band_point *points = calloc(s->n + 1, sizeof(*points));
	struct strv words = STRV_INIT;
	int result = -1;

	if (!points)
		return err_nomem(err);
	if (take_points(s, points, &words, err))
		goto out;
	buf_adds(out, "<div class=\"wide\" role=\"group\" aria-label=\"Picture of the history\" "
		      "tabindex=\"0\"");
	alive_add(p, out);
	buf_adds(out, ">\n");
	result = plot_band(&(struct band){ .title = p->benchmark,
					   .metric = s->metric ? s->metric : "",
					   .unit = s->unit,
					   .points = points,
					   .n = s->n,
					   .of = p->of },
			   out, err);
	buf_adds(out, "</div>\n");
out:
	strv_release(&words);
	free(points);
	return result;
}
