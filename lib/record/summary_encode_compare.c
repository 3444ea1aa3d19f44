/*
 * summary_encode_compare - what a comparison adds to a benchmark's document: each field only where
 * it says something.
 */
#include <math.h>

#include "lib/record/layout_calibration.h"
#include "lib/record/names.h"
#include "lib/record/summary_local.h"

#include "lib/base/banned.h"

static void write_looks(struct jsonw *w, const struct looks *looks)
{
	size_t i;

	jsonw_key(w, "looks");
	jsonw_object(w);
	jsonw_key(w, "pairs");
	jsonw_array_flat(w);
	for (i = 0; i < looks->n; i++)
		jsonw_integer(w, looks->pairs[i]);
	jsonw_array_end(w);
	jsonw_object_end(w);
}

static void write_work(struct jsonw *w, const struct work_count *work)
{
	jsonw_key(w, "work");
	jsonw_object(w);
	jsonw_knumber(w, "head", work->how ? work->head : (double)NAN);
	jsonw_knumber(w, "base", work->how ? work->base : (double)NAN);
	jsonw_kstring(w, "how", work->how);
	if (work->reason)
		summary_write_text(w, "reason", work->reason, SUMMARY_MAX_TEXT);
	jsonw_object_end(w);
}

static void write_layouts(struct jsonw *w, const struct layout_spread *l)
{
	jsonw_key(w, "layouts");
	jsonw_object(w);
	jsonw_kinteger(w, "n", (int64_t)l->n);
	jsonw_knumber(w, "between", l->between);
	jsonw_knumber(w, "within", l->within);
	jsonw_knumber(w, "floor", l->floor);
	if (l->why)
		summary_write_text(w, "why", l->why, SUMMARY_MAX_TEXT);
	jsonw_object_end(w);
}

static void write_changes(struct jsonw *w, const struct code_changes *c)
{
	jsonw_key(w, "changes");
	jsonw_object(w);
	jsonw_kbool(w, "known", c->is_known);
	jsonw_kbool(w, "explained", c->is_explained);
	jsonw_kinteger(w, "n_functions", (int64_t)c->n_functions);
	jsonw_kinteger(w, "n_changed", (int64_t)c->n_changed);
	summary_write_strings(w, "changed", &c->changed, SUMMARY_MAX_NAME);
	summary_write_strings(w, "executed", &c->executed, SUMMARY_MAX_NAME);
	if (c->why)
		summary_write_text(w, "why", c->why, SUMMARY_MAX_TEXT);
	jsonw_object_end(w);
}

static void write_calibration(struct jsonw *w, const struct calibration *c)
{
	jsonw_key(w, "calibration");
	jsonw_object(w);
	jsonw_kinteger(w, "n", c->n);
	jsonw_kinteger(w, "n_false", c->n_false);
	jsonw_knumber(w, "floor", c->floor);
	summary_write_time(w, "when", c->when_us);
	layout_calibration_write(w, &c->layouts, NULL);
	jsonw_object_end(w);
}

static void write_acceptance(struct jsonw *w, const struct acceptance *a)
{
	jsonw_key(w, "accepted");
	jsonw_object(w);
	jsonw_kstring(w, "commit", a->commit);
	summary_write_text(w, "because", a->because, SUMMARY_MAX_TEXT);
	jsonw_object_end(w);
}

void summary_write_comparison(struct jsonw *w, const struct bench *b)
{
	if (b->looks.n)
		write_looks(w, &b->looks);
	if (b->output != OUTPUT_UNKNOWN)
		jsonw_kstring(w, "output", output_words[b->output]);
	if (b->pairs_ran != PAIRS_RAN_UNKNOWN)
		jsonw_kstring(w, "pairs_ran", pairs_ran_words[b->pairs_ran]);
	if (b->work.how || b->work.reason)
		write_work(w, &b->work);
	if (b->layouts.n || b->layouts.why)
		write_layouts(w, &b->layouts);
	if (b->changes.is_known || b->changes.why)
		write_changes(w, &b->changes);
	if (b->calibration.n > 0 && isfinite(b->calibration.floor))
		write_calibration(w, &b->calibration);
	if (b->accepted.commit)
		write_acceptance(w, &b->accepted);
}
