/*
 * trend_point - from a stored summary to one point of a trend.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/judge/pairs.h"
#include "lib/stats/signedrank.h"
#include "reporter/judge/series.h"
#include "reporter/trend/trend.h"

#include "lib/base/banned.h"

void trend_point_release(struct trend_point *p)
{
	size_t i;

	free(p->commit);
	free(p->subject);
	free(p->base);
	free(p->d);
	free(p->accepted);
	free(p->machine.kernel);
	free(p->machine.governor);
	for (i = 0; i < p->machine.more.n; i++) {
		free(p->machine.more.v[i].name);
		free(p->machine.more.v[i].value);
	}
	free(p->machine.more.v);
	memset(p, 0, sizeof(*p));
}

static int keep_series(const struct machine *from, struct machine *to, struct err *err)
{
	static const char *const facts[] = { "microcode", "anchors", "compiler" };
	size_t i;

	if (str_set(&to->kernel, from->kernel, err) || str_set(&to->governor, from->governor, err))
		return -1;
	for (i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		const char *value = facts_find(&from->more, facts[i]);

		if (value && facts_add(&to->more, facts[i], value, err))
			return -1;
	}
	return 0;
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Hodges-Lehmann of the logs; of samples without logs, or too many, the median alone. */
static int set_level(const struct metric *m, struct trend_point *p, struct err *err)
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
		    trend_place_fn *place_of, const void *ctx, struct trend_point *p,
		    struct err *err)
{
	const char *base = b->baseline_commit ? b->baseline_commit : s->baseline.commit;
	size_t base_place = base ? place_of(ctx, base) : TREND_NOWHERE;
	struct pair_changes changes;

	if (base_place == TREND_NOWHERE || base_place >= p->place)
		return 0;
	if (bench_verdict(b) == VERDICT_IDENTICAL) {
		p->how = TREND_IDENTICAL;
	} else if (m && ran_beside(s, b)) {
		if (pair_changes_of(b, m, &changes, err))
			return -1;
		if (!changes.d)
			return 0;
		p->d = changes.d;
		p->n_pairs = changes.n;
		p->by_difference = changes.by_difference;
		p->base_size = changes.base_size;
		p->how = TREND_PAIRED;
		p->n_points = b->looks.n ? b->looks.n : 1;
		p->many_void = b->n_void * 10 > b->n_void + m->n;
	} else {
		return 0;
	}
	p->base_place = base_place;
	return str_set(&p->base, base, err);
}

/* The report judged the gate metric alone; of another one it moved nothing. */
static enum verdict reported_of(const struct bench *b, const char *metric)
{
	enum verdict v = bench_verdict(b);
	bool moved = v == VERDICT_REGRESSED || v == VERDICT_IMPROVED;

	return moved && b->gate && strcmp(b->gate, metric) ? VERDICT_NONE : v;
}

int trend_point_of(const struct summary *s, const struct bench *b, const char *metric,
		   trend_place_fn *place_of, const void *ctx, struct trend_point *out,
		   struct err *err)
{
	const struct metric *m = bench_find_metric(b, metric);
	const struct delta *delta = m && m->has_delta ? &m->delta : NULL;
	struct session session;
	struct trend_point p = { .level = (double)NAN,
				 .low = (double)NAN,
				 .high = (double)NAN,
				 .location = (double)NAN,
				 .base_place = TREND_NOWHERE,
				 .se = (double)NAN,
				 .chained = (double)NAN };

	p.place = s->commit.id ? place_of(ctx, s->commit.id) : TREND_NOWHERE;
	p.time_us = s->commit.commit_time_us;
	p.failed = b->status == BENCH_FAILED || b->status == BENCH_TIMEOUT;
	p.iterations = b->iterations;
	p.reported = reported_of(b, metric);
	p.suspect = delta && delta->suspect;
	if (str_set(&p.commit, s->commit.id ? s->commit.id : "", err) ||
	    str_set(&p.subject, s->commit.subject, err) ||
	    keep_series(&s->machine, &p.machine, err) ||
	    (b->accepted.commit &&
	     str_set(&p.accepted, b->accepted.because ? b->accepted.because : "", err)) ||
	    (m && m->n && set_level(m, &p, err)) || set_step(s, b, m, place_of, ctx, &p, err)) {
		trend_point_release(&p);
		*out = p;
		return -1;
	}
	p.has_location = series_session(b, metric, &session);
	if (p.has_location)
		p.location = session.location;
	*out = p;
	return 0;
}
