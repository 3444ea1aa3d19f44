/* Two judgements are the same, also where a figure of both is NaN. */
#ifndef PAWL_TEST_HOLD_SAME_H
#define PAWL_TEST_HOLD_SAME_H

#include "tests/unit/test_stats_near.h"
#include "lib/judge/pairs.h"

static inline void hold_same(double a, double b)
{
	assert_true(a == b || (isnan(a) && isnan(b)));
}

static inline void hold_same_judgement(const struct judgement *a, const struct judgement *b)
{
	hold_same(a->theta, b->theta);
	hold_same(a->low, b->low);
	hold_same(a->high, b->high);
	hold_same(a->p, b->p);
	hold_same(a->p_adjusted, b->p_adjusted);
	hold_same(a->noise_floor, b->noise_floor);
	hold_same(a->terms.delta_log, b->terms.delta_log);
	assert_int_equal(a->call, b->call);
	assert_int_equal(a->n, b->n);
	assert_int_equal(a->n_disturbed, b->n_disturbed);
	assert_int_equal(a->sticks, b->sticks);
	assert_int_equal(a->terms.n_points, b->terms.n_points);
}

#endif
