/* pawl_start() and pawl_stop() where they stand, called, and one of each. */
#include "tests/unit/harness/test_harness_fake.h"

#include "lib/base/banned.h"

static unsigned n_calls;

/* A clock by call: 100 ticks on at each reading. */
static uint64_t read_by_call(void)
{
	return 1000 + 100 * (uint64_t)n_calls++;
}

static struct pawl_run run_of(uint64_t form)
{
	const struct clock_row row = { .begin = read_by_call, .end = read_by_call, .form = form };
	struct pawl_run r;
	pawl_run_init(&r, &fake_bench, 0);
	pawl_run_use(&r, &row);
	n_calls = 0;
	return r;
}

/* Skips the test where this program does not inline, or the processor's counter is not there. */
static struct pawl_run inlined_run(void)
{
	const struct clock_row *tsc = pawl_clock_find("tsc");
	const char *reason;
	if (!tsc || tsc->probe(&reason) || tsc->form == 0)
		skip();
	return run_of(tsc->form);
}

static void inlined_no_call_is_made_and_the_same_is_noted(void **state)
{
	struct pawl_run r = inlined_run();
	(void)state;
	pawl_stop(&r); /* without a start: nothing */
	assert_true(!r.region.manual && r.region.pairs == 0 && r.region.ticks == 0);
	pawl_start(&r);
	assert_true(r.region.manual && r.region.started && r.region.open);
	assert_true(r.region.begun > 0);
	pawl_start(&r); /* anew */
	for (int i = 0; i < 1000; i++)
		pawl_clobber();
	pawl_stop(&r);
	assert_true(r.region.manual && r.region.started && !r.region.open);
	assert_int_equal(r.region.pairs, 1);
	assert_in_range(r.region.ticks, 1, UINT32_MAX);
	assert_int_equal(r.called, 0);
	assert_int_equal(n_calls, 0);
}

static void inlined_a_failure_throws_the_stretch_away(void **state)
{
	struct pawl_run r = inlined_run();
	(void)state;
	pawl_start(&r);
	pawl_fail(&r);
	pawl_stop(&r);
	assert_int_equal(r.thrown, 1);
	assert_int_equal(r.region.pairs, 0);
	assert_int_equal(r.region.ticks, 0);
}

/* Object files of an older header beside those of a newer one. */
static void a_stretch_begun_in_the_one_way_ends_in_the_other(void **state)
{
	struct pawl_run r = inlined_run();
	(void)state;
	pawl_start(&r);
	r.region.begun = 500; /* of the clock by call */
	(pawl_stop)(&r);
	assert_int_equal(r.region.ticks, 500);
	assert_int_equal(r.called, 1);
	(pawl_start)(&r);
	assert_int_equal(r.region.begun, 1100);
	pawl_stop(&r);
	assert_int_equal(r.region.pairs, 2);
	assert_int_equal(r.called, 1);
}

/* 0: counters, or another clock; the others: a library that means something else by it. */
static void any_other_form_is_a_call(void **state)
{
	const uint64_t forms[] = { 0, PAWL_REGION_TSC_ + 1, PAWL_REGION_TSC_ + (1u << 16),
				   UINT64_MAX };
	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct pawl_run r = run_of(forms[i]);
		pawl_start(&r);
		assert_int_equal(r.region.begun, 1000);
		pawl_stop(&r);
		assert_int_equal(r.region.ticks, 100);
		assert_int_equal(r.region.pairs, 1);
		assert_int_equal(r.called, 1);
		assert_int_equal(n_calls, 2);
	}
}

static void only_the_clock_tsc_is_read_in_place(void **state)
{
	const struct clock_row *row;
	(void)state;
	for (size_t i = 0; (row = pawl_clock_row(i)); i++)
		if (row->form)
			assert_string_equal(row->name, "tsc");
}

static void each_pair_is_less_what_an_empty_one_of_its_kind_shows(void **state)
{
	struct pawl_run r = { .called = 4 };
	(void)state;
	r.region.pairs = 10;
	r.region.ticks = 1000;
	assert_true(pawl_run_net_ticks(&r, 60, 50) == 1000 - 4 * 60 - 6 * 50);
}

static void a_stretch_that_run_leaves_open_is_one_of_a_call(void **state)
{
	struct pawl_run r = run_of(0);
	(void)state;
	pawl_run_close(&r, 5000);
	assert_int_equal(r.region.pairs, 0);
	pawl_start(&r);
	pawl_run_close(&r, 1500);
	assert_true(r.region.pairs == 1 && r.called == 1 && r.region.ticks == 500);
	assert_false(r.region.open);
	pawl_start(&r);
	pawl_run_close(&r, 1); /* backwards */
	assert_true(r.region.pairs == 2 && r.region.ticks == 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(inlined_no_call_is_made_and_the_same_is_noted),
		cmocka_unit_test(inlined_a_failure_throws_the_stretch_away),
		cmocka_unit_test(a_stretch_begun_in_the_one_way_ends_in_the_other),
		cmocka_unit_test(any_other_form_is_a_call),
		cmocka_unit_test(only_the_clock_tsc_is_read_in_place),
		cmocka_unit_test(each_pair_is_less_what_an_empty_one_of_its_kind_shows),
		cmocka_unit_test(a_stretch_that_run_leaves_open_is_one_of_a_call),
	};
	return cmocka_run_group_tests_name("harness/region", tests, NULL, NULL);
}
