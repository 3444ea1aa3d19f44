/* pawl_start() in some calls of run only. */
#include "tests/unit/harness/test_harness_fake.h"

#include "harness/session/session.h"

#include "lib/base/banned.h"

#define ALWAYS UINT64_MAX

static struct session s;
static struct outcome out;
static uint64_t from, until; /* the calls in which it is called; from 1 on */
static uint64_t fail_in;     /* the call in which all operations fail before it */

static void run_at_times(void *ctx, uint64_t n, struct pawl_run *r)
{
	bool by_hand = ++fake.calls >= from && fake.calls < until;
	(void)ctx;
	for (uint64_t i = 0; i < n; i++) {
		if (fake.calls == fail_in) {
			pawl_fail(r);
			continue;
		}
		fake_pass(9000, 9000);
		if (by_hand)
			pawl_start(r);
		fake_pass(1000, 1000);
		pawl_stop(r);
	}
}

static bool measure(uint64_t first, uint64_t behind_last)
{
	static const struct pawl_bench bench = PAWL_BENCH("at times", run_at_times);
	memset(&s, 0, sizeof(s));
	s.in = fake_instruments(0);
	s.options = (struct options){ .min_ns = 5e6, .counters = COUNTING_NONE };
	from = first;
	until = behind_last;
	return pawl_session_measure(&s, &bench, &out);
}

static void a_benchmark_that_starts_in_some_calls_only_is_a_fault(void **state)
{
	/* From some call on, up to some call, in the cold call only, and in none but the last. */
	static const uint64_t calls[][2] = { { 5, ALWAYS }, { 0, 5 }, { 0, 2 }, { 2, ALWAYS } };
	(void)state;
	fail_in = 0;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		assert_false(measure(calls[i][0], calls[i][1]));
		assert_string_equal(out.fault, "pawl_start() was not called in every call of run: "
					       "call it in each, or in none");
	}
}

static void in_each_call_or_in_none_is_none(void **state)
{
	(void)state;
	fail_in = 0;
	assert_true(measure(0, ALWAYS));
	assert_true(out.measured.mean_ns == 1000);
	assert_true(measure(ALWAYS, ALWAYS));
	assert_true(out.measured.mean_ns == 10000);
}

static void a_call_that_failed_before_it_is_none(void **state)
{
	(void)state;
	fail_in = 3;
	assert_true(measure(0, ALWAYS));
	assert_true(out.measured.mean_ns == 1000);
	fail_in = 1; /* the cold one */
	assert_true(measure(0, ALWAYS));
	assert_true(out.measured.mean_ns == 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_benchmark_that_starts_in_some_calls_only_is_a_fault),
		cmocka_unit_test(in_each_call_or_in_none_is_none),
		cmocka_unit_test(a_call_that_failed_before_it_is_none),
	};
	return cmocka_run_group_tests_name("harness/mixed", tests, NULL, NULL);
}
