#include "lib/judge/point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/judge/pairs.h"
#include "lib/judge/series.h"
#include "lib/judge/widening.h"
#include "lib/stats/signedrank.h"

#include "lib/base/banned.h"

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Hodges-Lehmann of the logs; of samples without logs, or too many, the median alone. */
static int set_level(const struct metric *m, struct point *p, struct err *err)
{
	struct signed_rank rank;
	double *x = malloc(m->n * sizeof(*x));
	bool logs = m->n <= SIGNED_RANK_MAX;
	size_t i;
	int result = -1;

	if (!x)
		return err_nomem(err);
	for (i = 0; i < m->n && logs; i++) {
		x[i] = log(m->samples[i]);
		logs = m->samples[i] > 0;
	}
	if (logs) {
		result = signed_rank(x, m->n, 0.95, &rank, err);
		if (!result) {
			p->level = exp(rank.theta);
			p->low = isfinite(rank.low) ? exp(rank.low) : (double)NAN;
			p->high = isfinite(rank.high) ? exp(rank.high) : (double)NAN;
		}
	} else {
		memcpy(x, m->samples, m->n * sizeof(*x));
		qsort(x, m->n, sizeof(*x), by_value);
		p->level = (x[(m->n - 1) / 2] + x[m->n / 2]) / 2;
		result = 0;
	}
	p->n_runs = m->n;
	free(x);
	return result;
}

/* Whether the base was run anew for this result: only then is the delta one of a gate. */
static bool ran_beside(const struct summary *s, const struct bench *b)
{
	const char *how = b->baseline_how ? b->baseline_how : s->baseline.how;

	return b->paired && how && (!strcmp(how, "rerun") || !strcmp(how, "rebuilt"));
}

static int set_step(const struct summary *s, const struct bench *b, const struct metric *m,
		    struct point *p, struct err *err)
{
	const char *base = b->baseline_commit ? b->baseline_commit : s->baseline.commit;
	struct pair_changes changes;

	if (!base)
		return 0;
	if (bench_verdict(b) == VERDICT_IDENTICAL) {
		p->step = POINT_IDENTICAL;
	} else if (m && ran_beside(s, b)) {
		if (pair_changes_of(b, m, &changes, err))
			return -1;
		if (!changes.d)
			return 0;
		p->d = changes.d;
		p->n_pairs = changes.n;
		p->layouts = changes.layouts;
		p->by_difference = changes.by_difference;
		p->base_size = changes.base_size;
		if (!p->by_difference)
			p->shared = widening_of(b, m);
		p->step = POINT_PAIRED;
		p->n_points = b->looks.n ? b->looks.n : 1;
		p->many_void = b->n_void * 10 > b->n_void + m->n;
	} else {
		return 0;
	}
	p->base = base;
	return 0;
}

/* The report judged the gate metric alone; of another one it moved nothing. */
static enum verdict reported_of(const struct bench *b, const char *metric)
{
	enum verdict v = bench_verdict(b);
	bool moved = v == VERDICT_REGRESSED || v == VERDICT_IMPROVED;

	return moved && b->gate && strcmp(b->gate, metric) ? VERDICT_NONE : v;
}

/* It owns nothing. */
static struct bench bench_with_threshold(const struct summary *s, const struct bench *b)
{
	struct bench copy = *b;

	copy.threshold = summary_threshold(s, b);
	return copy;
}

static const char *procs_of(const struct bench *b)
{
	const char *procs = facts_find(&b->facts, "gomaxprocs");

	return procs ? procs : b->format && !strcmp(b->format, "go") ? "1" : NULL;
}

static bool has_others(const struct bench *b, const struct metric *but)
{
	size_t i;

	for (i = 0; i < b->n_metrics; i++)
		if (&b->metrics[i] != but && b->metrics[i].n)
			return true;
	return false;
}

int point_of(const struct summary *s, const struct bench *b, const char *metric, struct point *out,
	     struct err *err)
{
	/* All that asks for the threshold is to find one: it may be that of all. */
	const struct bench with_threshold = bench_with_threshold(s, b);
	const struct metric *m = bench_find_metric(b, metric);
	const struct delta *delta = m && m->has_delta ? &m->delta : NULL;
	struct session session;
	struct point p = { .benchmark = b->name,
			   .threshold = with_threshold.threshold,
			   .level = (double)NAN,
			   .low = (double)NAN,
			   .high = (double)NAN,
			   .location = (double)NAN };

	b = &with_threshold;
	p.absent = b->status == BENCH_REMOVED || b->status == BENCH_SKIPPED;
	p.failed = bench_has_failed(b);
	p.iterations = b->iterations;
	p.procs = procs_of(b);
	p.reported = reported_of(b, metric ? metric : "");
	p.suspect = delta && delta->suspect;
	if (b->accepted.commit)
		p.accepted = b->accepted.because ? b->accepted.because : "";
	p.has_others = has_others(b, m);
	if (m && (m->n || m->described)) { /* what was summed up has no level */
		p.metric = m->name;
		p.unit = m->unit;
		p.better = m->better;
	}
	if ((m && m->n && set_level(m, &p, err)) || set_step(s, b, m, &p, err))
		return -1;
	p.has_location = metric && series_session(b, metric, &session);
	if (p.has_location)
		p.location = session.location;
	*out = p;
	return 0;
}
