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

/* ---- counters ---------------------------------------------------------------------------- */

/*
 * json() writes 0 for a counter that nanobench could not open.  That of these is a count only where
 * one of `beside` is above 0: no operation takes no cycle; what the system counts, it counts all.
 */
static const struct counter {
	const char *name;
	const char *beside[6];
} counters[] = {
	{ "cpucycles", { NULL } },
	{ "instructions", { NULL } },
	{ "branchinstructions", { NULL } },
	{ "branchmisses", { "branchinstructions", NULL } },
	{ "pagefaults",
	  { "contextswitches", "cpucycles", "instructions", "branchinstructions", "branchmisses",
	    NULL } },
	{ "contextswitches",
	  { "pagefaults", "cpucycles", "instructions", "branchinstructions", "branchmisses",
	    NULL } },
};
#define N_COUNTERS (sizeof(counters) / sizeof(counters[0]))

static bool is_above_0(const struct jtree *all, const char *name)
{
	const struct jtree *one;

	for (one = jtree_first(all); one; one = jtree_after(all, one))
		if (jtree_number(jtree_get(one, name)) > 0)
			return true;
	return false;
}

/* What is to be known before the first measurement is read. */
struct entry {
	double batch;
	bool absent[N_COUNTERS]; /* its zeros in all measurements say nothing */
};

static void find_absent(const struct jtree *all, struct entry *e)
{
	size_t i, k;

	for (i = 0; i < N_COUNTERS; i++) {
		e->absent[i] = !is_above_0(all, counters[i].name);
		for (k = 0; e->absent[i] && counters[i].beside[k]; k++)
			e->absent[i] = !is_above_0(all, counters[i].beside[k]);
	}
}

static bool is_absent(const struct entry *e, const char *name)
{
	size_t i;

	for (i = 0; i < N_COUNTERS && strcmp(counters[i].name, name) != 0; i++)
		;
	return i < N_COUNTERS && e->absent[i];
}

/* ---- measurements ------------------------------------------------------------------------ */

/* "iterations" is how often, "elapsed" the time; all others are counters, -1 or 0 where not had. */
static int read_measurement(struct bench *b, const struct jtree *m, const struct entry *e,
			    const char *where, struct err *err)
{
	struct jtree_field field = { NULL, NULL, NULL };
	char at[SINK_WHERE];
	double value;

	if (sink_need_number(m, "elapsed", where, &value, err))
		return -1;
	snprintf(at, sizeof(at), "%.100s.elapsed", where);
	if (sink_time(b, "wall", value / e->batch, S_NS, at, err))
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
		else if (is_absent(e, field.key))
			result = sink_absent(b, field.key, "1", BETTER_LOWER,
					     "nanobench did not count it, or it was 0 throughout",
					     at, err);
		else
			result = value < 0 ? 0
					   : sink_sample(b, field.key, "1", BETTER_LOWER,
							 value / e->batch, at, err);
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
	const struct jtree *all, *one;
	struct bench *b = bench_of(to, entry, where, err);
	char at[SINK_WHERE];
	struct entry e;
	size_t i = 0;

	if (!b || read_batch(entry, where, &e.batch, err) ||
	    sink_array(entry, "measurements", where, &all, err))
		return -1;
	find_absent(all, &e);
	for (one = jtree_first(all); one; one = jtree_after(all, one)) {
		snprintf(at, sizeof(at), "%.60s.measurements[%zu]", where, i++);
		if (jtree_kind(one) != JTREE_OBJECT)
			return err_set(err, ERR_RANGE, "%s: must be an object", at);
		if (read_measurement(b, one, &e, at, err))
			return -1;
	}
	if (!jtree_count(all) && read_median(b, entry, e.batch, where, err))
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
