/* What a benchmark is compared with, and when it cannot be run again. */
#include "tests/unit/collector/plan_fixture.h"

#include "lib/base/banned.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
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
