#include "tests/unit/harness/test_harness_kernel.h"

#include "harness/counter/self.h"

#include "lib/base/banned.h"

/* A page and a counter that are made up; what happens while the counter is read. */
static struct perf_event_mmap_page page;
static uint64_t raw;
static int pmc_reads, disturb; /* so many readings are disturbed */

static bool read_raw(uint32_t number, uint64_t *value)
{
	assert_int_equal(number, page.index - 1);
	*value = raw;
	pmc_reads++;
	if (disturb-- > 0) {
		/* The kernel moved what was counted so far into the offset meanwhile. */
		page.lock += 2;
		page.offset += (int64_t)raw;
		raw = 0;
	}
	return true;
}

static bool read_nothing(uint32_t number, uint64_t *value)
{
	(void)number;
	(void)value;
	return false;
}

static struct counter_calls made_up;

static int begin(void **state)
{
	(void)start_anew(state);
	memset(&page, 0, sizeof(page));
	page.lock = 4;
	page.index = 3;
	page.cap_user_rdpmc = 1;
	page.pmc_width = 48;
	page.offset = 1000;
	raw = 234;
	pmc_reads = 0;
	disturb = 0;
	made_up = calls;
	made_up.pmc = read_raw;
	return 0;
}

static uint64_t count_now(void)
{
	uint64_t value = 0;
	assert_true(pawl_self_read(&made_up, &page, &value));
	return value;
}

static void the_count_is_the_offset_and_the_counter(void **state)
{
	(void)state;
	assert_int_equal(count_now(), 1234);
	assert_int_equal(pmc_reads, 1);
}

static void a_counter_that_begins_below_0_is_signed_by_its_width(void **state)
{
	(void)state;
	/* The kernel starts counters at -2^(width-1) .. 0, so that they overflow in time. */
	raw = ((uint64_t)1 << 48) - 1000;
	page.offset = 1500;
	assert_int_equal(count_now(), 500);
	page.pmc_width = 32;
	raw = ((uint64_t)1 << 32) - 1000;
	assert_int_equal(count_now(), 500);
	page.pmc_width = 64;
	raw = (uint64_t)-1000;
	assert_int_equal(count_now(), 500);
}

static void what_lies_above_the_width_is_no_part_of_the_count(void **state)
{
	(void)state;
	page.pmc_width = 32;
	raw = 0xdead00000000 + 234;
	assert_int_equal(count_now(), 1234);
}

static void a_count_grows_where_the_counter_wraps(void **state)
{
	uint64_t before, after;
	(void)state;
	page.pmc_width = 32;
	page.offset = 0x80000000;
	raw = 0x7fffffff;
	before = count_now();
	/* The interrupt of the overflow moved the period to the offset and set it back. */
	page.lock += 2;
	page.offset += 0x80000000;
	raw = 5;
	after = count_now();
	assert_int_equal(after - before, 6);
}

static void a_torn_page_is_read_again(void **state)
{
	(void)state;
	disturb = 2;
	assert_int_equal(count_now(), 1234);
	assert_int_equal(pmc_reads, 3);
}

static void a_page_that_is_being_written_is_not_believed(void **state)
{
	uint64_t value = 77;
	(void)state;
	page.lock = 5;
	assert_false(pawl_self_read(&made_up, &page, &value));
	assert_int_equal(value, 77);
	assert_in_range(pmc_reads, 1, 1000);
}

static void an_event_on_no_counter_is_left_to_the_system_call(void **state)
{
	uint64_t value;
	(void)state;
	page.index = 0;
	assert_false(pawl_self_read(&made_up, &page, &value));
	page.index = 3;
	page.cap_user_rdpmc = 0;
	assert_false(pawl_self_read(&made_up, &page, &value));
	page.cap_user_rdpmc = 1;
	page.pmc_width = 0;
	assert_false(pawl_self_read(&made_up, &page, &value));
	page.pmc_width = 65;
	assert_false(pawl_self_read(&made_up, &page, &value));
	assert_int_equal(pmc_reads, 0); /* on some processors that would be the end of it */
	page.pmc_width = 48;
	made_up.pmc = read_nothing;
	assert_false(pawl_self_read(&made_up, &page, &value));
}

/* ---- passes that are read so ------------------------------------------------------------ */

static const struct count_how self = { .self = true };

static void passes_are_read_from_user_space(void **state)
{
	int reads;
	(void)state;
	k.pages = true;
	pawl_count_bench(&calls, &self, &bench, 100, out);
	all_are(COUNTER_OK, 7);
	for (int i = 0; i < COUNTER_MAX; i++)
		assert_string_equal(out[i].reason, "");
	/* The times before and after each of the 7 runs; page faults have no counter. */
	reads = 2 * 7 + 2 * 16 + 2;
	assert_int_equal(k.reads, reads);
	assert_int_equal(k.open, 0); /* and nothing was closed that was still mapped */
}

static void by_hand_each_region_is_read_from_user_space(void **state)
{
	(void)state;
	k.pages = true;
	pawl_count_bench(&calls, &self, &by_hand, 50, out);
	all_are(COUNTER_OK, 7);
	assert_true(k.reads < 500);
}

static void what_has_no_page_is_read_by_the_system_call_and_says_so(void **state)
{
	(void)state;
	pawl_count_bench(&calls, &self, &bench, 100, out);
	all_are(COUNTER_OK, 7);
	assert_non_null(strstr(find("cycles")->reason, "read by a system call"));
	assert_string_equal(find("page-faults")->reason, "");
}

static void one_event_that_cannot_be_read_takes_its_group_to_the_system_call(void **state)
{
	(void)state;
	k.pages = true;
	k.unreadable_fd = 1; /* instructions */
	pawl_count_bench(&calls, &self, &bench, 100, out);
	all_are(COUNTER_OK, 7);
	assert_non_null(strstr(find("cycles")->reason, "read by a system call"));
	assert_string_equal(find("llc-loads")->reason, "");
}

static void a_crowded_processor_is_seen_all_the_same(void **state)
{
	(void)state;
	k.pages = true;
	k.run_eighths = 4;
	k.per_read = 0;
	pawl_count_bench(&calls, &self, &bench, 1000, out);
	all_are(COUNTER_SCALED, 14);
	start_anew(NULL);
	k.pages = true;
	k.run_eighths = 0;
	pawl_count_bench(&calls, &self, &bench, 1000, out);
	all_are(COUNTER_STARVED, __builtin_nan(""));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, begin)
	const struct CMUnitTest tests[] = {
		TEST(the_count_is_the_offset_and_the_counter),
		TEST(a_counter_that_begins_below_0_is_signed_by_its_width),
		TEST(what_lies_above_the_width_is_no_part_of_the_count),
		TEST(a_count_grows_where_the_counter_wraps),
		TEST(a_torn_page_is_read_again),
		TEST(a_page_that_is_being_written_is_not_believed),
		TEST(an_event_on_no_counter_is_left_to_the_system_call),
		TEST(passes_are_read_from_user_space),
		TEST(by_hand_each_region_is_read_from_user_space),
		TEST(what_has_no_page_is_read_by_the_system_call_and_says_so),
		TEST(one_event_that_cannot_be_read_takes_its_group_to_the_system_call),
		TEST(a_crowded_processor_is_seen_all_the_same),
	};
	return cmocka_run_group_tests_name("harness/counter_self", tests, NULL, NULL);
}
