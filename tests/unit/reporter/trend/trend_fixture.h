/*
 * trend_fixture - trends made by hand, or by a seeded simulation, without a store or a clock.
 */
#ifndef PAWL_TESTS_UNIT_REPORTER_TREND_TREND_FIXTURE_H
#define PAWL_TESTS_UNIT_REPORTER_TREND_TREND_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/coin_draws.h"

#include "lib/stats/dist.h"
#include "reporter/trend/trend.h"

#define FIXTURE_PAIRS 25
#define FIXTURE_MONDAY_US 1763632800000000

static inline double fixture_normal(struct coin *coin)
{
	return normal_quantile(coin_fraction(coin));
}

/* "0000000500000005..." for place 5. */
static inline void fixture_commit(size_t place, char out[41])
{
	int i;

	for (i = 0; i < 5; i++)
		snprintf(out + 8 * i, 9, "%08x", (unsigned)place);
}

static inline void fixture_trend(struct trend *t)
{
	trend_init(t);
	assert_int_equal(0, str_set(&t->project, "zlib", NULL));
	assert_int_equal(0, str_set(&t->benchmark, "deflate/6", NULL));
	assert_int_equal(0, str_set(&t->metric, "cpu", NULL));
	assert_int_equal(0, str_set(&t->unit, "ns", NULL));
	assert_int_equal(0, str_set(&t->machine, "0123456789abcdef", NULL));
	t->threshold = 0.01;
}

/* A point at a level (log, in units of a millisecond), without a step. */
static inline struct trend_point *fixture_point(struct trend *t, size_t place, double level)
{
	struct trend_point p = { .place = place,
				 .time_us = FIXTURE_MONDAY_US + (int64_t)place * 86400000000,
				 .level = 1e6 * exp(level),
				 .low = 1e6 * exp(level - 0.002),
				 .high = 1e6 * exp(level + 0.002),
				 .n_runs = FIXTURE_PAIRS,
				 .iterations = 4,
				 .has_location = true,
				 .location = level,
				 .base_place = TREND_NOWHERE,
				 .se = (double)NAN,
				 .chained = (double)NAN,
				 .reported = VERDICT_NO_BASELINE };
	char commit[41];

	fixture_commit(place, commit);
	assert_int_equal(0, str_set(&p.commit, commit, NULL));
	assert_int_equal(0, str_set(&p.subject, "look further", NULL));
	assert_int_equal(0, trend_add(t, &p, NULL));
	return &t->points[t->n - 1];
}

/* A step from base_place: pairs around `effect` (log), each off by sd. */
static inline void fixture_step(struct trend_point *p, size_t base_place, double effect, double sd,
				struct coin *coin)
{
	char commit[41];
	size_t i;

	fixture_commit(base_place, commit);
	assert_int_equal(0, str_set(&p->base, commit, NULL));
	p->base_place = base_place;
	p->how = TREND_PAIRED;
	p->n_points = 1;
	p->n_pairs = FIXTURE_PAIRS;
	p->reported = VERDICT_UNCHANGED;
	p->d = malloc(FIXTURE_PAIRS * sizeof(*p->d));
	assert_non_null(p->d);
	for (i = 0; i < FIXTURE_PAIRS; i++)
		p->d[i] = effect + sd * fixture_normal(coin);
}

/* n points at places 0..n-1, each a step from the one before; effects[i] or 0, sd of a pair. */
static inline void fixture_line(struct trend *t, size_t n, const double *effects, double sd)
{
	struct coin coin;
	double level = 0;
	size_t i;

	fixture_trend(t);
	coin_init(&coin, 5);
	for (i = 0; i < n; i++) {
		struct trend_point *p;

		level += effects ? effects[i] : 0;
		p = fixture_point(t, i, level + 0.001 * fixture_normal(&coin));
		if (i)
			fixture_step(p, i - 1, effects ? effects[i] : 0, sd, &coin);
	}
	t->n_line = n;
}

#endif
