/* What is to be measured, and what it is compared with: from real files in a work tree. */
#include "tests/unit/compile_fixture.h"

#include <sys/stat.h>

#include "collector/plan.h"

#include "lib/base/banned.h"

static struct config config;
static struct process_runner runner;
static struct history history;
static struct plan plan;
static struct plan_request rq;
static char cache[200];
static struct err err;
static int n_warnings;

static void count_warning(void *ctx, const char *text, const char *cure)
{
	(void)ctx;
	assert_non_null(text);
	assert_non_null(cure);
	n_warnings++;
}

static const struct talk talk = { .warn = count_warning };

/* A work tree with ./prog, which gives 1, and a benchmark "b" that runs it. */
static int begin(void **state)
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
	rq = (struct plan_request){ &config, &runner, workshop, cache, &history, &talk };
	err_clear(&err);
	return 0;
}

static int end(void **state)
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

static void make_program(int n)
{
	char text[80];

	needs_compiler();
	snprintf(text, sizeof(text), "int main(void) { return %d; }\n", n);
	write_source("prog.c", text);
	COMPILE("-O1 -o prog prog.c");
}

static struct bench_config *add_config(const char *name, const char *command)
{
	struct bench_config *c = &config.benchmarks[config.n_benchmarks++];

	c->name = strdup(name);
	assert_non_null(c->name);
	c->threshold = 0.01;
	c->cache = true;
	assert_int_equal(0, words_split(command, &c->command, NULL));
	return c;
}

static struct unit *make_plan(void)
{
	plan_release(&plan);
	if (plan_make(&rq, &plan, &err))
		fail_msg("plan_make: %s", err.text);
	assert_true(plan.n > 0);
	return &plan.units[0];
}

/* Makes what was just planned the parent commit's result. */
static void remember(const char *name, const char *binary_id, uint64_t iterations)
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

static void remember_plan(void)
{
	remember(plan.units[0].name, plan.units[0].head.binary_id, 64);
}

static void assert_failed(const struct unit *u, const char *part)
{
	assert_non_null(u->failure);
	if (!strstr(u->failure, part))
		fail_msg("'%s' does not say '%s'", u->failure, part);
}

/* ---- one side --------------------------------------------------------------------------- */

static void a_command_runs_from_the_cache_under_its_own_name(void **state)
{
	struct unit *u;

	(void)state;
	make_program(1);
	add_config("b", "./prog --level 6");
	u = make_plan();
	assert_int_equal(1, plan.n);
	assert_null(u->failure);
	assert_string_equal("b", u->name);
	assert_int_equal(FORMAT_COMMAND, u->format);
	assert_null(u->inner);
	assert_non_null(strstr(u->head.exe, cache));
	assert_int_equal(64 + 1 + 16, strlen(u->head.binary_id));
	assert_string_equal("./prog", u->config->command.v[0]);
	assert_false(u->has_base || u->identical);
	assert_int_equal(1, plan.kept.n);
	assert_int_equal(64, strlen(plan.kept.v[0]));
}

static void a_libpawl_program_gives_a_unit_for_each_benchmark(void **state)
{
	char *example = build_path("examples/arrays");

	(void)state;
	assert_int_equal(0, file_copy(example, in_workshop("arrays-copy"), 0755, NULL));
	free(example);
	add_config("bench", "./arrays-copy");
	make_plan();
	assert_int_equal(2, plan.n);
	assert_string_equal("bench/arrays/two-loops", plan.units[0].name);
	assert_string_equal("arrays/merged-loop", plan.units[1].inner);
	assert_int_equal(FORMAT_PAWL, plan.units[1].format);
	assert_string_equal(plan.units[0].head.binary_id, plan.units[1].head.binary_id);
}

static void a_script_runs_in_place_and_has_no_identity(void **state)
{
	struct unit *u;

	(void)state;
	write_source("script",
		     "#!/bin/sh\nexit 0 # and more text than the header of an ELF file\n");
	assert_int_equal(0, chmod(in_workshop("script"), 0755));
	add_config("b", "./script");
	remember("b", "aaaa", 1);
	u = make_plan();
	assert_null(u->failure);
	assert_null(u->head.binary_id);
	assert_string_equal(in_workshop("./script"), u->head.exe);
	assert_false(u->identical || u->has_base);
}

/* The program is the machine's; what it is given may change, so it says nothing. */
static void a_program_from_outside_the_work_tree_has_no_identity(void **state)
{
	struct unit *u;

	(void)state;
	add_config("b", "true");
	u = make_plan();
	assert_null(u->failure);
	assert_null(u->head.binary_id);
	assert_int_equal(0, plan.kept.n);
}

static void what_must_not_be_cached_is_not(void **state)
{
	(void)state;
	make_program(1);
	add_config("b", "./prog")->cache = false;
	assert_null(make_plan()->head.binary_id);
	assert_false(file_exists(cache));
}

static void without_a_cache_it_runs_in_place(void **state)
{
	struct unit *u;

	(void)state;
	make_program(1);
	add_config("b", "./prog");
	rq.cache_dir = NULL;
	u = make_plan();
	assert_string_equal(in_workshop("./prog"), u->head.exe);
	assert_non_null(u->head.binary_id);
	remember("b", "0123456789", 1);
	assert_false(make_plan()->has_base);
}

static void a_cache_that_cannot_be_written_is_warned_of(void **state)
{
	struct unit *u;

	(void)state;
	make_program(1);
	write_source("cache", "a file");
	add_config("b", "./prog");
	u = make_plan();
	assert_null(u->failure);
	assert_string_equal(in_workshop("./prog"), u->head.exe);
	assert_int_equal(1, n_warnings);
}

static void what_is_wrong_with_one_benchmark_is_its_failure(void **state)
{
	struct bench_config *c;

	(void)state;
	make_program(1);
	write_source("plain", "text");
	add_config("missing", "./missing");
	add_config("plain", "./plain");
	c = add_config("silent", "./prog");
	c->format_given = true;
	c->format = FORMAT_PAWL;
	add_config("good", "./prog");
	make_plan();
	assert_int_equal(4, plan.n);
	assert_failed(&plan.units[0], "No such file");
	assert_failed(&plan.units[0], "pawl.build"); /* the cure */
	assert_failed(&plan.units[1], "Permission denied");
	assert_failed(&plan.units[2], "libpawl");
	assert_null(plan.units[3].failure);
}

static void a_name_that_is_not_in_the_path_is_told_with_its_cure(void **state)
{
	(void)state;
	make_program(1);
	add_config("b", "no-such-program-anywhere");
	assert_failed(make_plan(), "./no-such-program-anywhere");
}

/* ---- the base --------------------------------------------------------------------------- */

static void the_same_code_and_inputs_are_identical(void **state)
{
	struct unit *u;

	(void)state;
	make_program(1);
	add_config("b", "./prog --level 6");
	make_plan();
	remember_plan();
	COMPILE("-O1 -g -o prog prog.c");
	u = make_plan();
	assert_true(u->identical);
	assert_false(u->has_base);
	assert_string_equal(u->head.binary_id, u->base.binary_id);
	assert_int_equal(64, u->iterations);
}

static void other_code_is_run_beside_the_cached_one(void **state)
{
	char *old;
	struct unit *u;

	(void)state;
	make_program(1);
	add_config("b", "./prog");
	old = str_dup(make_plan()->head.exe, NULL);
	remember_plan();
	make_program(2);
	u = make_plan();
	assert_false(u->identical);
	assert_true(u->has_base);
	assert_string_equal(old, u->base.exe);
	assert_string_not_equal(u->base.exe, u->head.exe);
	assert_int_equal(strlen(u->base.exe), strlen(u->head.exe)); /* argv[0] weighs the same */
	assert_int_equal(64, u->iterations);
	assert_int_equal(2, plan.kept.n);
	free(old);
}

static void code_that_is_not_cached_is_not_run(void **state)
{
	struct unit *u;

	(void)state;
	make_program(1);
	add_config("b", "./prog");
	make_plan();
	remember_plan();
	file_remove_tree(cache, NULL);
	make_program(2);
	u = make_plan();
	assert_false(u->identical || u->has_base);
	assert_null(u->failure);
	assert_non_null(u->base.binary_id);
}

/* The interpreter is the same; what it runs is not. */
static void a_changed_argument_file_is_neither_identical_nor_rerun(void **state)
{
	struct unit *u;

	(void)state;
	make_program(1);
	write_source("script.lua", "fast()");
	add_config("b", "./prog script.lua");
	make_plan();
	remember_plan();
	write_source("script.lua", "slow()");
	u = make_plan();
	assert_false(u->identical);
	assert_false(u->has_base);
	assert_non_null(strstr(u->base_failure, "input"));
	make_program(2); /* nor when the interpreter changed as well */
	u = make_plan();
	assert_false(u->identical);
	assert_false(u->has_base);
	write_source("script.lua", "fast()");
	assert_true(make_plan()->has_base);
}

static void a_changed_argument_is_neither_identical_nor_rerun(void **state)
{
	struct unit *u;

	(void)state;
	make_program(1);
	add_config("b", "./prog --level 6");
	make_plan();
	remember_plan();
	assert_int_equal(0, str_set(&config.benchmarks[0].command.v[2], "9", NULL));
	u = make_plan();
	assert_false(u->identical || u->has_base);
	assert_non_null(u->base_failure);
}

static void a_changed_declared_input_is_neither_identical_nor_rerun(void **state)
{
	(void)state;
	make_program(1);
	write_source("corpus", "one");
	assert_int_equal(0, strv_add(&add_config("b", "./prog")->inputs, "corpus", NULL));
	make_plan();
	remember_plan();
	assert_true(make_plan()->identical);
	write_source("corpus", "two");
	assert_false(make_plan()->identical);
	assert_false(plan.units[0].has_base);
	assert_int_equal(0, unlink(in_workshop("corpus")));
	assert_false(make_plan()->identical);
}

static void another_benchmark_of_the_same_program_has_no_base(void **state)
{
	struct unit *u;

	(void)state;
	make_program(1);
	add_config("b", "./prog");
	make_plan();
	remember("c", plan.units[0].head.binary_id, 64);
	u = make_plan();
	assert_false(u->identical || u->has_base);
	assert_int_equal(0, u->iterations);
}

static void a_broken_id_in_the_history_is_no_base(void **state)
{
	struct unit *u;

	(void)state;
	make_program(1);
	add_config("b", "./prog");
	remember("b", "../../../../etc", 1);
	u = make_plan();
	assert_false(u->identical || u->has_base);
	remember("b", "", 1);
	u = make_plan();
	assert_false(u->identical || u->has_base);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_command_runs_from_the_cache_under_its_own_name),
		TEST(a_libpawl_program_gives_a_unit_for_each_benchmark),
		TEST(a_script_runs_in_place_and_has_no_identity),
		TEST(a_program_from_outside_the_work_tree_has_no_identity),
		TEST(what_must_not_be_cached_is_not),
		TEST(without_a_cache_it_runs_in_place),
		TEST(a_cache_that_cannot_be_written_is_warned_of),
		TEST(what_is_wrong_with_one_benchmark_is_its_failure),
		TEST(a_name_that_is_not_in_the_path_is_told_with_its_cure),
		TEST(the_same_code_and_inputs_are_identical),
		TEST(other_code_is_run_beside_the_cached_one),
		TEST(code_that_is_not_cached_is_not_run),
		TEST(a_changed_argument_file_is_neither_identical_nor_rerun),
		TEST(a_changed_argument_is_neither_identical_nor_rerun),
		TEST(a_changed_declared_input_is_neither_identical_nor_rerun),
		TEST(another_benchmark_of_the_same_program_has_no_base),
		TEST(a_broken_id_in_the_history_is_no_base),
	};

	return cmocka_run_group_tests(tests, workshop_open, workshop_close);
}
