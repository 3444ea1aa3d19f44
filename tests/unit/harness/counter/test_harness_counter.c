#include "tests/unit/harness/test_harness_kernel.h"

#include <sys/mman.h>

#include "lib/base/banned.h"

static void values_are_differences_per_iteration_less_the_readings_own(void **state)
{
	(void)state;
	pawl_count_bench(&calls, &plain, &bench, 100, out);
	all_are(COUNTER_OK, 7);
	for (int i = 0; i < COUNTER_MAX; i++)
		assert_string_equal(out[i].reason, "");
	assert_int_equal(k.open, 0);
}

static void a_pass_has_at_most_four_events_and_one_leader(void **state)
{
	(void)state;
	pawl_count_bench(&calls, &plain, &bench, 10, out);
	assert_in_range(k.most_in_group, 1, COUNTER_GROUP);
	assert_int_equal(k.disabled_siblings, 0);
	/* Six passes, the one with the kernel's counts three times. */
	assert_int_equal(operations, 8 * 10);
	for (int i = 0; i < k.n; i++)
		assert_int_equal(k.event[i].attr.exclude_hv, 1);
}

static void a_group_that_ran_half_the_time_is_scaled(void **state)
{
	(void)state;
	k.run_eighths = 4;
	k.per_read = 0;
	pawl_count_bench(&calls, &plain, &bench, 1000, out);
	all_are(COUNTER_SCALED, 14);
}

static void a_group_that_never_ran_is_starved_and_not_0(void **state)
{
	(void)state;
	k.run_eighths = 0;
	pawl_count_bench(&calls, &plain, &bench, 1000, out);
	all_are(COUNTER_STARVED, __builtin_nan(""));
	assert_true(strlen(out[0].reason) > 0);
}

static void a_reading_of_no_bytes_is_starved(void **state)
{
	(void)state;
	k.read_error = 1;
	pawl_count_bench(&calls, &plain, &bench, 10, out);
	all_are(COUNTER_STARVED, __builtin_nan(""));
	assert_int_equal(k.open, 0);
}

static void a_reading_that_fails_says_so(void **state)
{
	(void)state;
	k.read_error = -EIO;
	pawl_count_bench(&calls, &plain, &bench, 10, out);
	all_are(COUNTER_ABSENT, __builtin_nan(""));
	assert_non_null(strstr(out[0].reason, "reading failed"));
}

static void interrupted_calls_are_tried_again(void **state)
{
	(void)state;
	k.storm = 4;
	pawl_count_bench(&calls, &plain, &bench, 10, out);
	all_are(COUNTER_OK, 7);
}

static void endless_interrupts_end(void **state)
{
	(void)state;
	k.storm = 1 << 30;
	pawl_count_bench(&calls, &plain, &bench, 10, out);
	all_are(COUNTER_ABSENT, __builtin_nan(""));
	assert_true(k.opens <= 5 * COUNTER_MAX);
	assert_int_equal(operations, 0);
}

static void by_hand_only_what_lies_between_start_and_stop_is_counted(void **state)
{
	(void)state;
	pawl_count_bench(&calls, &plain, &by_hand, 50, out);
	all_are(COUNTER_OK, 7);
}

static void by_hand_a_failed_stretch_is_not_counted(void **state)
{
	(void)state;
	fail_each = 5;
	pawl_count_bench(&calls, &plain, &by_hand, 50, out);
	all_are(COUNTER_OK, 7);
}

/* All n operations in one stretch. */
static void run_one_stretch(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	pawl_start(r);
	work(n);
	if (fail_each)
		pawl_fail(r);
	pawl_stop(r);
}

static uint64_t counted_calls, started_from;

/* The first calls do without pawl_start(), later ones do not. */
static void run_in_part_by_hand(void *ctx, uint64_t n, struct pawl_run *r)
{
	if (++counted_calls < started_from)
		run(ctx, n, r);
	else
		run_by_hand(ctx, n, r);
}

static void all_are_mixed(enum counter_timed timed, uint64_t from)
{
	struct pawl_bench some = PAWL_BENCH("some", run_in_part_by_hand);
	struct count_how how = { .timed = timed };
	counted_calls = 0;
	started_from = from;
	pawl_count_bench(&calls, &how, &some, 50, out);
	all_are(COUNTER_ABSENT, __builtin_nan(""));
	for (int i = 0; i < COUNTER_MAX; i++)
		assert_string_equal(out[i].reason,
				    "pawl_start() was not called in every call of run");
}

static void a_call_that_counts_something_else_than_was_timed_is_not_counted(void **state)
{
	(void)state;
	all_are_mixed(TIMED_BY_HAND, 1000);
	all_are_mixed(TIMED_WHOLE, 0);
	pawl_count_bench(&calls, &(struct count_how){ .timed = TIMED_BY_HAND }, &by_hand, 50, out);
	all_are(COUNTER_OK, 7);
	pawl_count_bench(&calls, &(struct count_how){ .timed = TIMED_WHOLE }, &bench, 50, out);
	all_are(COUNTER_OK, 7);
}

static void by_hand_a_failed_stretch_of_many_operations_spoils_all_of_them(void **state)
{
	static const struct pawl_bench one = { .name = "one", .run = run_one_stretch };
	(void)state;
	pawl_count_bench(&calls, &plain, &one, 50, out);
	all_are(COUNTER_OK, 7);
	start_anew(NULL);
	fail_each = 1;
	pawl_count_bench(&calls, &plain, &one, 50, out);
	all_are(COUNTER_ABSENT, __builtin_nan(""));
	assert_non_null(strstr(out[0].reason, "operations failed"));
}

static void a_pass_in_which_operations_failed_has_no_value(void **state)
{
	(void)state;
	fail_each = 10;
	pawl_count_bench(&calls, &plain, &bench, 50, out);
	all_are(COUNTER_ABSENT, __builtin_nan(""));
	assert_non_null(strstr(out[0].reason, "failed"));
}

#define PAGES 64
#define PAGE 4096

static void touch_pages(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx, (void)r;
	for (; n; n--) {
		char *p = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		assert_true(p != MAP_FAILED);
		(void)madvise(p, PAGES * PAGE, MADV_NOHUGEPAGE);
		for (int i = 0; i < PAGES; i++)
			((volatile char *)p)[i * PAGE] = 1;
		(void)munmap(p, PAGES * PAGE);
	}
}

static void this_machine_counts_its_page_faults_or_says_why_not(void **state)
{
	static const struct pawl_bench pages = PAWL_BENCH("pages", touch_pages);
	struct counter *faults;
	(void)state;
	pawl_count_bench(&pawl_counter_system, &plain, &pages, 10, out);
	faults = find("page-faults");
	for (int i = 0; i < COUNTER_MAX; i++) {
		if (out[i].state > COUNTER_SCALED) {
			assert_true(out[i].value != out[i].value);
			assert_true(strlen(out[i].reason) > 0);
		}
	}
	if (faults->state != COUNTER_OK) {
		print_message("page faults: %s\n", faults->reason);
		skip();
	}
	/* 640, and what is touched once in all. */
	assert_true(faults->value >= PAGES && faults->value < PAGES + 1);
}

static void touch_by_hand(void *ctx, uint64_t n, struct pawl_run *r)
{
	pawl_start(r);
	touch_pages(ctx, n, r);
	pawl_stop(r);
}

/* 10 operations on 3 threads are 4, 3 and 3: of all of them a page is touched 64 times each. */
static void threads_are_counted_together(void **state)
{
	const struct count_how how = { .inherit = true };
	struct pawl_bench pages = PAWL_BENCH("pages", touch_pages);
	struct counter *faults;
	(void)state;
	pages.threads = 3;
	pawl_count_bench(&pawl_counter_system, &how, &pages, 10, out);
	faults = find("page-faults");
	if (faults->state != COUNTER_OK) {
		print_message("page faults: %s\n", faults->reason);
		skip();
	}
	assert_true(faults->value >= PAGES && faults->value < PAGES + 8);
	pages.run = touch_by_hand;
	pawl_count_bench(&pawl_counter_system, &how, &pages, 10, out);
	assert_int_equal(faults->state, COUNTER_ABSENT);
	assert_string_equal(faults->reason, "threads that time by hand cannot be counted");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, start_anew)
	const struct CMUnitTest tests[] = {
		TEST(values_are_differences_per_iteration_less_the_readings_own),
		TEST(a_pass_has_at_most_four_events_and_one_leader),
		TEST(a_group_that_ran_half_the_time_is_scaled),
		TEST(a_group_that_never_ran_is_starved_and_not_0),
		TEST(a_reading_of_no_bytes_is_starved),
		TEST(a_reading_that_fails_says_so),
		TEST(interrupted_calls_are_tried_again),
		TEST(endless_interrupts_end),
		TEST(by_hand_only_what_lies_between_start_and_stop_is_counted),
		TEST(by_hand_a_failed_stretch_is_not_counted),
		TEST(a_call_that_counts_something_else_than_was_timed_is_not_counted),
		TEST(by_hand_a_failed_stretch_of_many_operations_spoils_all_of_them),
		TEST(a_pass_in_which_operations_failed_has_no_value),
		TEST(this_machine_counts_its_page_faults_or_says_why_not),
		TEST(threads_are_counted_together),
	};
	return cmocka_run_group_tests_name("harness/counter", tests, NULL, NULL);
}
