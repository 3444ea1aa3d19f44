#include "reporter/trend/list.h"

#include <math.h>
#include <string.h>

#include "lib/base/jsonw.h"
#include "reporter/figures/cells.h"
#include "reporter/figures/scale.h"
#include "reporter/text/table.h"
#include "reporter/text/text.h"
#include "reporter/trend/scene.h"

#include "lib/base/banned.h"

/* The newest point with a level of its own; NULL: none. */
static const struct trend_point *last_level(const struct trend *t)
{
	size_t i;

	for (i = t->n; i > t->first; i--)
		if (isfinite(t->points[i - 1].level))
			return &t->points[i - 1];
	return NULL;
}

/* The newest point whose step moved it; NULL: none. */
static const struct trend_point *last_move(const struct trend *t)
{
	size_t i;

	for (i = t->n; i > t->first; i--)
		if (t->points[i - 1].verdict == VERDICT_REGRESSED ||
		    t->points[i - 1].verdict == VERDICT_IMPROVED)
			return &t->points[i - 1];
	return NULL;
}

static const struct table_column columns[] = {
	{ .title = "benchmark", .is_flex = true },
	{ .title = "metric", .gap = 2, .drop = 2 },
	{ .title = "level", .is_right = true, .gap = 2, .drop = 5 },
	{ .title = "at", .gap = 2, .drop = 3 },
	{ .title = "steps", .is_right = true, .gap = 2, .drop = 1 },
	{ .title = "last change", .is_right = true, .gap = 2 },
	{ .title = "by", .gap = 2, .drop = 4 },
	{ .title = "", .gap = 2 },
};

static void add_cell(struct table *table, struct buf *text, enum ink ink)
{
	table_cell(table, buf_str(text), ink);
	table->texts.failed |= text->failed;
	buf_reset(text);
}

static void add_row(const struct trend *t, bool utf8, struct table *table)
{
	const struct trend_point *level = last_level(t), *move = last_move(t);
	enum ink ink = INK_PLAIN;
	struct buf text = BUF_INIT, raw = BUF_INIT;
	struct delta delta;

	text_visible(t->benchmark, utf8, &text);
	add_cell(table, &text, INK_PLAIN);
	text_visible(t->metric, utf8, &text);
	add_cell(table, &text, INK_PLAIN);
	scale_value(level ? level->level : (double)NAN, t->unit, &text);
	add_cell(table, &text, INK_PLAIN);
	if (level)
		cell_commit(level->commit, &text);
	add_cell(table, &text, INK_PLAIN);
	buf_addf(&text, "%zu", t->n_tests);
	add_cell(table, &text, INK_PLAIN);
	if (move) {
		ink = move->verdict == VERDICT_IMPROVED ? INK_GREEN
		      : move->accepted			? INK_PLAIN
							: INK_RED;
		trend_delta(t, move, &delta);
		cell_delta(&delta, t->unit, &raw);
		text_visible(buf_str(&raw), utf8, &text);
	} else {
		buf_adds(&text, TABLE_EMPTY);
	}
	add_cell(table, &text, ink);
	if (move) {
		cell_commit(move->commit, &text);
		buf_addc(&text, ' ');
		trend_date(move, &text);
	}
	add_cell(table, &text, INK_PLAIN);
	if (move)
		buf_adds(&text, trend_word(move));
	add_cell(table, &text, ink);
	table->texts.failed |= raw.failed;
	buf_release(&raw);
	buf_release(&text);
}

static int list_text(const struct trend_set *set, const struct render_options *opt, struct buf *out,
		     struct err *err)
{
	struct table table;
	size_t i;
	int result;

	table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (i = 0; i < set->n; i++)
		if (set->v[i].n > set->v[i].first)
			add_row(&set->v[i], opt->utf8, &table);
	result = table_print(&table, opt->width, opt->utf8, opt->colour, out, err);
	table_release(&table);
	return result;
}

static void write_trend(struct jsonw *w, const struct trend *t)
{
	const struct trend_point *level = last_level(t), *move = last_move(t);
	struct delta delta;

	jsonw_object(w);
	jsonw_kstring(w, "benchmark", t->benchmark);
	jsonw_kstring(w, "metric", t->metric);
	jsonw_kstring(w, "unit", t->unit);
	jsonw_kinteger(w, "results", (int64_t)(t->n - t->first));
	jsonw_kinteger(w, "steps_judged", (int64_t)t->n_tests);
	jsonw_knumber(w, "level", level ? level->level : (double)NAN);
	jsonw_kstring(w, "commit", level ? level->commit : NULL);
	jsonw_key(w, "last_change");
	if (move) {
		trend_delta(t, move, &delta);
		jsonw_object(w);
		jsonw_kstring(w, "commit", move->commit);
		jsonw_knumber(w, "ratio", delta.ratio);
		if (delta.by_difference)
			jsonw_knumber(w, "difference", delta.difference);
		jsonw_kstring(w, "verdict", verdict_name(move->verdict));
		jsonw_kstring(w, "accepted", move->accepted);
		jsonw_object_end(w);
	} else {
		jsonw_null(w);
	}
	jsonw_object_end(w);
}

static int list_json(const struct trend_set *set, struct buf *out, struct err *err)
{
	struct jsonw writer, *w = &writer;
	size_t i;

	jsonw_init(w, out, 1);
	jsonw_object(w);
	jsonw_kstring(w, "schema", "pawl.history-list/1");
	jsonw_key(w, "benchmarks");
	jsonw_array(w);
	for (i = 0; i < set->n; i++)
		if (set->v[i].n > set->v[i].first)
			write_trend(w, &set->v[i]);
	jsonw_array_end(w);
	jsonw_object_end(w);
	buf_addc(out, '\n');
	return buf_check(out, err);
}

int trend_list(const char *format, const struct trend_set *set, const struct render_options *opt,
	       struct buf *out, struct err *err)
{
	if (!strcmp(format, "text"))
		return list_text(set, opt, out, err);
	if (!strcmp(format, "json"))
		return list_json(set, out, err);
	err_set(err, ERR_USAGE, "the list of benchmarks has no format '%s'", format);
	return err_hint(err, "text or json; or name a benchmark");
}
