/*
 * bmf - Bencher Metric Format: {"benchmark": {"measure": {"value": 1, "lower_value": ...}}}.
 *
 * Source: "Bencher Metric Format (BMF)", bencher.dev/docs/reference/bencher-metric-format.
 */
#include <stdio.h>
#include <string.h>

#include "lib/foreign/better.h"
#include "lib/foreign/formats.h"

#include "lib/base/banned.h"

/* Every field an object of objects with a value: a shape that no other row has. */
bool bmf_recognise(const struct foreign_doc *doc)
{
	struct jtree_field bench = { NULL, NULL, NULL };
	size_t n = 0;

	while (jtree_next(doc->json, &bench)) {
		struct jtree_field measure = { NULL, NULL, NULL };

		if (jtree_kind(bench.value) != JTREE_OBJECT || !jtree_count(bench.value))
			return false;
		while (jtree_next(bench.value, &measure))
			if (!jtree_get(measure.value, "value"))
				return false;
		n++;
	}
	return n > 0;
}

/* Bencher's own measures have units; those of users have none in the file. */
static const struct measure {
	const char *name, *metric, *unit;
	enum better better;
} measures[] = {
	{ "latency", "wall", "ns", BETTER_LOWER },
	{ "throughput", "throughput", "1/s", BETTER_HIGHER },
	{ "instructions", "instructions", "1", BETTER_LOWER },
	{ "file-size", "file-size", "bytes", BETTER_LOWER },
	{ "build-time", "build-time", "ns", BETTER_LOWER },
};

static struct measure measure_of(const char *name)
{
	struct measure other = { name, name, "1", foreign_better(name) };
	size_t i;

	for (i = 0; i < sizeof(measures) / sizeof(measures[0]); i++)
		if (!strcmp(measures[i].name, name))
			return measures[i];
	return other;
}

static int read_measure(struct foreign_sink *to, struct bench *b, const char *name,
			const struct jtree *value, struct err *err)
{
	const struct measure m = measure_of(name);
	double scale = strcmp(name, "build-time") ? 1 : 1e9; /* Bencher's is in seconds */
	char where[SINK_WHERE], at[SINK_WHERE], key[SINK_WHERE];
	struct jtree_field field = { NULL, NULL, NULL };
	double x;

	snprintf(where, sizeof(where), "%.70s.%.50s", b->name, name);
	snprintf(at, sizeof(at), "%.140s.value", where);
	if (sink_need_number(value, "value", where, &x, err) ||
	    (!strcmp(m.unit, "ns") ? sink_time(b, m.metric, x, scale, at, err)
				   : sink_sample(b, m.metric, m.unit, m.better, x, at, err)) ||
	    sink_gate(to, b, m.metric, err))
		return -1;
	while (jtree_next(value, &field)) {
		if (!strcmp(field.key, "value"))
			continue;
		snprintf(key, sizeof(key), "%.70s.%.50s", name, field.key);
		if (sink_fact_json(&b->facts, key, field.value, err))
			return -1;
	}
	return 0;
}

int bmf_parse(const struct foreign_doc *doc, struct foreign_sink *to, struct err *err)
{
	struct jtree_field bench = { NULL, NULL, NULL };

	if (doc_need_json(doc, err))
		return -1;
	if (jtree_kind(doc->json) != JTREE_OBJECT)
		return err_set(err, ERR_RANGE, "must be an object of benchmarks");
	while (jtree_next(doc->json, &bench)) {
		struct jtree_field measure = { NULL, NULL, NULL };
		struct bench *b = sink_new_bench(to, bench.key, "document", err);

		if (!b)
			return -1;
		if (jtree_kind(bench.value) != JTREE_OBJECT || !jtree_count(bench.value))
			return err_set(err, ERR_RANGE, "%.100s: must be an object of measures",
				       b->name);
		while (jtree_next(bench.value, &measure))
			if (read_measure(to, b, measure.key, measure.value, err))
				return -1;
	}
	return 0;
}
