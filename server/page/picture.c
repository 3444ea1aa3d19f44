#include "server/page/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/record/ulid.h"
#include "reporter/figures/scale.h"
#include "reporter/plot/band.h"
#include "reporter/text/html.h"
#include "server/page/frame.h"
#include "server/page/page.h"
#include "server/page/text.h"

#include "lib/base/banned.h"

#define MOST_IDS 1000 /* the newest; no gzip makes them smaller, and a page has 100 KB */
#define MOST_TOLD 150 /* points of which each is told about */

/* ---- what the script needs ---------------------------------------------------------------- */

/* A number that a picture can be drawn of, "-" where there is none; and a blank. */
static void add_number(double value, struct buf *out)
{
	if (isfinite(value))
		buf_addf(out, "%.6g ", value);
	else
		buf_adds(out, "- ");
}

/* So many bytes of an id, a day or a verdict: letters, digits, minus; "-" for anything else. */
static void add_word(const char *word, size_t most, struct buf *out)
{
	size_t i;

	for (i = 0; word && word[i] && i < most; i++)
		if (!strchr("0123456789abcdefghijklmnopqrstuvwxyz-", word[i]))
			break;
	if (i && (i == most || !word[i]))
		buf_add(out, word, i);
	else
		buf_addc(out, '-');
	buf_addc(out, ' ');
}

/* That of a summary; "-" for anything else. */
static void add_id(const char *id, struct buf *out)
{
	buf_adds(out, id && ulid_is_valid(id) ? id : "-");
}

static void add_points(const struct series *s, struct buf *out)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		const struct series_point *p = &s->points[i];

		buf_adds(out, i ? ";" : "");
		add_number(p->value, out);
		add_number(p->low, out);
		add_number(p->high, out);
		add_word(p->commit, 12, out);
		add_word(p->time, 10, out);
		add_word(series_verdict(p), 20, out);
		add_number(p->moved ? p->ratio : (double)NAN, out);
		buf_addf(out, "%d ", series_moved(p));
		add_id(i + MOST_IDS < s->n ? NULL : p->id, out);
	}
}

static void add_script_points(const struct picture *p, struct buf *out)
{
	const struct series *s = p->s;
	struct scale scale = scale_of(s->unit, s->n ? s->points[s->n - 1].value : 1);
	struct buf raw = BUF_INIT;

	if (s->n < 2 || s->n > PICTURE_MOST)
		return;
	buf_addf(out, " data-frame=\"%d %d %d %d %d\" data-factor=\"%.17g\" data-unit=\"",
		 BAND_LEFT, BAND_RIGHT, BAND_TOP, BAND_BOTTOM, BAND_INSET, scale.factor);
	scale_unit(&scale, &raw);
	html_value(buf_str(&raw), out);
	buf_reset(&raw);
	buf_adds(out, "\" data-compare=\"");
	frame_project(p->project, "compare", &raw);
	html_value(buf_str(&raw), out);
	buf_reset(&raw);
	frame_project(p->project, "runs", &raw);
	frame_parameter("benchmark", p->benchmark, &raw);
	frame_parameter("metric", s->metric, &raw);
	buf_adds(out, "\" data-runs=\"");
	html_value(buf_str(&raw), out);
	if (p->part) {
		buf_adds(out, "\" data-part=\"");
		html_value(p->part, out);
	}
	buf_adds(out, "\" data-points=\"");
	add_points(s, out);
	buf_addc(out, '"');
	out->failed |= raw.failed;
	buf_release(&raw);
}

/* ---- what is drawn ------------------------------------------------------------------------ */

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
	add_script_points(p, out);
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

int page_script(struct request *r, struct err *err)
{
	struct buf text = BUF_INIT;
	size_t i;
	int result;

	for (i = 0; page_script_text[i]; i++)
		buf_adds(&text, page_script_text[i]);
	result = buf_check(&text, err) || frame_asset(r, "text/javascript; charset=utf-8",
						      buf_str(&text), err)
			 ? -1
			 : 0;
	buf_release(&text);
	return result;
}
