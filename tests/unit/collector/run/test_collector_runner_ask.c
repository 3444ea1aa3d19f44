/* Asking an executable for its benchmarks and its N; a real one end to end. */
#include "tests/unit/collector/run/runner_fixture.h"

#include <math.h>

#include "lib/base/banned.h"

#define HELLO "'{\"type\":\"hello\",\"protocol\":1}' "
#define NAME(n) "'{\"type\":\"benchmark\",\"name\":\"" n "\"}' "
#define CALIBRATION(n, ns) \
	"'{\"type\":\"calibration\",\"name\":\"b\",\"iterations\":" #n ",\"wall_ns\":" #ns "}' "
#define END "'{\"type\":\"end\"}'"

static struct strv names;
static bool speaks;

static int list(const char *words)
{
	strv_release(&names);
	speaks = true;
	set_sides(FORMAT_PAWL, words, NULL);
	err_clear(&bed.err);
	return runner_list(&bed.runner, &bed.config, &bed.unit.head, &names, &speaks, &bed.err);
}

static int end(void **state)
{
	strv_release(&names);
	return bed_end(state);
}

static void the_list_is_taken_in_order(void **state)
{
	(void)state;
	assert_int_equal(0, list("records " HELLO NAME("z") NAME("a/1") END));
	assert_true(speaks);
	assert_int_equal(2, names.n);
	assert_string_equal("z", names.v[0]);
	assert_string_equal("a/1", names.v[1]);
}

static void a_program_that_does_not_speak_is_a_command(void **state)
{
	(void)state;
	assert_int_equal(0, list("exit 0"));
	assert_false(speaks);
	assert_int_equal(0, list("exit 7")); /* whether it fails is seen when it is run */
	assert_false(speaks);
	assert_int_equal(0, list("print 100000"));
	assert_false(speaks);
	assert_int_equal(0, names.n);
}

static void a_broken_list_is_an_error_with_its_reason(void **state)
{
	(void)state;
	assert_int_equal(-1, list("records " HELLO NAME("a") "nonsense"));
	assert_int_equal(ERR_CHILD, bed.err.code);
	assert_non_null(strstr(bed.err.text, "broken record"));
	assert_int_equal(-1, list("records " HELLO NAME("a") "@abort"));
	assert_non_null(strstr(bed.err.text, "SIGABRT"));
	assert_int_equal(-1, list("records " HELLO NAME("a") NAME("a") END));
	assert_non_null(strstr(bed.err.text, "one name"));
	bed.config.timeout_ns = 2000 * (uint64_t)MS;
	assert_int_equal(-1, list("records " HELLO NAME("a") "@hang"));
	assert_int_equal(ERR_TIMEOUT, bed.err.code);
	set_side(&bed.unit.head, "missing");
	assert_int_equal(-1, runner_list(&bed.runner, &bed.config, &bed.unit.head, &names, &speaks,
					 &bed.err));
	assert_int_equal(ERR_CHILD, bed.err.code);
}

/* min_time is 1 ms: 64 iterations of 20 us are enough. */
static void n_is_taken_from_the_program(void **state)
{
	(void)state;
	set_sides(FORMAT_PAWL, "records " HELLO CALIBRATION(64, 1280000) END, NULL);
	bed.unit.iterations = 0;
	calibrate_on(&bed.unit.head);
	assert_null(bed.unit.failure);
	assert_int_equal(64, bed.unit.iterations);
	assert_true(bed.unit.run_ns == 1280000);
}

/* A turn takes some time, too: no slice is shorter than half a millisecond. */
static void a_long_run_has_ten_slices_and_a_short_one_fewer(void **state)
{
	(void)state;
	set_sides(FORMAT_PAWL, "records " HELLO CALIBRATION(64, 5000000) END, NULL);
	bed.unit.iterations = 0;
	calibrate_on(&bed.unit.head);
	assert_int_equal(10, bed.unit.slices);
	set_sides(FORMAT_PAWL, "records " HELLO CALIBRATION(64, 1280000) END, NULL);
	bed.unit.iterations = 0;
	calibrate_on(&bed.unit.head);
	assert_int_equal(2, bed.unit.slices);
	set_sides(FORMAT_PAWL, "records " HELLO CALIBRATION(64, 400000) END, NULL);
	bed.unit.iterations = 0;
	calibrate_on(&bed.unit.head);
	assert_int_equal(1, bed.unit.slices);
}

/* 1 ms is 50 times 20 us: doubling went on to 64. */
static void where_it_is_to_fit_a_run_is_not_longer_than_asked_for(void **state)
{
	(void)state;
	bed.runner.fits = true;
	set_sides(FORMAT_PAWL, "records " HELLO CALIBRATION(64, 1280000) END, NULL);
	bed.unit.iterations = 0;
	calibrate_on(&bed.unit.head);
	assert_int_equal(50, bed.unit.iterations);
	set_sides(FORMAT_PAWL, "records " HELLO CALIBRATION(1, 9000000000) END, NULL);
	bed.unit.iterations = 0;
	calibrate_on(&bed.unit.head);
	assert_int_equal(1, bed.unit.iterations);
	bed.runner.fits = false;
}

/* It says what it was asked for: 1 ms as iterations in 1 ms. */
static void where_it_is_to_fit_a_quarter_of_a_run_is_asked_for(void **state)
{
	static const char echo[] =
		"records " HELLO "'{\"type\":\"calibration\",\"name\":\"b\",\"iterations\":'"
		"$PAWL_MIN_TIME_NS',\"wall_ns\":1000000}' " END;

	(void)state;
	set_sides(FORMAT_PAWL, echo, NULL);
	bed.unit.iterations = 0;
	calibrate_on(&bed.unit.head);
	assert_int_equal(1000000, bed.unit.iterations);
	bed.runner.fits = true;
	bed.unit.iterations = 0;
	calibrate_on(&bed.unit.head);
	assert_int_equal(250000, bed.unit.iterations);
	bed.runner.fits = false;
}

/* 20 us of its own each, whatever it waited for a processor, in the stretch or beside it. */
static void what_waited_for_a_processor_is_no_time_of_an_iteration(void **state)
{
	static const char *const waited[] = {
		"\"wall_ns\":11280000,\"cpu_ns\":1280000,\"run_delay_ns\":10000000",
		"\"wall_ns\":1280000,\"cpu_ns\":1280000,\"run_delay_ns\":1000000",
		"\"wall_ns\":1280000,\"cpu_ns\":1280000,\"run_delay_ns\":9000000",
		"\"wall_ns\":1280000,\"cpu_ns\":null,\"run_delay_ns\":0",
		"\"wall_ns\":1280000,\"cpu_ns\":100,\"run_delay_ns\":0",
	};
	char words[400];
	size_t i;

	(void)state;
	bed.runner.fits = true;
	for (i = 0; i < sizeof(waited) / sizeof(waited[0]); i++) {
		snprintf(words, sizeof(words),
			 "records " HELLO "'{\"type\":\"calibration\",\"name\":\"b\","
			 "\"iterations\":64,%s}' " END,
			 waited[i]);
		set_sides(FORMAT_PAWL, words, NULL);
		bed.unit.iterations = 0;
		calibrate_on(&bed.unit.head);
		assert_int_equal(50, bed.unit.iterations);
		assert_true(fabs(bed.unit.run_ns - 1e6) < 1);
	}
	bed.runner.fits = false;
}

/* 50 would do, of which 3 threads cannot do as many each. */
static void threads_have_as_many_iterations_each(void **state)
{
	(void)state;
	bed.runner.fits = true;
	set_sides(FORMAT_PAWL,
		  "records " HELLO "'{\"type\":\"calibration\",\"name\":\"b\",\"iterations\":96,"
		  "\"wall_ns\":1920000,\"threads\":3}' " END,
		  NULL);
	bed.unit.iterations = 0;
	calibrate_on(&bed.unit.head);
	assert_int_equal(51, bed.unit.iterations);
	bed.runner.fits = false;
}

/* N of the earlier commits stays while a run lasts from half to four times min_time. */
static void an_earlier_n_is_kept_while_it_fits(void **state)
{
	static const struct {
		uint64_t before, after;
	} cases[] = { { 32, 32 }, { 25, 25 }, { 24, 64 }, { 200, 200 }, { 201, 64 }, { 1, 64 } };
	size_t i;

	(void)state;
	set_sides(FORMAT_PAWL, "records " HELLO CALIBRATION(64, 1280000) END, NULL);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bed.unit.iterations = cases[i].before;
		calibrate_on(&bed.unit.head);
		assert_int_equal(cases[i].after, bed.unit.iterations);
	}
}

static void few_iterations_are_cut_into_as_few_slices(void **state)
{
	(void)state;
	set_sides(FORMAT_PAWL, "records " HELLO CALIBRATION(4, 9000000000) END, NULL);
	bed.unit.iterations = 0;
	calibrate_on(&bed.unit.head);
	assert_int_equal(4, bed.unit.iterations);
	assert_int_equal(4, bed.unit.slices);
}

static void a_calibration_that_fails_is_the_unit_s_failure(void **state)
{
	static const char *const bad[][2] = {
		{ "records " HELLO END, "without a calibration" },
		{ "records " HELLO "'{\"type\":\"result\",\"name\":\"b\",\"iterations\":1,"
		  "\"wall_ns\":1}' " END,
		  "without a calibration" },
		{ "records " HELLO "'{\"type\":\"error\",\"message\":\"no such file\"}' " END,
		  "no such file" },
		{ "records " HELLO CALIBRATION(0, 1) END, "iterations" },
		{ "signal 11", "SIGSEGV" },
		{ "exit 0", "without a calibration" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		set_sides(FORMAT_PAWL, bad[i][0], NULL);
		calibrate_on(&bed.unit.head);
		assert_non_null(bed.unit.failure);
		if (!strstr(bed.unit.failure, bad[i][1]))
			fail_msg("'%s' does not say '%s'", bed.unit.failure, bad[i][1]);
	}
	set_side(&bed.unit.head, "missing");
	calibrate_on(&bed.unit.head);
	assert_non_null(strstr(bed.unit.failure, "No such file"));
	assert_string_equal("", bed.err.text); /* kept in the unit, not in the call */
}

static void a_command_is_calibrated_by_one_run(void **state)
{
	(void)state;
	set_sides(FORMAT_COMMAND, "burn 20", NULL);
	calibrate_on(&bed.unit.head);
	assert_null(bed.unit.failure);
	assert_int_equal(1, bed.unit.iterations);
	assert_int_equal(1, bed.unit.slices);
	assert_true(bed.unit.run_ns >= 20 * MS);
}

/* The example program on both sides: list, calibrate, and a pair in turns. */
static void a_real_program_is_measured_from_list_to_pair(void **state)
{
	char *example = build_path("examples/arrays");
	int order;

	(void)state;
	free(bed.unit.head.exe);
	bed.unit.head.exe = example;
	bed.unit.format = FORMAT_PAWL;
	assert_int_equal(0, str_set(&bed.unit.base.exe, example, NULL));
	if (runner_list(&bed.runner, &bed.config, &bed.unit.head, &names, &speaks, &bed.err))
		fail_msg("list: %s", bed.err.text);
	assert_true(speaks);
	assert_int_equal(2, names.n);
	assert_string_equal("arrays/two-loops", names.v[0]);
	assert_int_equal(0, str_set(&bed.unit.inner, names.v[0], NULL));
	bed.unit.iterations = 0;
	calibrate_on(&bed.unit.head);
	assert_null(bed.unit.failure);
	assert_true(bed.unit.iterations >= 1);
	assert_int_equal(0, bed.unit.iterations & (bed.unit.iterations - 1));
	assert_true(bed.unit.run_ns >= 1000000);
	bed.unit.has_base = true;
	for (order = 0; order < 2; order++) {
		run_pair_in(order);
		if (bed.pair.head.failure)
			fail_msg("%s", bed.pair.head.failure);
		assert_null(bed.pair.base.failure);
		assert_true(bed.pair.head.wall_ns > 0 && bed.pair.base.wall_ns > 0);
		assert_true(bed.pair.head.cpu_ns > 0 && bed.pair.base.cpu_ns > 0);
		assert_true(isfinite(bed.pair.log_ratio_wall));
		assert_true(isfinite(bed.pair.log_ratio_cpu));
		assert_false(bed.pair.head.suspended || bed.pair.base.suspended);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bed_begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_list_is_taken_in_order),
		TEST(a_program_that_does_not_speak_is_a_command),
		TEST(a_broken_list_is_an_error_with_its_reason),
		TEST(n_is_taken_from_the_program),
		TEST(a_long_run_has_ten_slices_and_a_short_one_fewer),
		TEST(where_it_is_to_fit_a_run_is_not_longer_than_asked_for),
		TEST(where_it_is_to_fit_a_quarter_of_a_run_is_asked_for),
		TEST(what_waited_for_a_processor_is_no_time_of_an_iteration),
		TEST(threads_have_as_many_iterations_each),
		TEST(an_earlier_n_is_kept_while_it_fits),
		TEST(few_iterations_are_cut_into_as_few_slices),
		TEST(a_calibration_that_fails_is_the_unit_s_failure),
		TEST(a_command_is_calibrated_by_one_run),
		TEST(a_real_program_is_measured_from_list_to_pair),
	};

	return cmocka_run_group_tests(tests, bed_make, bed_remove);
}
