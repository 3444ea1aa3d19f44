#include "lib/judge/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/stats/signedrank.h"

#include "lib/base/banned.h"

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

const char *const series_facts[SERIES_FACTS] = { "microcode", "anchors", "compiler" };

const char *series_break(const struct machine *a, const struct machine *b)
{
	size_t i;

	if (!same_text(a->kernel, b->kernel))
		return "kernel";
	if (!same_text(a->governor, b->governor))
		return "governor";
	for (i = 0; i < SERIES_FACTS; i++)
		if (!same_text(facts_find(&a->more, series_facts[i]),
			       facts_find(&b->more, series_facts[i])))
			return series_facts[i];
	return NULL;
}

static const struct track *track_of(const struct bench *b, const char *name, size_t n)
{
	size_t i;

	for (i = 0; i < b->n_tracks; i++)
		if (!strcmp(b->tracks[i].name, name) && b->tracks[i].n_head == n)
			return &b->tracks[i];
	return NULL;
}

bool series_session(const struct bench *b, const char *metric, struct session *out)
{
	const struct metric *m = bench_find_metric(b, metric);
	const struct track *alu, *mix;
	bool is_time, good = false;
	double *y;
	size_t i;

	if (!m || m->n < 6 || m->n > SIGNED_RANK_MAX)
		return false;
	is_time = !strcmp(m->unit, "ns");
	alu = track_of(b, "anchor-alu", m->n);
	mix = track_of(b, "anchor-malloc", m->n);
	y = malloc(m->n * sizeof(*y));
	if (y && ((alu && mix) || !is_time)) {
		for (i = 0; i < m->n; i++) {
			y[i] = log(m->samples[i]);
			if (is_time)
				y[i] -= (log(alu->head[i]) + log(mix->head[i])) / 2;
		}
		good = !session_of(y, m->n, out, NULL);
	}
	free(y);
	return good;
}
