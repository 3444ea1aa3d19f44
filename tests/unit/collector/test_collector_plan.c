/* What is to be measured: from real files in a work tree. */
#include "tests/unit/collector/plan_fixture.h"

#include "lib/base/banned.h"

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

/* The time is over at once: one is looked at, and by 40 seeds each of three is that one. */
static void who_is_looked_at_in_time_hangs_on_no_order(void **state)
{
	static const char *const names[] = { "a", "b", "c" };
	int looked[3] = { 0 };
	uint64_t seed = 1;

	(void)state;
	for (int i = 0; i < 3; i++)
		add_config(names[i], "/bin/true");
	rq.until_ns = 1;
	rq.seed = &seed;
	for (int draw = 0; draw < 40; draw++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		make_plan();
		assert_int_equal(1, plan.n_looked);
		assert_int_equal(0, plan_rest(&rq, &plan, &err));
		assert_int_equal(3, plan.n);
		for (int i = 0; i < 3; i++) {
			assert_string_equal(names[i], plan.units[i].name);
			looked[i] += !plan.units[i].unreached;
		}
	}
	assert_int_equal(40, looked[0] + looked[1] + looked[2]);
	for (int i = 0; i < 3; i++)
		assert_true(looked[i] > 0);
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

/* It cannot be told which of the two a run would be of; no other section is to blame. */
static void a_name_that_one_program_has_twice_fails_alone(void **state)
{
	struct bench_config *c;

	(void)state;
	write_source("twins", "#!/bin/sh\nprintf 'one\\ntwice\\ntwice\\nlast\\ntwice\\n'\n");
	assert_int_equal(0, chmod(in_workshop("twins"), 0755));
	c = add_config("g", "./twins");
	c->format_given = true;
	c->format = FORMAT_GOOGLE;
	make_plan();
	assert_int_equal(3, plan.n);
	assert_string_equal("g/one", plan.units[0].name);
	assert_null(plan.units[0].failure);
	assert_string_equal("g/twice", plan.units[1].name);
	assert_failed(&plan.units[1], "the program has it twice");
	assert_string_equal("g/last", plan.units[2].name);
	assert_null(plan.units[2].failure);
	assert_string_equal("last", plan.units[2].selector);
}

static void two_sections_of_one_name_are_refused_with_their_cure(void **state)
{
	struct bench_config *c;

	(void)state;
	make_program(1);
	write_source("one", "#!/bin/sh\necho b\n");
	assert_int_equal(0, chmod(in_workshop("one"), 0755));
	c = add_config("a", "./one");
	c->format_given = true;
	c->format = FORMAT_GOOGLE;
	add_config("a/b", "./prog");
	assert_int_equal(-1, plan_make(&rq, &plan, &err));
	assert_int_equal(ERR_CONFIG, err.code);
	assert_non_null(strstr(err.text, "two benchmarks are called 'a/b'"));
	assert_non_null(strstr(err.hint, "rename one of the sections"));
}

static void a_name_that_is_not_in_the_path_is_told_with_its_cure(void **state)
{
	(void)state;
	make_program(1);
	add_config("b", "no-such-program-anywhere");
	assert_failed(make_plan(), "./no-such-program-anywhere");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_command_runs_from_the_cache_under_its_own_name),
		TEST(a_libpawl_program_gives_a_unit_for_each_benchmark),
		TEST(who_is_looked_at_in_time_hangs_on_no_order),
		TEST(a_script_runs_in_place_and_has_no_identity),
		TEST(a_program_from_outside_the_work_tree_has_no_identity),
		TEST(what_must_not_be_cached_is_not),
		TEST(without_a_cache_it_runs_in_place),
		TEST(a_cache_that_cannot_be_written_is_warned_of),
		TEST(what_is_wrong_with_one_benchmark_is_its_failure),
		TEST(a_name_that_one_program_has_twice_fails_alone),
		TEST(two_sections_of_one_name_are_refused_with_their_cure),
		TEST(a_name_that_is_not_in_the_path_is_told_with_its_cure),
	};

	return cmocka_run_group_tests(tests, workshop_open, workshop_close);
}
