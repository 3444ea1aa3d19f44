/*
 * trend_json - docs/schema/history-v1.json.
 */
#include <math.h>

#include "lib/base/jsonw.h"
#include "lib/base/when.h"
#include "reporter/trend/render.h"
#include "reporter/trend/scene.h"

#include "lib/base/banned.h"

#define SCHEMA "pawl.history/1"

static const char *how_word(enum trend_how how)
{
	return how == TREND_PAIRED ? "paired" : how == TREND_IDENTICAL ? "identical" : NULL;
}

static void write_interval(struct jsonw *w, const char *key, double low, double high)
{
	const double both[] = { low, high };

	if (isfinite(low) && isfinite(high)) {
		jsonw_knumbers(w, key, both, 2);
		return;
	}
	jsonw_key(w, key);
	jsonw_null(w);
}

static void write_step(struct jsonw *w, const struct trend *t, const struct trend_point *p)
{
	struct delta d;

	jsonw_key(w, "step");
	if (p->how == TREND_NO_STEP) {
		jsonw_null(w);
		return;
	}
	trend_delta(t, p, &d);
	jsonw_object(w);
	jsonw_kstring(w, "how", how_word(p->how));
	jsonw_kstring(w, "base", p->base);
	jsonw_kinteger(w, "commits", (int64_t)trend_span(p));
	jsonw_kinteger(w, "pairs", (int64_t)p->n_pairs);
	jsonw_knumber(w, "ratio", d.ratio);
	write_interval(w, "ci", d.low, d.high);
	if (d.by_difference) {
		jsonw_knumber(w, "difference", d.difference);
		write_interval(w, "difference_ci", d.difference_low, d.difference_high);
	}
	jsonw_knumber(w, "confidence", d.confidence);
	jsonw_knumber(w, "p", d.p);
	jsonw_knumber(w, "p_adjusted", d.p_adjusted);
	jsonw_object_end(w);
}

static void write_point(struct jsonw *w, const struct trend *t, const struct trend_point *p)
{
	char when[WHEN_ISO];

	jsonw_object(w);
	jsonw_kstring(w, "commit", p->commit);
	jsonw_kstring(w, "date", when_iso(p->time_us, false, when));
	jsonw_kstring(w, "subject", p->subject);
	jsonw_knumber(w, "level", p->level);
	write_interval(w, "ci", p->low, p->high);
	jsonw_kinteger(w, "runs", (int64_t)p->n_runs);
	jsonw_kinteger(w, "iterations", (int64_t)p->iterations);
	jsonw_knumber(w, "log_normalised", p->has_location ? p->location : (double)NAN);
	jsonw_kstring(w, "series_begins", p->begins);
	write_step(w, t, p);
	jsonw_kstring(w, "verdict", verdict_name(p->verdict));
	jsonw_kstring(w, "reported", *verdict_name(p->reported) ? verdict_name(p->reported) : NULL);
	jsonw_kstring(w, "accepted", p->accepted);
	jsonw_object_end(w);
}

static void write_advice(struct jsonw *w, const struct trend *t)
{
	size_t i;

	jsonw_key(w, "advice");
	jsonw_array(w);
	for (i = 0; i < t->n_advice; i++) {
		const struct trend_advice *a = &t->advice[i];

		jsonw_object(w);
		jsonw_kstring(w, "commit", t->points[a->at].commit);
		jsonw_knumber(w, "ratio", a->ratio);
		jsonw_knumber(w, "p", a->p);
		jsonw_kstring(w, "explained_by",
			      a->step == SIZE_MAX ? NULL : t->points[a->step].commit);
		jsonw_object_end(w);
	}
	jsonw_array_end(w);
}

static void write_creep(struct jsonw *w, const struct trend *t)
{
	const struct trend_creep *c = &t->creep;
	double sign = t->better == BETTER_HIGHER ? -1 : 1;

	jsonw_key(w, "creep");
	if (!c->tag) {
		jsonw_null(w);
		return;
	}
	jsonw_object(w);
	jsonw_kstring(w, "tag", c->tag);
	jsonw_kstring(w, "from", c->from);
	jsonw_kstring(w, "broken_at", c->broken);
	jsonw_kinteger(w, "steps", (int64_t)c->sum.n);
	jsonw_knumber(w, "ratio", c->broken ? (double)NAN : exp(sign * c->sum.change));
	jsonw_knumber(w, "log_se", c->broken ? (double)NAN : c->sum.se);
	jsonw_kbool(w, "flagged", c->sum.flagged);
	jsonw_kinteger(w, "accepted_steps", (int64_t)c->n_accepted);
	jsonw_knumber(w, "accepted_ratio", exp(sign * c->accepted));
	jsonw_object_end(w);
}

int trend_json(const struct trend *t, const struct render_options *opt, struct buf *out,
	       struct err *err)
{
	struct jsonw writer, *w = &writer;
	size_t i;

	(void)opt;
	jsonw_init(w, out, 1);
	jsonw_object(w);
	jsonw_kstring(w, "schema", SCHEMA);
	jsonw_kstring(w, "project", t->project);
	jsonw_kstring(w, "benchmark", t->benchmark);
	jsonw_kstring(w, "metric", t->metric);
	jsonw_kstring(w, "unit", t->unit);
	jsonw_kstring(w, "better", t->better == BETTER_HIGHER ? "higher" : "lower");
	jsonw_kstring(w, "machine", t->machine);
	jsonw_knumber(w, "threshold", t->threshold);
	jsonw_kinteger(w, "commits", (int64_t)t->n_line);
	jsonw_kinteger(w, "left_out_dirty", (int64_t)t->n_dirty);
	jsonw_kinteger(w, "left_out_damaged", (int64_t)t->n_damaged);
	jsonw_kinteger(w, "steps_judged", (int64_t)t->n_tests);
	jsonw_kinteger(w, "steps_moved", (int64_t)t->n_moved);
	jsonw_key(w, "points");
	jsonw_array(w);
	for (i = t->first; i < t->n; i++)
		write_point(w, t, &t->points[i]);
	jsonw_array_end(w);
	write_advice(w, t);
	write_creep(w, t);
	jsonw_object_end(w);
	buf_addc(out, '\n');
	return buf_check(out, err);
}
