#include "tests/unit/harness/test_harness_kernel.h"

#include "lib/base/banned.h"

/* What a made-up processor counts per operation; each column has a number of its own. */
static const struct column {
	const char *name;
	uint32_t type;
	uint64_t config;
	bool of_kernel;
	uint64_t per_op;
} columns[COUNTER_MAX] = {
	{ "cycles", PERF_TYPE_HARDWARE, 0, false, 1000 },
	{ "instructions", PERF_TYPE_HARDWARE, 1, false, 2500 },
	{ "branches", PERF_TYPE_HARDWARE, 4, false, 300 },
	{ "branch-misses", PERF_TYPE_HARDWARE, 5, false, 7 },
	{ "kernel-instructions", PERF_TYPE_HARDWARE, 1, true, 505 },
	{ "page-faults", PERF_TYPE_SOFTWARE, 2, false, 64 },
	/* cache | op << 8 | result << 16, by perf_event_open(2) */
	{ "l1d-reads", PERF_TYPE_HW_CACHE, 0x000, false, 800 },
	{ "l1d-misses", PERF_TYPE_HW_CACHE, 0x10000, false, 90 },
	{ "cache-references", PERF_TYPE_HARDWARE, 2, false, 45 },
	{ "cache-misses", PERF_TYPE_HARDWARE, 3, false, 12 },
	{ "llc-loads", PERF_TYPE_HW_CACHE, 0x002, false, 33 },
	{ "llc-misses", PERF_TYPE_HW_CACHE, 0x10002, false, 11 },
};

static uint64_t rate_of(const struct perf_event_attr *attr)
{
	for (int i = 0; i < COUNTER_MAX; i++)
		if (columns[i].type == attr->type && columns[i].config == attr->config &&
		    columns[i].of_kernel == attr->exclude_user)
			return columns[i].per_op;
	fail_msg("nobody asked for event %u/%llx", attr->type, (unsigned long long)attr->config);
	return 0;
}

static void every_column_has_the_value_of_its_event(void **state)
{
	(void)state;
	k.rate = rate_of;
	pawl_count_bench(&calls, &plain, &bench, 100, out);
	for (int i = 0; i < COUNTER_MAX; i++) {
		assert_string_equal(out[i].name, columns[i].name);
		assert_string_equal(out[i].name, pawl_counter_name((size_t)i));
		assert_int_equal(out[i].state, COUNTER_OK);
		assert_true(out[i].value == (double)columns[i].per_op);
	}
	assert_null(pawl_counter_name(COUNTER_MAX));
}

static void no_group_holds_an_event_twice_and_only_hardware_shares(void **state)
{
	(void)state;
	pawl_count_bench(&calls, &plain, &bench, 10, out);
	for (int i = 0; i < k.n; i++) {
		for (int j = 0; j < i; j++) {
			const struct perf_event_attr *a = &k.event[i].attr, *b = &k.event[j].attr;
			if (k.event[i].group != k.event[j].group)
				continue;
			assert_false(a->type == b->type && a->config == b->config);
			assert_int_not_equal(a->type, PERF_TYPE_SOFTWARE);
		}
	}
}

static uint64_t ticks; /* the kernel's work that an interrupt adds to each call of run */

static uint64_t rate_with_ticks(const struct perf_event_attr *attr)
{
	return attr->exclude_user ? 500 + ticks++ % 3 : 7;
}

static void of_the_kernels_counts_the_least_is_told(void **state)
{
	(void)state;
	ticks = 2; /* 502, 500, 501 */
	k.rate = rate_with_ticks;
	pawl_count_bench(&calls, &plain, &bench, 10, out);
	assert_true(find("kernel-instructions")->value == 500);
}

static void a_crowded_processor_does_not_take_the_page_faults_along(void **state)
{
	(void)state;
	k.run_eighths = 0;
	k.software_runs = true;
	pawl_count_bench(&calls, &plain, &bench, 10, out);
	assert_int_equal(find("instructions")->state, COUNTER_STARVED);
	assert_int_equal(find("page-faults")->state, COUNTER_OK);
	assert_true(find("page-faults")->value == 7);
}

static void threads_are_counted_when_asked_for_and_never_from_user_space(void **state)
{
	static const struct count_how threads = { .inherit = true, .self = true };
	(void)state;
	k.pages = true;
	pawl_count_bench(&calls, &threads, &bench, 10, out);
	all_are(COUNTER_OK, 7);
	for (int i = 0; i < k.n; i++)
		assert_int_equal(k.event[i].attr.inherit, 1);

	start_anew(NULL);
	pawl_count_bench(&calls, &plain, &bench, 10, out);
	for (int i = 0; i < k.n; i++)
		assert_int_equal(k.event[i].attr.inherit, 0);
}

static void threads_that_count_other_events_say_so(void **state)
{
	static const struct count_how threads = { .inherit = true };
	(void)state;
	k.read_error = -ECHILD;
	pawl_count_bench(&calls, &threads, &bench, 10, out);
	all_are(COUNTER_ABSENT, __builtin_nan(""));
	assert_non_null(strstr(out[0].reason, "does not count the same events"));
}

static void each_fault_of_reading_has_its_sentence(void **state)
{
	static const struct {
		int error;
		enum counter_state state;
		const char *part;
	} cases[] = {
		{ ENODATA, COUNTER_STARVED, "others use the counters" },
		{ ECHILD, COUNTER_ABSENT, "a thread that was started" },
		{ EINTR, COUNTER_ABSENT, "again and again" },
		{ EIO, COUNTER_ABSENT, "reading failed: Input/output error" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char reason[COUNTER_REASON] = "";
		assert_int_equal(pawl_counter_explain_read(-cases[i].error, reason, sizeof(reason)),
				 cases[i].state);
		assert_non_null(strstr(reason, cases[i].part));
		assert_true(strlen(reason) < COUNTER_REASON - 1);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, start_anew)
	const struct CMUnitTest tests[] = {
		TEST(every_column_has_the_value_of_its_event),
		TEST(no_group_holds_an_event_twice_and_only_hardware_shares),
		TEST(of_the_kernels_counts_the_least_is_told),
		TEST(a_crowded_processor_does_not_take_the_page_faults_along),
		TEST(threads_are_counted_when_asked_for_and_never_from_user_space),
		TEST(threads_that_count_other_events_say_so),
		TEST(each_fault_of_reading_has_its_sentence),
	};
	return cmocka_run_group_tests_name("harness/counter columns", tests, NULL, NULL);
}
