/* The benchmarks of two built trees, side by side: what is compared, and what is not. */
#include "tests/unit/collector/compile_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "collector/schedule/join.h"

#include "lib/base/banned.h"

#define ID_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-1111111111111111"
#define ID_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb-1111111111111111"

static struct bench_config section = { .name = (char[]){ "s" } };
static struct plan head, base;

static int begin(void **state)
{
	(void)state;
	head = base = (struct plan)PLAN_INIT;
	return 0;
}

static int end(void **state)
{
	(void)state;
	plan_release(&head);
	plan_release(&base);
	strv_release(&section.command);
	return 0;
}

static void add(struct plan *plan, const char *inner, const char *id)
{
	struct unit *u = plan_add(plan, &section, inner, NULL);

	assert_non_null(u);
	assert_int_equal(0, str_set(&u->head.exe, "/exe", NULL));
	assert_int_equal(0, str_set(&u->head.binary_id, id, NULL));
}

static void add_failed(struct plan *plan, const char *why, bool absent)
{
	struct unit *u = plan_add(plan, &section, NULL, NULL);

	assert_non_null(u);
	assert_int_equal(0, str_set(&u->failure, why, NULL));
	u->absent = absent;
}

static void join(bool measure_identical)
{
	assert_int_equal(0, join_plans(&head, &base, measure_identical, NULL));
}

static void the_same_code_is_identical(void **state)
{
	(void)state;
	add(&head, "x", ID_A);
	add(&base, "x", ID_A);
	join(false);
	assert_true(head.units[0].identical);
	assert_false(head.units[0].has_base);
}

static void the_same_code_is_measured_when_asked_for(void **state)
{
	(void)state;
	add(&head, "x", ID_A);
	add(&base, "x", ID_A);
	join(true);
	assert_false(head.units[0].identical);
	assert_true(head.units[0].has_base);
	assert_string_equal(head.units[0].base.exe, "/exe");
}

static void other_code_runs_on_both_sides(void **state)
{
	(void)state;
	add(&head, "x", ID_A);
	add(&base, "x", ID_B);
	join(false);
	assert_false(head.units[0].identical);
	assert_true(head.units[0].has_base);
	assert_true(head.units[0].needs_base);
	assert_string_equal(head.units[0].base.binary_id, ID_B);
}

static void what_has_no_identity_is_never_identical(void **state)
{
	(void)state;
	add(&head, "x", NULL);
	add(&base, "x", NULL);
	join(false);
	assert_false(head.units[0].identical);
	assert_true(head.units[0].has_base);
}

static void what_one_side_lacks_is_marked_and_not_run(void **state)
{
	(void)state;
	add(&head, "kept", ID_A);
	add(&head, "new", ID_A);
	add(&base, "kept", ID_B);
	add(&base, "gone", ID_B);
	join(false);
	assert_int_equal(head.n, 3);
	assert_true(head.units[1].only_head);
	assert_false(head.units[1].has_base);
	assert_string_equal(head.units[2].name, "s/gone");
	assert_true(head.units[2].only_base);
}

static void a_base_that_fails_is_no_new_benchmark(void **state)
{
	(void)state;
	add(&head, "x", ID_A);
	add_failed(&base, "was killed by SIGSEGV", false);
	join(false);
	assert_string_equal(head.units[0].failure, "the base: was killed by SIGSEGV");
	assert_false(head.units[0].only_head);
}

static void one_benchmark_that_failed_does_not_touch_the_others(void **state)
{
	(void)state;
	add(&head, "twice", ID_A);
	add(&head, "new", ID_A);
	add(&base, "twice", ID_B);
	add(&base, "gone", ID_B);
	assert_int_equal(0, str_set(&base.units[0].failure, "the program has it twice", NULL));
	join(false);
	assert_string_equal(head.units[0].failure, "the base: the program has it twice");
	assert_null(head.units[1].failure);
	assert_true(head.units[1].only_head);
	assert_string_equal(head.units[2].name, "s/gone");
	assert_true(head.units[2].only_base);
}

static void a_benchmark_that_failed_in_the_head_does_not_hide_what_is_gone(void **state)
{
	(void)state;
	add(&head, "twice", ID_A);
	assert_int_equal(0, str_set(&head.units[0].failure, "the program has it twice", NULL));
	add(&base, "twice", ID_B);
	add(&base, "gone", ID_B);
	join(false);
	assert_int_equal(head.n, 2);
	assert_string_equal(head.units[0].failure, "the program has it twice");
	assert_true(head.units[1].only_base);
}

static void a_base_without_the_executable_did_not_have_the_benchmark(void **state)
{
	(void)state;
	add(&head, "x", ID_A);
	add_failed(&base, "cannot run 'bench'", true);
	join(false);
	assert_null(head.units[0].failure);
	assert_true(head.units[0].only_head);
	assert_int_equal(head.n, 1);
}

static void an_executable_that_the_head_lost_is_a_failure(void **state)
{
	(void)state;
	add_failed(&head, "cannot run 'bench'", true);
	add(&base, NULL, ID_A);
	join(false);
	assert_int_equal(head.n, 1);
	assert_string_equal(head.units[0].failure,
			    "the head lacks what the base has: cannot run 'bench'");
}

static void both_sides_failing_is_the_heads_failure(void **state)
{
	(void)state;
	add_failed(&head, "cannot run 'bench'", true);
	add_failed(&base, "cannot run 'bench'", true);
	join(false);
	assert_int_equal(head.n, 1);
	assert_string_equal(head.units[0].failure, "cannot run 'bench'");
}

static void a_command_and_a_libpawl_program_are_not_held_together(void **state)
{
	(void)state;
	add(&head, "s", ID_A); /* "s/s", where the plain command is "s" */
	add(&base, NULL, ID_B);
	join(false);
	assert_string_equal(head.units[0].name, "s/s");
	assert_true(head.units[0].only_head);
	assert_false(head.units[0].has_base);
	assert_string_equal(head.units[1].name, "s");
	assert_true(head.units[1].only_base);
}

static void a_script_that_only_the_head_has_is_a_new_benchmark(void **state)
{
	char without[sizeof(workshop) + 8];

	(void)state;
	write_source("job.sh", "exit 0\n");
	snprintf(without, sizeof(without), "%s/none", workshop);
	assert_int_equal(0, strv_add(&section.command, "sh", NULL));
	assert_int_equal(0, strv_add(&section.command, "job.sh", NULL));
	add(&head, NULL, NULL);
	add(&base, NULL, NULL);
	assert_int_equal(0, str_set(&head.units[0].head.dir, workshop, NULL));
	assert_int_equal(0, str_set(&base.units[0].head.dir, without, NULL));
	join(false);
	assert_true(head.units[0].only_head);
	assert_string_equal(head.units[0].lacks, "job.sh");
	assert_false(head.units[0].has_base);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(the_same_code_is_identical),
		TEST(the_same_code_is_measured_when_asked_for),
		TEST(other_code_runs_on_both_sides),
		TEST(what_has_no_identity_is_never_identical),
		TEST(what_one_side_lacks_is_marked_and_not_run),
		TEST(a_base_that_fails_is_no_new_benchmark),
		TEST(one_benchmark_that_failed_does_not_touch_the_others),
		TEST(a_benchmark_that_failed_in_the_head_does_not_hide_what_is_gone),
		TEST(a_base_without_the_executable_did_not_have_the_benchmark),
		TEST(an_executable_that_the_head_lost_is_a_failure),
		TEST(both_sides_failing_is_the_heads_failure),
		TEST(a_command_and_a_libpawl_program_are_not_held_together),
		TEST(a_script_that_only_the_head_has_is_a_new_benchmark),
	};

	return cmocka_run_group_tests(tests, workshop_open, workshop_close);
}
