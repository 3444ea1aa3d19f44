#include "reporter/judge/disturbed.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/judge/pairs.h"
#include "lib/stats/sample.h"
#include "lib/stats/verdict.h"

#include "lib/base/banned.h"

static const struct cause {
	const char *name, *track;
	bool apart; /* how far the sides are apart, not how much they have together */
} causes[DISTURBED_CAUSES] = {
	{ "preempted", "involuntary_switches", false },
	{ "hypervisor", "steal_ticks", false },
	{ "moved", "migrations", false },
	{ "waiting for a processor", "run_delay_ns", false },
	{ "busy machine", "pressure_ns", false },
	{ "pages from disk", "major_faults", false },
	{ "page faults", "minor_faults", true },
	{ "frequency", "frequency_hz", true },
};

static const struct track *track_of(const struct bench *b, const char *name, size_t n)
{
	size_t i;

	for (i = 0; i < b->n_tracks; i++) {
		const struct track *t = &b->tracks[i];

		if (!strcmp(t->name, name) && t->n_head == n && t->n_base == n)
			return t;
	}
	return NULL;
}

static double value_at(const struct cause *c, const struct track *t, size_t i)
{
	return c->apart ? fabs(t->head[i] - t->base[i]) : t->head[i] + t->base[i];
}

/* The most that it was in a pair like the others; infinite when there is no such pair. */
static double usual_most(const struct cause *c, const struct track *t, const bool *which, size_t n)
{
	double most = (double)NAN;
	size_t i;

	for (i = 0; i < n; i++)
		if (!which[i])
			most = fmax(most, value_at(c, t, i));
	return isnan(most) ? (double)INFINITY : most;
}

static void add_pairs(const struct bench *b, const bool *which, size_t n, bool *seen,
		      struct disturbed *out)
{
	size_t k, i;

	for (k = 0; k < DISTURBED_CAUSES; k++) {
		const struct track *t = track_of(b, causes[k].track, n);
		double most = t ? usual_most(&causes[k], t, which, n) : 0;

		for (i = 0; t && i < n; i++)
			if (which[i] && value_at(&causes[k], t, i) > most) {
				out->n[k]++;
				seen[i] = true;
			}
	}
	for (i = 0; i < n; i++)
		out->n_unexplained += which[i] && !seen[i];
}

int disturbed_add(const struct bench *b, struct disturbed *out, struct err *err)
{
	const struct metric *m = b->gate ? bench_find_metric(b, b->gate) : NULL;
	bool *which = NULL, *seen = NULL;
	struct pair_changes changes;
	double *sorted = NULL;
	size_t n;
	int result = -1;

	if (!m || !b->n_disturbed)
		return 0;
	if (pair_changes_of(b, m, &changes, err))
		return -1;
	n = changes.n;
	if (!n) {
		result = 0;
		goto out;
	}
	which = calloc(n, sizeof(*which));
	seen = calloc(n, sizeof(*seen));
	sorted = sample_sorted(changes.d, n, err);
	if (!which || !seen || !sorted) {
		err_nomem(err);
		goto out;
	}
	/* Fewer or more than were counted: these are not the values it was judged by. */
	if (pairs_disturbed(changes.d, sorted, n, which) == b->n_disturbed)
		add_pairs(b, which, n, seen, out);
	result = 0;
out:
	free(which);
	free(seen);
	free(sorted);
	pair_changes_release(&changes);
	return result;
}

/* The most frequent cause that is less frequent than `below`, or equal and behind `after`. */
static int next_cause(const struct disturbed *d, size_t below, int after)
{
	int best = -1, k;

	for (k = 0; k < DISTURBED_CAUSES; k++)
		if (d->n[k] && (d->n[k] < below || (d->n[k] == below && k > after)) &&
		    (best < 0 || d->n[k] > d->n[best]))
			best = k;
	return best;
}

void disturbed_say(const struct disturbed *d, struct buf *out)
{
	const char *mark = ": ";
	size_t below = SIZE_MAX;
	int k = -1;

	while ((k = next_cause(d, below, k)) >= 0) {
		buf_addf(out, "%s%s %zu", mark, causes[k].name, d->n[k]);
		mark = ", ";
		below = d->n[k];
	}
	if (d->n_unexplained)
		buf_addf(out, "%scause unknown %zu", mark, d->n_unexplained);
}
