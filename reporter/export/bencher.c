/*
 * Bencher: {"BENCHMARK": {"MEASURE": {"value", "lower_value", "upper_value"}}}, the mean with its
 * interval; posted inside a run.  Wall time is its measure "latency"; what a program itself calls
 * so is "counter.latency" beside it.
 */
#include <math.h>
#include <string.h>

#include "lib/base/jsonw.h"
#include "lib/base/when.h"
#include "reporter/export/local.h"

#include "lib/base/banned.h"

static bool is_latency(const struct metric *m)
{
	return !strcmp(m->name, "wall") && !strcmp(m->unit, "ns");
}

/* The key, which a benchmark must not have twice. */
static const char *measure_of(const struct bench *b, const struct metric *m)
{
	size_t i;

	if (is_latency(m))
		return "latency";
	for (i = 0; !strcmp(m->name, "latency") && i < b->n_metrics; i++)
		if (is_latency(&b->metrics[i]) && export_has_figures(b, &b->metrics[i]))
			return "counter.latency";
	return m->name;
}

static int add_measure(const struct bench *b, const struct metric *m, struct jsonw *w,
		       struct err *err)
{
	struct description d;

	if (export_figures(b, m, &d, err))
		return -1;
	jsonw_key(w, measure_of(b, m));
	jsonw_object(w);
	jsonw_knumber(w, "value", d.mean);
	if (isfinite(d.ci_low) && isfinite(d.ci_high)) {
		jsonw_knumber(w, "lower_value", d.ci_low);
		jsonw_knumber(w, "upper_value", d.ci_high);
	}
	jsonw_object_end(w);
	return 0;
}

int export_bencher(const struct summary *s, bool is_first, struct buf *out, struct err *err)
{
	struct jsonw w;
	size_t i, k;

	(void)is_first;
	jsonw_init(&w, out, 2);
	jsonw_object(&w);
	for (i = 0; i < s->n_benchmarks; i++) {
		const struct bench *b = &s->benchmarks[i];
		bool is_open = false;

		for (k = 0; k < b->n_metrics; k++) {
			if (!export_has_figures(b, &b->metrics[k]))
				continue;
			if (!is_open) {
				jsonw_key(&w, b->name);
				jsonw_object(&w);
			}
			is_open = true;
			if (add_measure(b, &b->metrics[k], &w, err))
				return -1;
		}
		if (is_open)
			jsonw_object_end(&w);
	}
	jsonw_object_end(&w);
	buf_addc(out, '\n');
	return buf_check(out, err);
}

int export_bencher_wrap(const struct summary *s, const struct buf *document, struct buf *out,
			struct err *err)
{
	char when[WHEN_ISO];
	struct jsonw w;

	jsonw_init(&w, out, 0);
	jsonw_object(&w);
	jsonw_kstring(&w, "project", s->project);
	if (s->commit.branch)
		jsonw_kstring(&w, "branch", s->commit.branch);
	jsonw_kstring(&w, "hash", s->commit.id);
	jsonw_kstring(&w, "testbed", s->machine.id);
	jsonw_kstring(&w, "start_time", when_iso(s->started_us, false, when));
	jsonw_kstring(&w, "end_time", when_iso(s->finished_us, false, when));
	jsonw_key(&w, "results");
	jsonw_array(&w);
	jsonw_string(&w, buf_str(document));
	jsonw_array_end(&w);
	jsonw_key(&w, "settings");
	jsonw_object(&w);
	jsonw_kstring(&w, "adapter", "json");
	jsonw_object_end(&w);
	jsonw_object_end(&w);
	return buf_check(out, err);
}
