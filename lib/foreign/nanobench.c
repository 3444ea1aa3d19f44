/*
 * nanobench - ankerl::nanobench::templates::json(): a sample an epoch, in seconds an iteration.  As
 * in nanobench's own table all figures are of one of the `batch` things that an iteration does.
 *
 * Source: "Rendering Mustache-like Templates" of nanobench.ankerl.com and its templates::json().
 */
#include <stdio.h>
#include <string.h>

#include "lib/foreign/formats.h"

#include "lib/base/banned.h"

#define S_NS 1e9

bool nanobench_recognise(const struct foreign_doc *doc)
{
	const struct jtree *first = jtree_item(jtree_get(doc->json, "results"), 0);

	return jtree_get(first, "name") &&
	       (jtree_get(first, "median(elapsed)") || jtree_get(first, "measurements"));
}

/* "iterations" is how often, "elapsed" the time; all others are counters, -1 or 0 where not had. */
static int read_measurement(struct bench *b, const struct jtree *m, double batch, const char *where,
			    struct err *err)
{
	struct jtree_field field = { NULL, NULL, NULL };
	char at[SINK_WHERE];
	double value;

	if (sink_need_number(m, "elapsed", where, &value, err))
		return -1;
	snprintf(at, sizeof(at), "%.100s.elapsed", where);
	if (sink_time(b, "wall", value / batch, S_NS, at, err))
		return -1;
	while (jtree_next(m, &field)) {
		int result;

		if (!strcmp(field.key, "elapsed"))
			continue;
		snprintf(at, sizeof(at), "%.100s.%.50s", where, field.key);
		if (sink_need_number(m, field.key, where, &value, err))
			return -1;
		if (!strcmp(field.key, "iterations"))
			result = sink_track(b, "iterations", value, err);
		else
			result = value < 0 ? 0
					   : sink_sample(b, field.key, "1", BETTER_LOWER,
							 value / batch, at, err);
		if (result)
			return -1;
	}
	return 0;
}

static int read_median(struct bench *b, const struct jtree *entry, double batch, const char *where,
		       struct err *err)
{
	struct metric *m = sink_metric(b, "wall", "ns", BETTER_LOWER, where, err);
	double value;

	if (!m || sink_need_number(entry, "median(elapsed)", where, &value, err) ||
	    sink_figure(m, &m->median, value / batch * S_NS, where, err))
		return -1;
	sink_described(m);
	return 0;
}

static struct bench *bench_of(struct foreign_sink *to, const struct jtree *entry, const char *where,
			      struct err *err)
{
	const char *name = sink_need_text(entry, "name", where, err);
	const char *title = jtree_text(jtree_get(entry, "title"));
	struct buf text = BUF_INIT;
	struct bench *b = NULL;

	if (!name)
		return NULL;
	if (title && *title && strcmp(title, "benchmark") != 0) /* what it is without a title */
		buf_addf(&text, "%s/", title);
	buf_adds(&text, name);
	if (!buf_check(&text, err))
		b = sink_new_bench(to, buf_str(&text), where, err);
	buf_release(&text);
	return b;
}

static int read_batch(const struct jtree *entry, const char *where, double *out, struct err *err)
{
	*out = 1;
	if (!jtree_get(entry, "batch"))
		return 0;
	if (sink_need_number(entry, "batch", where, out, err))
		return -1;
	return *out > 0 ? 0
			: err_set(err, ERR_RANGE, "%s.batch: %g is no number of things", where,
				  *out);
}

static int read_entry(struct foreign_sink *to, const struct jtree *entry, const char *where,
		      struct err *err)
{
	static const char *const known[] = { "name", "title", "measurements", "median(elapsed)",
					     NULL };
	const struct jtree *all = jtree_get(entry, "measurements");
	struct bench *b = bench_of(to, entry, where, err);
	char at[SINK_WHERE];
	double batch;
	size_t i;

	if (!b || read_batch(entry, where, &batch, err))
		return -1;
	for (i = 0; i < jtree_count(all); i++) {
		snprintf(at, sizeof(at), "%.60s.measurements[%zu]", where, i);
		if (jtree_kind(jtree_item(all, i)) != JTREE_OBJECT)
			return err_set(err, ERR_RANGE, "%s: must be an object", at);
		if (read_measurement(b, jtree_item(all, i), batch, at, err))
			return -1;
	}
	if (!jtree_count(all) && read_median(b, entry, batch, where, err))
		return -1;
	return sink_rest(&b->facts, entry, known, err) || sink_gate(to, b, "wall", err) ? -1 : 0;
}

int nanobench_parse(const struct foreign_doc *doc, struct foreign_sink *to, struct err *err)
{
	static const char *const top[] = { "results", NULL };

	return doc_need_json(doc, err) || sink_rest(to->file, doc->json, top, err) ||
			       sink_each(to, doc->json, "results", read_entry, err)
		       ? -1
		       : 0;
}
