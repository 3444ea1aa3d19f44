/*
 * schedule_fixture - a runner without processes and without a clock: every number is made up.
 */
#ifndef PAWL_TESTS_UNIT_COLLECTOR_SCHEDULE_SCHEDULE_FIXTURE_H
#define PAWL_TESTS_UNIT_COLLECTOR_SCHEDULE_SCHEDULE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collector/schedule/schedule.h"

#define FAKE_UNITS 8
#define FAKE_CALLS 8192
#define FAKE_BASE_NS 1000.0

/* What a test decides about one unit; call counts its pairs from 0, warm-up included. */
struct fake_unit {
	double (*log_ratio)(int call); /* of cpu; NULL: always 0 */
	double (*log_ratio_wall)(int call);
	unsigned (*layout)(int call); /* NULL: 0, as it was built */
	double total;		   /* of the runs' times, beside log_ratio, which is the slices' */
	double (*items)(int call); /* the log-ratio of a counter "items"; NULL: there is none */
	bool more_is_better;	   /* of it */
	bool (*head_fails)(int call), (*base_fails)(int call);
	bool (*suspended)(int call), (*lost_processor)(int call);
	bool has_helpers;	  /* in every run that does not fail */
	bool has_threads;	  /* likewise */
	bool *pinned;		  /* of each call, or NULL */
	bool (*behind)(int call); /* others, in their processes, unless it runs alone */
	double left_behind;	  /* what those leave there adds to the ratio */
	bool calibration_fails, base_calibration_fails;
	int n_left;    /* of each head */
	double run_ns; /* what calibration finds that a run takes; 0: 64 us */
	int n_calls, n_calibrated, n_base_calibrated;
};

struct fake_call {
	int unit; /* its number, or -1 - i for anchor i */
	int order;
	bool with_base;
};

static struct fake {
	struct bench_config config[FAKE_UNITS], anchor_config;
	struct unit units[FAKE_UNITS], anchors[2];
	struct fake_unit plan[FAKE_UNITS], anchor_plan[2];
	size_t n;
	struct fake_call calls[FAKE_CALLS];
	int n_calls;
	int stop_at; /* the call that is stopped by a signal; -1: none */
	struct schedule schedule;
	struct err err;
} fake;

/* Log-ratios spread evenly over +-0.06, in mixed order: never apart from 0, never within +-1 %. */
static inline double wide(int call)
{
	return 0.06 * (call * 37 % 101 - 50) / 50;
}

/* A narrower one beside 0: open at 24 and at 30 pairs, and at 24 it might be decided by 30. */
static inline double undecided(int call)
{
	return 0.006 + 0.4 * wide(call);
}

static inline struct fake_unit *plan_of(const struct unit *u, int *out_number)
{
	size_t i;

	*out_number = 0;
	for (i = 0; i < 2; i++)
		if (u == &fake.anchors[i]) {
			*out_number = -1 - (int)i;
			return &fake.anchor_plan[i];
		}
	for (i = 0; i < fake.n; i++)
		if (u == &fake.units[i]) {
			*out_number = (int)i;
			return &fake.plan[i];
		}
	fail_msg("an unknown unit was run");
	return NULL;
}

static inline int fake_calibrate(void *ctx, struct unit *u, const struct side *side,
				 struct err *err)
{
	int number;
	struct fake_unit *plan = plan_of(u, &number);
	bool on_base = side == &u->base;

	assert_ptr_equal(ctx, &fake);
	assert_true(on_base || side == &u->head);
	plan->n_calibrated += !on_base;
	plan->n_base_calibrated += on_base;
	if (on_base ? plan->base_calibration_fails : plan->calibration_fails)
		return str_set(&u->failure, on_base ? "no base" : "no calibration", err);
	u->iterations = 64;
	u->slices = 10;
	u->run_ns = plan->run_ns > 0 ? plan->run_ns : 64 * FAKE_BASE_NS;
	return 0;
}

static inline void fake_run(struct run *run, double ns, double wall_ns)
{
	memset(run, 0, sizeof(*run));
	run->wall_ns = wall_ns;
	run->cpu_ns = run->process_cpu_ns = ns;
	run->run_delay_ns = (double)NAN;
}

static inline void fake_items(struct run *run, double count, bool more_is_better)
{
	run->counters = calloc(1, sizeof(*run->counters));
	assert_non_null(run->counters);
	run->n_counters = 1;
	run->counters->value = count;
	run->counters->better = more_is_better ? BETTER_HIGHER : BETTER_LOWER;
	assert_int_equal(0, str_set(&run->counters->name, "items", NULL));
}

static inline int fake_pair(void *ctx, const struct unit *u, struct pair *p, struct err *err)
{
	int number, call;
	struct fake_unit *plan = plan_of(u, &number);
	double cpu, wall;

	assert_ptr_equal(ctx, &fake);
	assert_true(fake.n_calls < FAKE_CALLS);
	if (fake.n_calls == fake.stop_at)
		return err_set(err, ERR_STOPPED, "stopped by a signal");
	fake.calls[fake.n_calls++] = (struct fake_call){ number, p->order, u->has_base };
	call = plan->n_calls++;
	p->is_behind = plan->behind && !u->alone && plan->behind(call);
	cpu = (plan->log_ratio ? plan->log_ratio(call) : 0) +
	      (p->is_behind ? plan->left_behind : 0);
	wall = plan->log_ratio_wall ? plan->log_ratio_wall(call) : cpu;
	p->layout = plan->layout ? plan->layout(call) : 0;
	if (u->has_base)
		fake_run(&p->base, FAKE_BASE_NS, FAKE_BASE_NS);
	fake_run(&p->head, FAKE_BASE_NS * exp(cpu + plan->total),
		 FAKE_BASE_NS * exp(wall + plan->total));
	if (plan->items) {
		fake_items(&p->head, 100 * exp(plan->items(call)), plan->more_is_better);
		fake_items(&p->base, 100, plan->more_is_better);
	}
	p->log_ratio_cpu = u->has_base ? cpu : (double)NAN;
	p->log_ratio_wall = u->has_base ? wall : (double)NAN;
	p->head.n_left = plan->n_left;
	p->head.suspended = plan->suspended && plan->suspended(call);
	p->head.lost_processor = plan->lost_processor && plan->lost_processor(call);
	if (plan->pinned)
		plan->pinned[call] = u->pinned;
	p->head.has_helpers = plan->has_helpers && !(plan->head_fails && plan->head_fails(call));
	p->head.has_threads = plan->has_threads;
	if (plan->head_fails && plan->head_fails(call))
		p->head.failure = strdup("head broke");
	if (u->has_base && plan->base_fails && plan->base_fails(call))
		p->base.failure = strdup("base broke");
	return 0;
}

/* n units with a base each, 20..30 runs (decision points at 24 and 30), seed 7, no anchors. */
static inline void fake_init(size_t n)
{
	char name[2] = "a";
	size_t i;

	assert_true(n <= FAKE_UNITS);
	memset(&fake, 0, sizeof(fake));
	fake.n = n;
	fake.stop_at = -1;
	fake.schedule = (struct schedule){ .runs_min = 20, .runs_max = 30, .seed = 7 };
	fake.anchor_config.threshold = 1;
	for (i = 0; i < n; i++, name[0]++) {
		fake.config[i].threshold = 0.01;
		fake.units[i].config = &fake.config[i];
		fake.units[i].format = FORMAT_PAWL;
		fake.units[i].has_base = true;
		assert_int_equal(0, str_set(&fake.units[i].name, name, NULL));
	}
}

static inline void fake_anchors(void)
{
	int i;

	for (i = 0; i < 2; i++) {
		fake.anchors[i].config = &fake.anchor_config;
		fake.anchors[i].format = FORMAT_PAWL;
		assert_int_equal(0, str_set(&fake.anchors[i].name, "anchor", NULL));
	}
	fake.schedule.anchors = fake.anchors;
}

static inline int fake_schedule(void)
{
	const struct runner runner = { fake_calibrate, fake_pair, &fake };

	err_clear(&fake.err);
	return schedule_run(fake.units, fake.n, &fake.schedule, &runner, &fake.err);
}

static inline void fake_release(void)
{
	size_t i;

	for (i = 0; i < fake.n; i++)
		unit_release(&fake.units[i]);
	unit_release(&fake.anchors[0]);
	unit_release(&fake.anchors[1]);
}

/* Units 0..n-1 have their decision points at 12, 17, 24 ... 200 pairs. */
static inline void points_init(size_t n)
{
	size_t i;

	fake_init(n);
	fake.schedule.runs_min = 12;
	fake.schedule.runs_max = 200;
	for (i = 0; i < n; i++)
		fake.units[i].needs_base = true;
}

#endif
