/*
 * gate_fixture - five pairs that the gate is shown.
 */
#ifndef PAWL_TESTS_UNIT_COLLECTOR_GATE_FIXTURE_H
#define PAWL_TESTS_UNIT_COLLECTOR_GATE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "collector/schedule/gate.h"

#define N_PAIRS 5

static struct bench_config config;
static struct pair pairs[N_PAIRS];
static struct unit unit;

/* Five pairs of one thread that computes all the time: 1,000 iterations of 1 us. */
static inline int start(void **state)
{
	const struct run run = {
		.wall_ns = 1000, .cpu_ns = 999, .process_cpu_ns = 1000, .run_delay_ns = (double)NAN
	};
	int i;

	(void)state;
	memset(&config, 0, sizeof(config));
	memset(&unit, 0, sizeof(unit));
	memset(pairs, 0, sizeof(pairs));
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].head = pairs[i].base = run;
	unit.config = &config;
	unit.format = FORMAT_PAWL;
	unit.has_base = true;
	unit.iterations = 1000;
	unit.pairs = pairs;
	unit.n_pairs = N_PAIRS;
	return 0;
}

/* Shows it the pairs as calibration does: until it is sure. */
static inline void see_pairs(void)
{
	int i;

	unit.n_gated = 0;
	unit.works[0] = unit.works[1] = false;
	unit.n_seemed[0] = unit.n_seemed[1] = 0;
	for (i = 0; i < N_PAIRS && !gate_is_sure(&unit); i++)
		gate_see(&unit, &pairs[i]);
}

static inline const char *why(void)
{
	const char *text = NULL;

	see_pairs();
	gate_metric(&unit, &text);
	return text;
}

static inline void assert_gate(enum gate expected)
{
	const char *text = NULL;

	see_pairs();
	assert_int_equal(expected, gate_of(&unit));
	assert_string_equal(expected == GATE_WALL ? "wall" : "cpu", gate_metric(&unit, &text));
	assert_non_null(text);
}

static inline void set_command(double wall_ns, double cpu_ns, double switches)
{
	int i;

	for (i = 0; i < N_PAIRS; i++) {
		pairs[i].head.wall_ns = pairs[i].base.wall_ns = wall_ns;
		pairs[i].head.cpu_ns = pairs[i].head.process_cpu_ns = cpu_ns;
		pairs[i].base.cpu_ns = pairs[i].base.process_cpu_ns = wall_ns;
		pairs[i].head.voluntary_switches = switches;
	}
}

#endif
