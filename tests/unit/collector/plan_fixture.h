/*
 * plan_fixture - a work tree with small programs, a configuration and a parent commit.
 */
#ifndef PAWL_TESTS_UNIT_COLLECTOR_PLAN_FIXTURE_H
#define PAWL_TESTS_UNIT_COLLECTOR_PLAN_FIXTURE_H

#include "tests/unit/collector/compile_fixture.h"

#include <sys/stat.h>

#include "collector/plan.h"

static struct config config;
static struct process_runner runner;
static struct history history;
static struct plan plan;
static struct plan_request rq;
static char cache[200];
static struct err err;
static int n_warnings;

static inline void count_warning(void *ctx, const char *text, const char *cure)
{
	(void)ctx;
	assert_non_null(text);
	assert_non_null(cure);
	n_warnings++;
}

static const struct talk talk = { .warn = count_warning };

/* A work tree with ./prog, which gives 1, and a benchmark "b" that runs it. */
static inline int begin(void **state)
{
	static struct bench_config benchmarks[4];

	(void)state;
	memset(&config, 0, sizeof(config));
	memset(benchmarks, 0, sizeof(benchmarks));
	config.benchmarks = benchmarks;
	n_warnings = 0;
	runner = (struct process_runner){ .top = workshop, .cpu = -1, .min_time_ns = 1000000 };
	history = (struct history)HISTORY_INIT;
	plan = (struct plan)PLAN_INIT;
	snprintf(cache, sizeof(cache), "%s/cache", workshop);
	rq = (struct plan_request){ .config = &config,
				    .runner = &runner,
				    .top = workshop,
				    .cache_dir = cache,
				    .history = &history,
				    .talk = &talk };
	err_clear(&err);
	return 0;
}

static inline int end(void **state)
{
	size_t i;

	for (i = 0; i < config.n_benchmarks; i++) {
		free(config.benchmarks[i].name);
		strv_release(&config.benchmarks[i].command);
		strv_release(&config.benchmarks[i].inputs);
	}
	history_release(&history);
	plan_release(&plan);
	file_remove_tree(cache, NULL);
	return rig_release(state);
}

static inline void make_program(int n)
{
	char text[80];

	needs_compiler();
	snprintf(text, sizeof(text), "int main(void) { return %d; }\n", n);
	write_source("prog.c", text);
	COMPILE("-O1 -o prog prog.c");
}

static inline struct bench_config *add_config(const char *name, const char *command)
{
	struct bench_config *c = &config.benchmarks[config.n_benchmarks++];

	c->name = strdup(name);
	assert_non_null(c->name);
	c->threshold = 0.01;
	c->cache = true;
	assert_int_equal(0, words_split(command, &c->command, NULL));
	return c;
}

static inline struct unit *make_plan(void)
{
	plan_release(&plan);
	if (plan_make(&rq, &plan, &err))
		fail_msg("plan_make: %s", err.text);
	assert_true(plan.n > 0);
	return &plan.units[0];
}

/* Makes what was just planned the parent commit's result. */
static inline void remember(const char *name, const char *binary_id, uint64_t iterations)
{
	struct summary s;
	struct bench *b;

	summary_init(&s);
	assert_int_equal(0, str_set(&s.commit.id, "aa", NULL));
	b = summary_add_bench(&s, name, NULL);
	assert_non_null(b);
	b->iterations = iterations;
	assert_int_equal(0, str_set(&b->binary_id, binary_id, NULL));
	history_release(&history);
	assert_int_equal(0, history_add(&history, &s, NULL));
}

static inline void remember_plan(void)
{
	remember(plan.units[0].name, plan.units[0].head.binary_id, 64);
}

static inline void assert_failed(const struct unit *u, const char *part)
{
	assert_non_null(u->failure);
	if (!strstr(u->failure, part))
		fail_msg("'%s' does not say '%s'", u->failure, part);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

#endif
